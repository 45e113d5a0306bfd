import { describe, expect, it } from "bun:test";
import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import messages from "../../messages/en.json";
import { Markdown } from "./markdown";
import { isTooHeavy } from "./too-heavy";

/** What a person may see of it: the text between the tags. */
const shown = (text: string) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={messages} timeZone="UTC">
      <Markdown text={text} />
    </NextIntlClientProvider>,
  );

describe("a block that no page could draw", () => {
  // Drawn as Markdown, the first two end in an exceeded stack and the others take many seconds or all memory.
  it.each<[string, string]>([
    ["quotes without end", `${"> ".repeat(10_000)}x`],
    ["emphasis without end", `${"*a ".repeat(9_000)}${"b*".repeat(9_000)}`],
    ["list items on one line without end", `${"- ".repeat(10_000)}x`],
    ["list items ever deeper", Array.from({ length: 300 }, (_, i) => `${" ".repeat(i * 2)}- x`).join("\n")],
    ["marks that never pair", "**a*".repeat(10_000)],
    ["strikes that never pair", "~~a".repeat(10_000)],
    ["brackets that never close", "[".repeat(20_000)],
    ["brackets that never opened", "]".repeat(20_000)],
    ["a table that writes no cells", `${"a|".repeat(1_000)}\n${"-|".repeat(1_000)}\n${"a\n".repeat(1_000)}`],
    ["ten thousand rows", `|a|\n|-|\n${"|a|\n".repeat(10_000)}`],
    ["a quote that goes on without its mark", `> a\n${"b\n".repeat(10_000)}`],
    ["headings without a blank line", "a\n=\n".repeat(5_000)],
    ["a quote in each of many items", "- > a\n".repeat(5_000)],
    ["a table of nothing but columns", `${"|a".repeat(20_000)}|\n${"|-".repeat(20_000)}|`],
  ])("is shown as its text: %s", (_case, text) => {
    expect(isTooHeavy(text)).toBe(true);
    const html = shown(`before\n\n${text}\n\nafter`);
    expect(html).toContain(text.replaceAll(">", "&gt;"));
    expect(html).toContain("<p>before</p>");
    expect(html).toContain("<p>after</p>");
  });

  it("is told at once, also of two megabytes in one line", () => {
    for (const mark of ["~", "`", "|", "-", "> ", " ", "[", "1."]) {
      expect(isTooHeavy(`${mark.repeat(2_000_000 / mark.length)}\``)).toBe(true);
    }
  });

  it("is none of what people write", () => {
    const rows = Array.from({ length: 500 }, (_, i) => `| ${i} | **a** | b |`).join("\n");
    const items = Array.from({ length: 150 }, (_, i) => `- **item** ${i} of the [list](/notes/a)`).join("\n");
    const code = `\`\`\`ts\n${"const a_b = [1, 2] * c;\n".repeat(4_000)}\`\`\``;
    const shell = `~~~\n${" ".repeat(80)}- x\n${"> ".repeat(40)}\n~~~`;
    const unfinished = `Here:\n\`\`\`\n${"a[i] * b[j];\n".repeat(2_000)}`;
    const table = `| a | b | c |\n|---|---|---|\n${rows.replaceAll("**", "")}`;
    const kinds = { table, items, code, shell, unfinished, quotes: `${"> ".repeat(10)}x` };
    expect(Object.entries(kinds).filter(([, text]) => isTooHeavy(text))).toEqual([]);
  });
});
