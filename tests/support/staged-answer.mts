/**
 * An answer that a page reads at a pace of our choosing: the page's own `fetch` gives it for the next message, frame by
 * frame as the API would send it. Nothing else of the page is touched.
 */
import type { Page } from "playwright-core";

export interface StagedAnswer {
  /** Arrives at once, before the first token. */
  head?: string;
  /** Arrives token by token, then the turn is done. */
  text: string;
  /** A token is as many UTF-16 units; they arrive evenly. */
  tokenChars: number;
  tokensPerSecond: number;
  /** The tokens wait for `goOn`: until the head is drawn, say, however long a busy machine takes for that. */
  held?: boolean;
}

const GO_ON = "staged-answer-goes-on";

/** Call before the page is opened. */
export async function stageAnswer(page: Page, answer: StagedAnswer): Promise<void> {
  await page.addInitScript(replaceFetch, { ...answer, goOnEvent: GO_ON });
}

/** Lets the tokens of a held answer come, after its question was sent. */
export const goOn = (page: Page): Promise<unknown> => page.evaluate((name) => dispatchEvent(new Event(name)), GO_ON);

/** Runs in the page. */
function replaceFetch(answerOf: StagedAnswer & { goOnEvent: string }): void {
  const { head, text, tokenChars, tokensPerSecond, held, goOnEvent } = answerOf;
  const real = window.fetch;
  window.fetch = ((input: string | URL, init) => {
    const { pathname } = new URL(input, location.href);
    return pathname === "/api/agent/ask" ? Promise.resolve(answer()) : real(input, init);
  }) as typeof fetch;

  function answer(): Response {
    const encoder = new TextEncoder();
    let frames = 0;
    const frame = (event: string, data: unknown) =>
      encoder.encode(`id: 0.${frames++}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      start(stream) {
        const sessionId = "5f0c1d3a-0000-4000-8000-000000000001";
        stream.enqueue(frame("session", { sessionId }));
        if (head !== undefined) stream.enqueue(frame("delta", { text: head }));
        const comes = () => {
          const startedMs = performance.now();
          const timer = setInterval(() => {
            // What a busy page has missed arrives at once, as from a network.
            const due = Math.floor(((performance.now() - startedMs) / 1_000) * tokensPerSecond) * tokenChars;
            for (; at < Math.min(due, text.length); at += tokenChars)
              stream.enqueue(frame("delta", { text: text.slice(at, at + tokenChars) }));
            if (at < text.length) return;
            clearInterval(timer);
            stream.enqueue(
              frame("done", { sessionId, outcome: "completed", modelRoundTrips: 1, turnMs: 1_000, totalTokens: 1 }),
            );
            stream.close();
          }, 1_000 / tokensPerSecond);
        };
        if (held) addEventListener(goOnEvent, comes, { once: true });
        else comes();
      },
    });
    return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  }
}
