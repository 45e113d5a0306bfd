import { describe, expect, it } from "bun:test";
import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import messages from "../../messages/en.json";
import type { Fence } from "./fence";
import { Markdown } from "./markdown";

/** The fences that a renderer is asked for, in order, and what the page shows when it takes those named `take`. */
function read(text: string, partial = false): { fences: Fence[]; html: string } {
  const fences: Fence[] = [];
  const html = renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={messages} timeZone="UTC">
      <Markdown
        text={text}
        partial={partial}
        renderFence={(fence) => {
          fences.push(fence);
          return fence.language === "take" ? <b>taken</b> : undefined;
        }}
      />
    </NextIntlClientProvider>,
  );
  return { fences, html };
}

const fencesOf = (text: string, partial?: boolean) => read(text, partial).fences;

describe("a fence", () => {
  it("is known by its language, the rest of its line, its source and its place in the whole text", () => {
    const text = 'One.\n\n```card kind="facts"  x\n{"a": 1}\n```\n\nTwo.\n\n~~~~ html\n<b>\n\n~~~\n~~~~\n';
    expect(fencesOf(text)).toEqual([
      { language: "card", meta: 'kind="facts"  x', source: '{"a": 1}', closed: true, offset: text.indexOf("```") },
      { language: "html", meta: "", source: "<b>\n\n~~~", closed: true, offset: text.indexOf("~~~~") },
    ]);
  });

  it("of one line without end is read at once", () => {
    const line = `${"`".repeat(500_000)}x`;
    expect(fencesOf(`~~~\n${line}`)).toEqual([{ language: "", meta: "", source: line, closed: false, offset: 0 }]);
  });

  it("is drawn by whoever asks for it, and as code otherwise", () => {
    const { html } = read("```take\na\n```\n\n```leave\nb\n```");
    expect(html).toContain("<b>taken</b>");
    expect(html).not.toContain("take\n");
    expect(html).toContain("<code>b</code>");
  });

  it("is closed when its mark has come, and not by what only looks like it", () => {
    const closed = (text: string) => fencesOf(text, true).map((fence) => fence.closed);
    expect(
      ["```", "```a", "```a\n", "```a\nb", "```a\nb\n``", "````a\nb\n```", "~~~a\nb\n```"].flatMap(closed),
    ).toEqual(Array(7).fill(false));
    expect(["```a\nb\n    ```", "```a\n    ```", "- ```a\n  b", "> ```a\n> b"].flatMap(closed)).toEqual(
      Array(4).fill(false),
    );
    expect(
      [
        "```a\n```",
        "```a\n\n```",
        "```a\nb\n   ```  ",
        "```a\nb\n`````",
        "```a\r\nb\r\n```\r\n",
        "> ```a\n> b\n> ```",
      ].flatMap(closed),
    ).toEqual(Array(6).fill(true));
    expect(closed("- ```a\n  b\n  ```")).toEqual([true]);
  });

  it("is none that is only indented, and none inside a line", () => {
    expect(fencesOf("    indented\n\n`` `x` ``")).toEqual([]);
  });

  it("keeps its place at every moment of a text that grows, and closes once", () => {
    const text = "# A\n\nsome *words* and\n\n```card\n{}\n```\n\nthen **more";
    const moments = Array.from({ length: text.length }, (_, end) => fencesOf(text.slice(0, end + 1), true));
    const seen = moments.flat().filter(({ language }) => language === "card");
    expect(new Set(seen.map(({ offset }) => offset))).toEqual(new Set([text.indexOf("```")]));
    expect(moments.findIndex((fences) => fences.some(({ closed }) => closed))).toBe(text.indexOf("```\n\nthen") + 2);
    expect(seen.map(({ closed }) => closed).join("")).toMatch(/^(false)+(true)+$/);
  });
});
