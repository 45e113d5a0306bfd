import { expect, test } from "bun:test";
import { citationsOf, markdownLinks } from "./citations";

const urls = (text: string) => markdownLinks(text).map(({ url }) => url);

test("links are those that are marked as such", () => {
  expect(urls("[a](https://x.example/1) and https://y.example, 见[乙](http://z.example/路径)。")).toEqual([
    "https://x.example/1",
    "http://z.example/路径",
  ]);
  expect(urls('[a](<https://x.example/1>) [b](https://x.example/2 "t")')).toEqual([
    "https://x.example/1",
    "https://x.example/2",
  ]);
  expect(urls("[wiki](https://x.example/A_(b)_c) (see [d](https://x.example/d))")).toEqual([
    "https://x.example/A_(b)_c",
    "https://x.example/d",
  ]);
  expect(
    urls("![p](https://x.example/p.png) [](https://x.example/) [a](/b) [a](javascript:x) [a](ftp://x) [a] (https://x)"),
  ).toEqual([]);
});

test("finding them takes no longer than reading the text", () => {
  for (const hostile of ["[", "[a](https://x(", "[a](https://(", "[a](https://x ", "[a](https://x()"]) {
    markdownLinks(hostile.repeat(65_536 / hostile.length));
  }
});

test("each is shown once, and no address that runs, hides a user or is too long", () => {
  const found = [
    { title: "a", url: "https://x.example" },
    { title: "again", url: "https://x.example/" },
    { title: "b", url: "javascript:alert(1)" },
    { title: "c", url: "https://user:pw@x.example/" },
    { title: "d", url: `https://x.example/${"l".repeat(300)}` },
    { title: "e", url: "https://x.example/a b" },
    { title: "f", url: 7 },
    { url: "https://y.example/path" },
    { title: " two\u202e\nlines ", url: "https://z.example/" },
    { title: "😀".repeat(60), url: "https://w.example/" },
  ];
  expect(citationsOf(found)).toEqual([
    { title: "a", url: "https://x.example" },
    { title: "y.example", url: "https://y.example/path" },
    { title: "two lines", url: "https://z.example/" },
    { title: "😀".repeat(40), url: "https://w.example/" },
  ]);
});

test("of twelve ten are shown (J7)", () => {
  const twelve = Array.from({ length: 12 }, (_, n) => ({ title: `t${n}`, url: `https://x.example/${n}` }));
  expect(citationsOf(twelve)).toEqual(twelve.slice(0, 10));
});
