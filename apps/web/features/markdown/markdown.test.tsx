/**
 * What a model may make of the page (§4, §24): its Markdown, complete and at every moment of its arrival, judged by the
 * case file. No raw HTML, no address that runs, nothing that is fetched from elsewhere; the words always stay.
 */
import { describe, expect, it } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { foreignFault, markdownFormat } from "../../../../cli/cases/markdown.mts";
import { withReplyPage } from "../../../../cli/cases/markdown-page.mts";
import { random } from "../../../../tests/support/random.mts";

const file = JSON.parse(readFileSync(join(import.meta.dir, "../../../../tests/cases/markdown.json"), "utf8"));
const STREAMS = (file.streams as { full: string | null }[]).flatMap(({ full }) => (full === null ? [] : [full]));

describe("a reply", () => {
  it("is what every case says, whole and at every moment of its arrival", async () => {
    const judged = await markdownFormat.judge(file);
    expect(judged.map(({ id }) => id)).toEqual([...file.cases, ...file.streams].map(({ id }) => id));
    expect(judged.filter(({ fault }) => fault !== null)).toEqual([]);
  });

  it("is the same in the end however its bytes were cut", () => {
    const chance = random();
    withReplyPage((page) => {
      for (const full of STREAMS) {
        const bytes = new TextEncoder().encode(full);
        const whole = page.draw(full, true).markup;
        for (let round = 0; round < 3; round++) {
          const growing = page.grow();
          const decoder = new TextDecoder();
          let text = "";
          for (let at = 0; at < bytes.length; ) {
            const length = 1 + chance.below(12);
            text += decoder.decode(bytes.subarray(at, at + length), { stream: true });
            at += length;
            expect(foreignFault(growing.show(text, false).reply)).toBeNull();
          }
          expect(growing.show(text, true).reply.markup).toBe(whole);
        }
      }
    });
  });
});

describe("the worst that a model can write", () => {
  const ROWS = Array.from({ length: 10_000 }, (_, row) => `| ${row} | b | c |`).join("\n");
  const WORST: Record<string, { text: string; shows: string }> = {
    "fences that never close": { text: `${"```js\nlet a\n".repeat(3_000)}end`, shows: "end" },
    "2 MB in one line": { text: "word ".repeat(400_000), shows: "word word" },
    "a table of 10,000 rows": { text: `| a | b | c |\n|---|---|---|\n${ROWS}`, shows: "| 9999 | b | c |" },
    "lists nested 200 deep": {
      text: Array.from({ length: 200 }, (_, depth) => `${"  ".repeat(depth)}- item ${depth}`).join("\n"),
      shows: "item 199",
    },
    "text that overrides its direction": { text: "a \u202egnp.exe\u202c **b** \u2066c", shows: "gnp.exe" },
    "brackets that never close": { text: "[a ".repeat(20_000), shows: "a [a" },
    "links half written": { text: "[a](".repeat(900), shows: "a" },
    "references before everything": { text: `[a]: /b\n\n${"x [a] y\n\n".repeat(100)}end`, shows: "end" },
  };

  it.each(Object.entries(WORST))("is shown and brings nothing else about: %s", (_name, { text, shows }) => {
    withReplyPage((page) => {
      const growing = page.grow();
      for (const share of [0.3, 0.9, 1]) {
        const { reply } = growing.show(text.slice(0, text.length * share), false);
        expect(foreignFault(reply)).toBeNull();
      }
      const { reply } = growing.show(text, true);
      expect(foreignFault(reply)).toBeNull();
      expect(reply.words).toContain(shows);
    });
  });
});

it("a path of this site opens in place; what only looks like one, beside the page", () => {
  withReplyPage((page) => {
    const opensBeside = (href: string) => page.draw(`[x](${href})`, true).markup.includes('target="_blank"');
    const addresses = ["/notes", "/notes/a?b=c#d", "/说不", "//third.example", "/.//third.example"];
    expect(addresses.map(opensBeside)).toEqual([false, false, false, true, true]);
  });
});
