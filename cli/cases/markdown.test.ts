/** The judge of replies finds what it is for; the committed file itself is judged beside the component. */
import { describe, expect, it } from "bun:test";
import { JSDOM } from "jsdom";
import { FORMATS } from "./formats.mts";
import { foreignFault, markdownFormat } from "./markdown.mts";
import { describeReply } from "./markdown-page.mts";

const head = { stage: "complete", level: "must" };
const faultsOf = async (cases: object[], streams: object[] = []) =>
  (await markdownFormat.judge({ cases: cases.map((one, n) => ({ id: `c${n}`, ...head, ...one })), streams })).map(
    ({ fault }) => fault,
  );

describe("a case of Markdown", () => {
  it("that says something else is a mismatch, whatever it says", async () => {
    const input = "a **b** [c](https://example.com/) `d`";
    expect(
      await faultsOf([
        { input, expect: { text: ["a b c"], not_text: ["**"], elements: { strong: 1 }, code: ["d"] } },
        { input, expect: { text: ["z"] } },
        { input, expect: { not_text: ["a b"] } },
        { input, expect: { elements: { strong: 2 } } },
        { input, expect: { no_elements: ["a[href^=https]"] } },
        { input, expect: { links: [] } },
        { input, expect: { no_href_matching: ["^HTTPS"] } },
        { input, expect: { code: ["b"] } },
        { input: null, build: { prefix: "a", unit: "b", times: 2 }, expect: { text: ["abb"] } },
      ]),
    ).toEqual([
      null,
      '"z" is not shown in "a b c d"',
      '"a b" is shown in "a b c d"',
      "has 1 strong, should have 2",
      'has "a[href^=https]"',
      'links to "https://example.com/", should link to ""',
      'links to "https://example.com/"',
      'no code is "b", but "d"',
      null,
    ]);
  });

  it("may be a moment of an arrival, in which what is open looks closed", async () => {
    const one = { input: "**b", expect: { text: ["b"], not_text: ["*"], elements: { strong: 1 } } };
    expect(await faultsOf([{ ...one, stage: "prefix" }, one])).toEqual([null, '"*" is shown in "**b"']);
  });

  it("is told from a case of any other kind", () => {
    const file = { cases: [{ id: "a", ...head, input: "x", expect: {} }] };
    expect(FORMATS.filter((format) => format.recognises(file))).toEqual([markdownFormat]);
    expect(markdownFormat.recognises({ cases: [{ id: "a", kind: "label", input: "x", expected: "x" }] })).toBe(false);
  });
});

it("whatever runs, loads, takes input or leads astray is foreign to a reply", () => {
  const { document } = new JSDOM().window;
  const faultOf = (html: string) => {
    const host = document.createElement("div");
    host.innerHTML = `<div><div>${html}</div></div>`;
    return foreignFault(describeReply(host));
  };
  for (const bad of [
    "<script>1</script>",
    "<iframe></iframe>",
    "<svg></svg>",
    "<style>p{}</style>",
    "<form></form>",
    '<img src="https://third.example/p.png">',
    '<img src="//third.example/p.png">',
    '<img src="data:image/png;base64,AA">',
    '<img src="/a.png" srcset="https://third.example/p.png">',
    '<a href="javascript:alert(1)">x</a>',
    '<a href=" javascript:alert(1)">x</a>',
    '<a href="data:text/html,x">x</a>',
    '<a ping="https://third.example/">x</a>',
    '<p onclick="x()">x</p>',
    '<p style="background: url(https://third.example/p.png)">x</p>',
    '<input type="text">',
    '<input type="checkbox">',
    "half \ufffd",
  ]) {
    expect([bad, faultOf(bad)]).not.toEqual([bad, null]);
  }
  for (const good of [
    '<a href="https://example.com/?a=b:c">x</a>',
    '<a href="/notes/a">x</a>',
    '<a href="#a">x</a>',
    '<a href="mailto:a@example.com">x</a>',
    '<img src="/a.png">',
    '<input type="checkbox" disabled>',
    '<td style="text-align: left">x</td>',
  ]) {
    expect([good, faultOf(good)]).toEqual([good, null]);
  }
});
