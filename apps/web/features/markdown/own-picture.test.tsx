import { describe, expect, it } from "bun:test";
import { withReplyPage } from "../../../../cli/cases/markdown-page.mts";
import { agentImageAddress } from "../../../../shared/agent-image";

const MADE = agentImageAddress("0f8fad5b-d9cb-469f-a165-70867728950e", "image/png");
const drawn = (text: string, isWhole = true) => withReplyPage((page) => page.draw(text, isWhole));
const pictures = (markup: string) => [...markup.matchAll(/<img[^>]* src="([^"]*)"/g)].map(([, src]) => src);

describe("a picture in a reply", () => {
  it("is shown when the agent made it or the notes published it, lazily, in a box of fixed size, with its words", () => {
    const { markup } = drawn(`![A cat](${MADE}) and ![plan](/notes/events/saying-no.webp)`);
    expect(pictures(markup)).toEqual([MADE, "/notes/events/saying-no.webp"]);
    expect(markup).toContain('alt="A cat" width="1024" height="1024" loading="lazy"');
  });

  it.each([
    "https://third.example/p.png",
    "//third.example/p.png",
    `https://third.example${MADE}`,
    `/\\third.example${MADE}`,
    `${MADE}?to=third.example`,
    `${MADE}#x`,
    `/api/agent/../agent/images${MADE.slice(17)}`,
    `${MADE.replace("png", "svg")}`,
    "/api/agent/sessions",
    "/notes/a/b.svg",
    "/notes/a/../../api/x.png",
    "/notes/a/%2e%2e/b.png",
    "/notes/a/b",
    "p.png",
    "data:image/png;base64,AA",
    "blob:https://third.example/1",
  ])("is at most a link when it is %s", (src) => {
    const { markup, words } = drawn(`![the words](${src})`);
    expect(pictures(markup)).toEqual([]);
    expect(words).toContain("the words");
  });

  it("is not asked for before its whole address is there", () => {
    withReplyPage((page) => {
      for (let end = 0; end <= MADE.length; end++) {
        expect(pictures(page.draw(`![A cat](${MADE.slice(0, end)}`, false).markup)).toEqual([]);
      }
    });
  });
});
