import { describe, expect, it } from "bun:test";
import { fileHref, linkFrom, pathOf } from "./file-address";

describe("the address of a file", () => {
  it("leads back to its path, whatever characters are in it", () => {
    for (const path of ["README.md", "apps/web/app/(content)/notes/[series]/page.tsx", "a b/100%/#?/中文.md"]) {
      const href = fileHref("/source", path);
      expect(href).toMatch(/^\/source\/[\w/.()%~!*'-]+$/);
      expect(pathOf(href.split("/").slice(2))).toBe(path);
    }
    expect(pathOf(["%E0%A4%A"])).toBeNull();
  });

  it("is found for relative links of a Markdown file, with their fragment", () => {
    const from = (href: string) => linkFrom("/source", "docs/deploy/README.md", href);
    expect(
      ["smoke.md", "./a b.md#x", "../http-api.md?plain=1#L3", "../../cli/up.mts", "..", "a%20b.md"].map(from),
    ).toEqual([
      "/source/docs/deploy/smoke.md",
      "/source/docs/deploy/a%20b.md#x",
      "/source/docs/http-api.md?plain=1#L3",
      "/source/cli/up.mts",
      "/source/docs",
      "/source/docs/deploy/a%20b.md",
    ]);
  });

  it("leaves alone what leads elsewhere, and never leaves the root", () => {
    for (const href of [
      "https://a.example/b.md",
      "//a.example",
      "/notes",
      "#here",
      "?q",
      "",
      "javascript:a/b.md",
      "JavaScript:x",
      "mailto:a@b",
      "../../../etc",
    ]) {
      expect(linkFrom("/source", "docs/deploy/README.md", href)).toBe(href);
    }
  });
});
