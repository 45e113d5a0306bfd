import { describe, expect, it } from "bun:test";
import { linkPictures } from "./link-pictures.mts";

const PICTURES = new Set(["flow.png", "a_b.jpg", "a(1).png"]);
function linked(text: string) {
  const missing: string[] = [];
  const result = linkPictures(text, "events", PICTURES, (line, sentence) => missing.push(`${line} ${sentence}`));
  return { result, missing };
}

describe("a picture beside the chapter", () => {
  it.each([
    ["![a flow](flow.png)", "![a flow](/notes/events/flow.png)"],
    ["![](./flow.png)", "![](/notes/events/flow.png)"],
    ["![a](<flow.png>)", "![a](/notes/events/flow.png)"],
    ['![a](flow.png "Title")', '![a](/notes/events/flow.png "Title")'],
    ["![a\\]b](flow.png) and ![c](a_b.jpg).", "![a\\]b](/notes/events/flow.png) and ![c](/notes/events/a_b.jpg)."],
    ["![a](a(1).png)", "![a](/notes/events/a(1).png)"],
    ["[![a](flow.png)](/notes)", "[![a](/notes/events/flow.png)](/notes)"],
    ["![a][f]\n\n[f]: flow.png", "![a][f]\n\n[f]: /notes/events/flow.png"],
    ["`x` ![a](flow.png)", "`x` ![a](/notes/events/flow.png)"],
  ])("%p is shown by its address", (text, result) => {
    expect(linked(text)).toEqual({ result, missing: [] });
  });
});

describe("what is no picture of the folder", () => {
  it.each([
    "![a](/notes/other/flow.png)",
    "![a](https://example.org/flow.png)",
    "![a](data:image/png;base64,AAAA)",
    "`![a](flow.png)`",
    "``![a](`flow.png`)``",
    "```\n![a](gone.png)\n```",
    "~~~~ md\n```\n![a](gone.png)\n~~~\n~~~~",
    "[a](flow.png)",
    '[f]: 02-next.html#top "x"',
    "[f]: https://example.org/a.png",
  ])("%p stays as it is", (text) => {
    if (text.includes(".html")) return expect(linked(text).result).toBe(text);
    expect(linked(text)).toEqual({ result: text, missing: [] });
  });

  it.each([
    ["x\n\n![a](gone.png)", ['2 There is no picture "gone.png" beside it.']],
    ["![a](../other/flow.png)", ['0 There is no picture "../other/flow.png" beside it.']],
    [
      "![a](FLOW.png)\n[f]: gone.gif",
      ['0 There is no picture "FLOW.png" beside it.', '1 There is no picture "gone.gif" beside it.'],
    ],
    ["```\n```\n![a](flow.svg)", ['2 There is no picture "flow.svg" beside it.']],
  ])("%p is named with its line", (text, missing) => {
    expect(linked(text)).toEqual({ result: text, missing });
  });
});
