/** The feed's text: well-formed whatever the titles hold, dated by its chapters, with absolute links. */
import { describe, expect, it } from "bun:test";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import type { FeedSource } from "../stores/notes-feed";
import { rssText } from "./rss-text";

const ORIGIN = "https://example.com";
const chapter = (more: Partial<FeedSource["chapters"][number]> = {}): FeedSource["chapters"][number] => ({
  seriesSlug: "kernel",
  seriesName: "内核",
  slug: "one",
  title: "One",
  summary: "A summary.",
  publishedAt: "2026-01-31T08:00:00.000Z",
  ...more,
});
const parser = new XMLParser({ ignoreAttributes: false, isArray: (name) => name === "item", parseTagValue: false });
function channelOf(text: string) {
  expect(XMLValidator.validate(text)).toBe(true);
  return parser.parse(text).rss.channel;
}

describe("a feed", () => {
  it("is RSS 2.0 with the chapters in order", () => {
    const chapters = [chapter(), chapter({ slug: "two", summary: "", publishedAt: "2026-01-01T00:00:00.000Z" })];
    const text = rssText({ category: "Kernel", chapters }, ORIGIN, "/rss/kernel.xml");
    expect(parser.parse(text).rss["@_version"]).toBe("2.0");
    expect(channelOf(text)).toEqual({
      title: "Agent X-Ray · Kernel",
      link: "https://example.com/notes",
      description: expect.any(String),
      lastBuildDate: "Sat, 31 Jan 2026 08:00:00 GMT",
      "atom:link": {
        "@_href": "https://example.com/rss/kernel.xml",
        "@_rel": "self",
        "@_type": "application/rss+xml",
      },
      item: [
        {
          title: "One",
          link: "https://example.com/notes/kernel/one",
          guid: { "#text": "https://example.com/notes/kernel/one", "@_isPermaLink": "true" },
          description: "A summary.",
          category: "内核",
          pubDate: "Sat, 31 Jan 2026 08:00:00 GMT",
        },
        {
          title: "One",
          link: "https://example.com/notes/kernel/two",
          guid: { "#text": "https://example.com/notes/kernel/two", "@_isPermaLink": "true" },
          category: "内核",
          pubDate: "Thu, 01 Jan 2026 00:00:00 GMT",
        },
      ],
    });
  });

  it("without a chapter has no date and is whole", () => {
    const channel = channelOf(rssText({ chapters: [] }, ORIGIN, "/rss.xml"));
    expect([channel.title, channel.item, channel.lastBuildDate]).toEqual(["Agent X-Ray", undefined, undefined]);
  });

  it.each([
    ["<script>alert(1)</script> & \"quotes\" 'n' ]]>", "<script>alert(1)</script> & \"quotes\" 'n' ]]>"],
    ["a\u0000b\u0008c\u000bd\u001fe\ufffef\uffffg", "abcdefg"],
    ["half \ud800 pair, whole 😀", "half  pair, whole 😀"],
    ["&amp; &#x0; &lt;", "&amp; &#x0; &lt;"],
    ["<!-- --> <![CDATA[ <?xml ?>", "<!-- --> <![CDATA[ <?xml ?>"],
  ])("says %j as it is, without what XML cannot say", (title, shown) => {
    const text = rssText({ category: title, chapters: [chapter({ title, summary: title })] }, ORIGIN, "/rss.xml");
    const channel = channelOf(text);
    expect(channel.item[0].title).toBe(shown);
    expect(channel.item[0].description).toBe(shown);
    expect(channel.title).toBe(`Agent X-Ray · ${shown}`);
  });
});
