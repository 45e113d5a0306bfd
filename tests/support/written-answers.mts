/**
 * A page whose answers a test writes: `POST /agent/ask` is answered in the page, piece by piece, as the API would. It is
 * for what the page makes of a text; nothing else is replaced.
 */
import type { Page } from "playwright-core";
import { ERRORS, type ErrorCode } from "../../shared/errors.ts";

export interface WrittenAnswers {
  /** Messages that were sent, in their order. */
  asked(): Promise<string[]>;
  /** Adds text to the running answer. */
  say(text: string): Promise<void>;
  /** A tool call that returns at once. */
  call(): Promise<void>;
  end(outcome?: "completed" | "stopped"): Promise<void>;
  /** The next message is refused. */
  refuse(code: ErrorCode): Promise<void>;
}

/** Call before anything is loaded. */
export async function writeAnswers(page: Page): Promise<WrittenAnswers> {
  await page.addInitScript(replaceAsk);
  const act = (method: string, ...given: unknown[]) =>
    page.evaluate(
      ([name, args]) =>
        (window as unknown as { answers: Record<string, (...all: unknown[]) => void> }).answers[name]!(...args),
      [method, given] as const,
    );
  return {
    asked: async () => (await act("asked")) as unknown as string[],
    say: (text) => act("say", text),
    call: () => act("call"),
    end: (outcome = "completed") => act("end", outcome),
    refuse: (code) => act("refuse", code, ERRORS[code].status),
  };
}

/** Runs in the page, so it may use nothing from here. */
function replaceAsk(): void {
  const real = window.fetch;
  const sessionId = "5f0c1d3a-0000-4000-8000-00000000000c";
  const asked: string[] = [];
  let refusal: Response | null = null;
  let answer: ReadableStreamDefaultController<Uint8Array>;
  let turn = -1;
  let frame = 0;
  let at = 0;
  const send = (event: string, data: object) =>
    answer.enqueue(
      new TextEncoder().encode(`id: ${turn}.${frame++}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    );
  const totals = { modelRoundTrips: 1, turnMs: 1_000, totalTokens: 100 };
  Object.assign(window, {
    answers: {
      asked: () => asked,
      say: (text: string) => {
        at += text.length;
        send("delta", { text });
      },
      call: () => {
        const toolCallId = `call_${frame}`;
        send("tool_start", { toolCallId, name: "notes_list", at, inputPreview: "{}" });
        send("tool_end", { toolCallId, resultPreview: "[]", isError: false, durationMs: 1 });
      },
      end: (outcome: string) => {
        send("done", { sessionId, outcome, ...totals });
        answer.close();
      },
      refuse: (code: string, status: number) => {
        refusal = Response.json({ error: code, code }, { status });
      },
    },
  });
  window.fetch = (async (input: RequestInfo | URL, init?: RequestInit) => {
    if (!String(input).endsWith("/agent/ask")) return real(input, init);
    asked.push(JSON.parse(String(init?.body)).prompt);
    if (refusal !== null) {
      const refused = refusal;
      refusal = null;
      return refused;
    }
    turn += 2;
    [frame, at] = [0, 0];
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        answer = controller;
      },
    });
    send("session", { sessionId });
    return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  }) as typeof fetch;
}
