/**
 * The API as the reading pages see it, with a library that is as odd as an owner's may be: two languages, addresses that
 * would run, markup, a card that is none, names that need encoding. Every answer is checked by its contract, so that it
 * can never show the pages what the real API would not say.
 */
import type { z } from "zod";
import { type AboutView, aboutView } from "../../shared/contracts/about.ts";
import { type ChapterView, chapterView, notesIndex, seriesView } from "../../shared/contracts/notes.ts";
import { siteTabs, TAB_KEYS, type TabKey } from "../../shared/contracts/site.ts";
import { skillsIndex, skillView } from "../../shared/contracts/skills.ts";
import { sourceFile, sourceHits, sourceIndex } from "../../shared/contracts/source.ts";
import { rudeServer } from "./rude-server.mts";

export interface LibraryApi {
  origin: string;
  /** Pages that the navigation does not show; may be changed while it runs. */
  hidden: Set<TabKey>;
  /** Nobody answers any more, as long as it is true. */
  down: boolean;
  about: AboutView;
  close(): Promise<void>;
}

/** One grey dot. */
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==",
  "base64",
);
const DAY = "2026-11-19T09:00:00.000Z";
const HOSTILE = `
## 一次拒绝由什么组成

<script>document.title = "owned"</script> <img src="https://third.example/a.png" onerror="document.title='owned'">

[runs](javascript:document.title='owned') [there](https://third.example/x) [its neighbour](02-plain.md#second)

![a map](map.png) ![elsewhere](https://third.example/b.png)

\`\`\`xray-html
<b>never drawn</b>
\`\`\`

\`\`\`xray-card
{"type":"choice","title":"never asked","options":["a","b"]}
\`\`\`

\`\`\`ts
const why = "a string"; // a comment
\`\`\`

${"处理器按登记的先后被问到，第一个说不的就结束这次询问。\n\n".repeat(40)}

### 询问的顺序

${"没有结果可言。\n\n".repeat(20)}`;

const PLAIN = `## First\n\n${"A plain sentence of a plain chapter.\n\n".repeat(60)}\n## Second\n\nThe end.\n`;

const chapters = [
  chapter("saying-no", "1", "说不", HOSTILE, "javascript:document.title='owned'"),
  chapter("plain", "2", "Plain words", PLAIN, "https://origin.example/plain"),
];

function chapter(slug: string, label: string, title: string, contentMd: string, sourceUrl: string) {
  const wordCount = contentMd.length;
  return { slug, label, title, summary: `${title}.`, pinned: false, wordCount, publishedAt: DAY, contentMd, sourceUrl };
}

const card = ({ contentMd: _, sourceUrl: __, ...rest }: (typeof chapters)[number]) => rest;
const CATEGORY = { slug: "kernel", name: "内核", dot: "#2f6f9f" };
const SERIES = { slug: "events", name: "The kernel, event by event", description: "One event at a time." };

const skillFiles = [
  file(
    "SKILL.md",
    "markdown",
    "---\nname: text-tools\n---\n# Text tools\n\nSee [the script](scripts/count.py) and [rules](javascript:1).\n",
  ),
  file("scripts/count.py", "python", '"""Counts."""\nimport json\n\n\ndef count(text):\n    return len(text)  # all\n'),
  file("xray.json", "json", '{ "scripts": [] }\n'),
];
const skills = [
  skill("text-tools", true, "https://code.example/skills"),
  skill("style-notes", false, "javascript:alert(1)"),
];

function skill(name: string, agentEnabled: boolean, repoUrl: string) {
  return {
    ...{
      name,
      summary: "统计词频，整理 JSON",
      sourceType: "own" as const,
      repo: "example/skills",
      repoUrl,
      version: "1.0.0",
    },
    ...{ fileCount: skillFiles.length, zipBytes: 6_400, agentEnabled, updatedAt: DAY },
  };
}

function file<Kind extends string>(path: string, kind: Kind, content: string) {
  return {
    path,
    kind,
    content,
    bytes: Buffer.byteLength(content),
    lines: content.replace(/\n$/, "").split("\n").length,
  };
}

const sourceFiles = [
  file(
    "README.md",
    "markdown",
    "# The site\n\n[deploy](docs/deploy/README.md#smoke), [code](<app/[odd] (1)/a b.ts>)\n",
  ),
  file("app/[odd] (1)/a b.ts", "typescript", `// odd\n${"export const line = 1;\n".repeat(200)}`),
  file(
    "docs/deploy/README.md",
    "markdown",
    "# Deploy\n\n[up](../../README.md) [out](../../../etc/passwd)\n\n## Smoke\n\nText.\n",
  ),
  file("docs/http-api.md", "markdown", "# HTTP\n\nThe needle is here.\n"),
  file(
    "huge.ts",
    "typescript",
    "export function step(at: number): string { return String(at); } // one of many lines\n".repeat(3_200),
  ),
];
const snapshot = {
  ...{ sha: "4f2c91e0b7a64d0b8f5b4d7c9e1a2b3c4d5e6f70", shortSha: "4f2c91e", publishedAt: DAY },
  ...{ fileCount: sourceFiles.length, totalBytes: 271_000, repo: null, repoUrl: "javascript:alert(1)" },
};

export const FULL_ABOUT: AboutView = {
  githubUser: "example",
  originUrl: "javascript:document.title='owned'",
  intro: "One person, one server.",
  buildPoints: ["Cleaned before it is stored."],
  repos: [
    { name: "agent-x-ray", lang: "TypeScript", dot: "#3178c6", stars: 12, desc: "this site", pushed: "2026-11-28" },
  ],
  langBar: [
    { name: "TypeScript", pct: 80, color: "#3178c6" },
    { name: "Python", pct: 20, color: "#3572a5" },
  ],
};
export const EMPTY_ABOUT: AboutView = {
  githubUser: "",
  originUrl: "",
  intro: "",
  buildPoints: [],
  repos: [],
  langBar: [],
};

/** The largest file that a snapshot may hold is among its files: `huge.ts`. */
export async function startLibraryApi(): Promise<LibraryApi> {
  const server = await rudeServer((response, { url }) => {
    if (api.down) {
      response.destroy();
      return;
    }
    const { pathname, searchParams } = new URL(url, "http://api");
    if (pathname === "/assets/notes/events/map.png") {
      response.writeHead(200, { "content-type": "image/png" }).end(PICTURE);
      return;
    }
    if (pathname === "/t") {
      response.writeHead(204).end();
      return;
    }
    // A page that was opened is counted.
    if (pathname === "/t") {
      response.writeHead(204).end();
      return;
    }
    const found = answer(pathname, searchParams);
    response.writeHead(found === null ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(found ?? { error: "There is no such thing.", code: "not_found" }));
  });
  const api: LibraryApi = {
    origin: server.origin,
    hidden: new Set(),
    down: false,
    about: FULL_ABOUT,
    close: () => server.close(),
  };

  function answer(path: string, query: URLSearchParams): unknown {
    const parts = path.split("/").slice(1).map(decodeURIComponent);
    if (path === "/site/tabs") {
      return checked(siteTabs, { tabs: TAB_KEYS.map((key) => ({ key, visible: !api.hidden.has(key) })) });
    }
    if (path === "/about") return checked(aboutView, api.about);
    if (path === "/notes/series") {
      const series = [{ ...SERIES, chapterCount: chapters.length, latest: chapters.map(card).reverse() }];
      return checked(notesIndex, { categories: [{ ...CATEGORY, series }] });
    }
    if (path === "/notes/series/events") {
      return checked(seriesView, { ...SERIES, category: CATEGORY, chapters: chapters.map(card) });
    }
    if (path.startsWith("/notes/series/events/chapters/")) return chapterAnswer(parts.at(-1)!);
    if (path === "/skills") {
      return checked(skillsIndex, { categories: [{ ...CATEGORY, skills }], total: skills.length, latest: DAY });
    }
    if (parts[0] === "skills") {
      const found = skills.find(({ name }) => name === parts[1]);
      const rest = { category: CATEGORY, contentHash: "00", createdAt: DAY, files: skillFiles };
      return found === undefined ? null : checked(skillView, { ...found, ...rest });
    }
    if (path === "/source") {
      return checked(sourceIndex, { snapshot, files: sourceFiles.map(({ content: _, ...entry }) => entry) });
    }
    if (path === "/source/file") {
      const found = sourceFiles.find((one) => one.path === query.get("path"));
      return found === undefined ? null : checked(sourceFile, { ...found, sha: snapshot.sha });
    }
    if (path === "/source/search") return checked(sourceHits, { hits: hitsOf(query.get("query") ?? ""), more: false });
    return null;
  }
  return api;
}

function chapterAnswer(slug: string): ChapterView | null {
  const at = chapters.findIndex((one) => one.slug === slug);
  if (at < 0) return null;
  const neighbour = (one: (typeof chapters)[number] | undefined) => one && { slug: one.slug, title: one.title };
  return checked(chapterView, {
    ...chapters[at]!,
    updatedAt: DAY,
    series: { slug: SERIES.slug, name: SERIES.name },
    previous: neighbour(chapters[at - 1]) ?? null,
    next: neighbour(chapters[at + 1]) ?? null,
  });
}

function hitsOf(query: string) {
  return sourceFiles
    .filter(({ path }) => path !== "huge.ts")
    .flatMap(({ path, content }) =>
      content.split("\n").flatMap((text, index) => (text.includes(query) ? [{ path, line: index + 1, text }] : [])),
    )
    .slice(0, 40);
}

function checked<Schema extends z.ZodType>(schema: Schema, value: z.input<Schema>): z.output<Schema> {
  return schema.parse(value);
}
