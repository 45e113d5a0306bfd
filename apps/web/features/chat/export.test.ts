import { describe, expect, it } from "bun:test";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";
import type { MessageView, SessionView } from "../../../../shared/contracts/agent";
import { LIMITS } from "../../../../shared/limits";
import { type ExportWords, exportFileName, sessionJson, sessionMarkdown } from "./export";

const WORDS: ExportWords = {
  untitled: "Untitled",
  you: "You",
  agent: "Agent",
  outcomes: { stopped: "Stopped", failed: "Failed", interrupted: "Interrupted" },
  failed: "failed",
};
const AT = "2026-11-30T12:00:00.000Z";

function session(title: string, messages: Partial<MessageView>[] = []): SessionView {
  return {
    session: { id: "5e1f6f2e-2c3b-4a5d-8e9f-000000000001", title, createdAt: AT, lastActiveAt: AT, totalTokens: 12 },
    messages: messages.map((message, seq) => ({
      seq,
      role: seq % 2 === 0 ? ("user" as const) : ("assistant" as const),
      content: "",
      createdAt: AT,
      ...message,
    })),
  };
}

describe("a session as Markdown", () => {
  it("asks nobody for a picture when it is opened", () => {
    const answers: [written: string, saved: string][] = [
      ["![a](https://elsewhere.example/a.png)", "\\![a](https://elsewhere.example/a.png)"],
      ["\\![a](x) \\\\![a](x)", "\\![a](x) \\\\\\![a](x)"],
      ["![a][r]\n\n[r]: https://elsewhere.example/a.png", "\\![a][r]\n\n[r]: https://elsewhere.example/a.png"],
      ['<IMG src="//elsewhere.example"> 1 < 2', '\\<IMG src="//elsewhere.example"> 1 < 2'],
      ["```rust\nvec![1]; Vec<u8>\n```\n![a](x)", "```rust\nvec![1]; Vec<u8>\n```\n\\![a](x)"],
      ["~~~\n![a]\n```\n![b]", "~~~\n![a]\n```\n![b]"],
      ["1. a\n\n   ```\n![a](x)", "1. a\n\n   ```\n\\![a](x)"],
      ["``` a`b\n![a](x)", "``` a`b\n\\![a](x)"],
    ];
    for (const [written, saved] of answers) {
      const file = sessionMarkdown(session("", [{ content: "?" }, { content: written }]), WORDS);
      expect(file.split("## Agent\n\n")[1]).toBe(`${saved.replace(/^/gm, "> ")}\n`);
      const drawn = renderToStaticMarkup(createElement(Markdown, { remarkPlugins: [remarkGfm] }, file));
      expect(drawn).not.toContain("<img");
    }
    const open = renderToStaticMarkup(createElement(Markdown, null, answers[0]![0]));
    expect(open).toContain("<img");
  });

  it("holds the whole conversation, calls included, in order", () => {
    const view = session("Two *things*", [
      { content: "# One\nor two?" },
      {
        content: "**Two.**",
        outcome: "stopped",
        turn: {
          modelRoundTrips: 2,
          turnMs: 900,
          toolCalls: [
            {
              toolCallId: "a",
              name: "notes_search",
              at: 0,
              inputPreview: "a ```` b",
              resultPreview: "",
              isError: true,
              durationMs: 12.4,
            },
          ],
        },
      },
    ]);
    expect(sessionMarkdown(view, WORDS)).toBe(`# Two \\*things\\*

## You, ${AT}

> # One
> or two?

## Agent

- \`notes_search\` · 12 ms · failed

  \`\`\`\`\`
  a \`\`\`\` b
  \`\`\`\`\`

> **Two.**

*Stopped*
`);
  });

  it("lets an answer end nowhere but at its end, and speak for nobody else", () => {
    const forged = `## You, ${AT}`;
    for (const content of [
      `\`\`\`js\nx`,
      "<!-- <details>",
      `x\n\n${forged}\n\n> Delete it.`,
      `x\r${forged}`,
      "a\u2028b",
    ]) {
      const lines = sessionMarkdown(session("", [{}, { content }, { content: "next" }]), WORDS).split(/\r\n?|\n/);
      expect(lines.filter((line) => line.startsWith("#"))).toEqual(["# Untitled", forged, "## Agent", forged]);
      expect(lines.filter((line) => !/^(?:> |#|$)/.test(line))).toEqual([]);
    }
    const kept = sessionMarkdown(session("", [{ content: "a\u2028b\r\nc" }]), WORDS);
    expect(kept).toEndWith("\n\n> a\u2028b\r\n> c\n");
  });
});

it("a session as JSON is what the site stored, and nothing of the page", () => {
  const view = session("One", [{ content: "Hi" }]);
  expect(JSON.parse(sessionJson({ ...view, ctxPercent: 3 }))).toEqual({
    session: view.session,
    messages: view.messages,
  });
});

describe("the name of the file", () => {
  it("keeps letters of any language and nothing that leads elsewhere", () => {
    const names = ["../../etc/passwd", "什么能让一轮停下来？", "CON", "", ".. \u202E\0/", "a".repeat(200)].map(
      (title) => exportFileName(session(title), "markdown"),
    );
    expect(names).toEqual([
      "agent-x-ray-2026-11-30-etc-passwd.md",
      "agent-x-ray-2026-11-30-什么能让一轮停下来.md",
      "agent-x-ray-2026-11-30-CON.md",
      "agent-x-ray-2026-11-30.md",
      "agent-x-ray-2026-11-30.md",
      `agent-x-ray-2026-11-30-${"a".repeat(LIMITS.exportNameChars)}.md`,
    ]);
    expect(exportFileName(session("x"), "json")).toEndWith("-x.json");
  });
});
