import { describe, expect, it } from "bun:test";
import { chapterLink, chapterPicture, withoutTitle } from "./chapter-text";

describe("a chapter's text", () => {
  it("loses a first heading that repeats the title, and no other", () => {
    expect(withoutTitle("# Saying no\n\ntext", "Saying no")).toBe("text");
    expect(withoutTitle("# What `block` is #\ntext", "What block is")).toBe("text");
    expect(withoutTitle("# Other\n\ntext", "Saying no")).toBe("# Other\n\ntext");
  });

  it("leads to another chapter by the name of its file, and leaves every other address alone", () => {
    expect(chapterLink("events", "03-saying-no.md#why")).toBe("/notes/events/saying-no#why");
    expect(chapterLink("events", "./one-turn.md")).toBe("/notes/events/one-turn");
    for (const href of [
      "https://x.example/a.md",
      "../a.md",
      "/notes/a/b",
      "#here",
      "javascript:a.md",
      "//a.md",
      "a/b.md",
    ]) {
      expect(chapterLink("events", href)).toBe(href);
    }
  });

  it("shows pictures of this site's series and none from elsewhere", () => {
    expect(["map.png", "./map.v2.webp", "/notes/walls/a.jpg"].map((src) => chapterPicture("events", src))).toEqual([
      "/notes/events/map.png",
      "/notes/events/map.v2.webp",
      "/notes/walls/a.jpg",
    ]);
    const strange = [
      "https://x.example/a.png",
      "//x.example/a.png",
      "../a.png",
      "a.svg",
      "a.html",
      "/a.png",
      "data:image/png,x",
    ];
    expect(strange.map((src) => chapterPicture("events", src))).toEqual(strange.map(() => null));
  });
});
