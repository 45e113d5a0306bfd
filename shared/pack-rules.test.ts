/** What a pack may hold, at each bound and one past it. The lists of paths of `tests/cases` are judged in `cli/cases`. */
import { describe, expect, it } from "bun:test";
import { LIMITS } from "./limits";
import {
  frontMatterName,
  kindOf,
  packRefusal,
  pathRefusal,
  pathsRefusal,
  shownPath,
  skillRefusal,
  textRefusal,
  utf8Bytes,
} from "./pack-rules";

const SKILL_MD = { path: "SKILL.md", content: "---\nname: demo\n---\n# Demo\n" };
const times = (n: number, file: (index: number) => { path: string; content: string }) =>
  Array.from({ length: n }, (_, i) => file(i));

describe("a skill", () => {
  it("of a SKILL.md alone is one", () => expect(skillRefusal("demo", [SKILL_MD])).toBeNull());

  const refusals: [string, { path: string; content: string }[], string][] = [
    [
      "../x",
      [SKILL_MD, { path: "../x", content: "" }],
      '"../x" has a segment of dots alone, which names another folder.',
    ],
    ["/x", [SKILL_MD, { path: "/x", content: "" }], '"/x" begins with a slash; paths are relative to the pack.'],
    ["five segments", [SKILL_MD, { path: "a/b/c/d/e.md", content: "" }], '"a/b/c/d/e.md" has more than 4 segments.'],
    [
      "A.md and a.md",
      [SKILL_MD, { path: "A.md", content: "" }, { path: "a.md", content: "" }],
      '"a.md" and "A.md" are one file on many disks.',
    ],
    ["a file twice", [SKILL_MD, SKILL_MD], '"SKILL.md" is there twice.'],
    [
      "svg",
      [SKILL_MD, { path: "a.svg", content: "<svg/>" }],
      '"a.svg" is of no kind that may be kept: markdown, python, shell, typescript, javascript, json, yaml, toml, text.',
    ],
    ["NUL", [SKILL_MD, { path: "a.md", content: "a\0b" }], '"a.md" holds a NUL, so it is no text.'],
    [
      "a lone surrogate",
      [SKILL_MD, { path: "a.md", content: "a\ud800b" }],
      '"a.md" holds half of a surrogate pair, so it is no UTF-8.',
    ],
    ["nothing", [], "The pack is empty."],
    ["no SKILL.md", [{ path: "docs/SKILL.md", content: SKILL_MD.content }], "The pack has no SKILL.md at its root."],
    [
      "another name",
      [{ ...SKILL_MD, content: "---\nname: other\n---\n" }],
      "SKILL.md gives another name in its front matter than the skill's own.",
    ],
    ["no name", [{ ...SKILL_MD, content: "# Demo" }], "SKILL.md has no name in its front matter."],
  ];
  it.each(refusals)("with %s is refused in one sentence", (_what, files, reason) => {
    expect(skillRefusal("demo", files)?.reason).toBe(reason);
  });

  it("has at most 64 files", () => {
    const more = (n: number) => [SKILL_MD, ...times(n, (i) => ({ path: `f${i}.md`, content: "" }))];
    expect(skillRefusal("demo", more(LIMITS.skillFiles - 1))).toBeNull();
    expect(skillRefusal("demo", more(LIMITS.skillFiles))?.reason).toBe("The pack has more than 64 files.");
  });

  it("has files of at most 256 KiB, counted in UTF-8", () => {
    const file = (content: string) => [SKILL_MD, { path: "a.md", content }];
    expect(skillRefusal("demo", file("x".repeat(LIMITS.skillFileBytes)))).toBeNull();
    expect(skillRefusal("demo", file("x".repeat(LIMITS.skillFileBytes + 1)))?.path).toBe("a.md");
    expect(skillRefusal("demo", file("内".repeat(Math.floor(LIMITS.skillFileBytes / 3))))).toBeNull();
    expect(skillRefusal("demo", file("内".repeat(Math.ceil(LIMITS.skillFileBytes / 3))))?.path).toBe("a.md");
  });

  it("has at most 512 KiB in all", () => {
    const rest = LIMITS.skillPackBytes - LIMITS.skillFileBytes - utf8Bytes(SKILL_MD.content);
    const files = (last: number) => [
      SKILL_MD,
      { path: "a.md", content: "x".repeat(LIMITS.skillFileBytes) },
      { path: "b.md", content: "x".repeat(last) },
    ];
    expect(skillRefusal("demo", files(rest))).toBeNull();
    expect(skillRefusal("demo", files(rest + 1))?.reason).toBe("The pack is larger than 524288 bytes.");
  });
});

describe("a path", () => {
  it("of a skill has plain segments, of the source those of route folders too", () => {
    expect(pathRefusal("app/(content)/[slug]/page.tsx", "source")).toBeNull();
    expect(pathRefusal("app/(content)/[slug]/page.tsx", "skill")?.path).toBe("app/(content)/[slug]/page.tsx");
  });

  it("has at most 4 segments in a skill and 12 in the source", () => {
    const deep = (n: number) => Array.from({ length: n }, () => "a").join("/");
    expect([pathRefusal(deep(4), "skill"), pathRefusal(deep(12), "source")]).toEqual([null, null]);
    expect(pathRefusal(deep(5), "skill")?.reason).toBe('"a/a/a/a/a" has more than 4 segments.');
    expect(pathRefusal(deep(13), "source")?.reason).toEndWith("has more than 12 segments.");
  });

  it("has at most 300 characters", () => {
    for (const pack of ["skill", "source"] as const) {
      expect(pathRefusal("a".repeat(300), pack)).toBeNull();
      expect(pathRefusal("a".repeat(301), pack)?.reason).toEndWith("is longer than 300 characters.");
    }
  });

  it("is quoted in a sentence with what is not plain escaped, and cut", () => {
    expect(shownPath('a"\n\u202e内')).toBe('"a\\"\\n\\u202e\\u5185"');
    expect(shownPath("x".repeat(121))).toBe(`"${"x".repeat(120)}…"`);
  });
});

describe("the source", () => {
  it("has at most 2,000 files, and tells two spellings apart", () => {
    const paths = (n: number) => Array.from({ length: n }, (_, i) => `f${i}.ts`);
    expect(pathsRefusal(paths(2_000), "source")).toBeNull();
    expect(pathsRefusal(paths(2_001), "source")?.reason).toBe("The pack has more than 2000 files.");
    expect(pathsRefusal(["A.ts", "a.ts"], "source")).toBeNull();
    expect(pathsRefusal(["a.ts", "a.ts"], "source")?.path).toBe("a.ts");
  });

  it("has files of at most 256 KiB and no sum of its own", () => {
    const files = Array.from({ length: 3 }, (_, i) => ({ path: `f${i}.ts`, bytes: LIMITS.sourceFileBytes }));
    expect(packRefusal(files, "source")).toBeNull();
    expect(packRefusal([{ path: "a.ts", bytes: LIMITS.sourceFileBytes + 1 }], "source")?.path).toBe("a.ts");
    expect(textRefusal("a.ts", "x".repeat(LIMITS.sourceFileBytes))).toBeNull();
    expect(textRefusal("a.ts", "x".repeat(LIMITS.sourceFileBytes + 1))?.path).toBe("a.ts");
  });
});

describe("a kind", () => {
  it.each([
    ["SKILL.md", "markdown", "markdown"],
    ["a/b.PY", "python", "python"],
    ["LICENSE", "text", "text"],
    ["notes.txt", "text", "text"],
    ["x.tsx", "typescript", "typescript"],
    ["a.mjs", "javascript", "javascript"],
    ["Dockerfile", null, "dockerfile"],
    ["deploy/web.Dockerfile", null, "dockerfile"],
    ["deploy/publish-source", null, "shell"],
    ["deploy/deeper/publish-source", null, null],
    ["other/publish-source", null, null],
    ["001_a.up.sql", null, "sql"],
    ["a.css", null, "css"],
    ["run.ps1", null, "powershell"],
    [".gitignore", "text", "text"],
    [".md", null, null],
    ["logo.svg", null, null],
    ["page.html", null, null],
    ["page.htm", null, null],
    ["a.xhtml", null, null],
    ["a.xml", null, null],
    ["a.md.svg", null, null],
    ["program", null, null],
    ["constructor", null, null],
    ["a.constructor", null, null],
    ["md", null, null],
  ])("of %s is %p in a skill and %p in the source", (path, inSkill, inSource) => {
    expect([kindOf(path, "skill"), kindOf(path, "source")]).toEqual([inSkill, inSource] as never);
  });
});

describe("front matter", () => {
  it.each([
    ["---\nname: demo\n---\n", "demo"],
    ["---\ntitle: x\nname: 'demo' # why\n---", "demo"],
    ['---\r\nname: "demo"\r\n---\r\ntext', "demo"],
    ["\ufeff---\nname: demo\n---\n", "demo"],
    ["---\n  name: demo\n---\n", null],
    ["---\nname:\n---\n", null],
    ["text\n---\nname: demo\n---\n", null],
    ["---\nname: demo\n", null],
    ["---\ntitle: x\n---\nname: demo\n", null],
  ])("%j names %p", (text, name) => expect(frontMatterName(text)).toBe(name));
});
