/** `./xray notes push`, as a person types it, against a site: what it writes, what it says, and what it leaves alone. */
import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect } from "../../cli/mcp-client.mts";
import { doSteps, planPush } from "../../cli/notes-push/push.mts";
import { readNotesFolder } from "../../cli/notes-push/read-folder.mts";
import { type McpSite, startMcpSite } from "../support/mcp.mts";
import { START_MS } from "../support/site.mts";
import { xrayCommand } from "../support/xray-command.mts";

const SAMPLES = fileURLToPath(new URL("../../samples/notes", import.meta.url));
const PNG = Buffer.from("\x89PNG\r\n\x1a\nrest", "latin1");
const CHAPTER = "---\ntitle: One\npublished: 2026-11-01\n---\n![a flow](flow.png)\n";
const folder = mkdtempSync(join(tmpdir(), "xray notes "));
const notes = join(folder, "notes");
const command = xrayCommand(join(folder, "home"), folder);
let site: McpSite;

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(notes, path)), { recursive: true });
  writeFileSync(join(notes, path), content);
}
const push = (words: string[] = [], env: Record<string, string> = {}) =>
  command.run(["notes", "push", "notes", ...words], {
    env: { XRAY_MCP_URL: site.mcp.url(), XRAY_MCP_TOKEN: site.tokens.owner, ...env },
  });
/** Tools that wrote something, since the last time this was asked. */
let seen = 0;
async function written(): Promise<string[]> {
  const rows = (await site.audit()).slice(seen);
  seen += rows.length;
  return rows.map(({ tool, summary }) => `${tool} ${summary}`);
}

beforeAll(async () => {
  site = await startMcpSite({ provider: null });
  write("cat/category.json", '{ "name": "C", "dot": "#112233", "order": 1 }');
  write("cat/ser/series.json", '{ "name": "S" }');
  write("cat/ser/01-one.md", CHAPTER);
  write("cat/ser/flow.png", PNG);
}, START_MS);
afterAll(async () => {
  await site.stop();
  command.endAll();
  rmSync(folder, { recursive: true });
});

describe("a folder", () => {
  it("is only looked at by a dry run", async () => {
    expect(await push(["--dry-run"])).toEqual({
      code: 0,
      err: "",
      out:
        "  created  category cat\n  created  series ser\n  created  picture ser/flow.png\n  created  chapter ser/one\n" +
        "  4 created, 0 unchanged.\n  Nothing was sent: this was a dry run.\n",
    });
    expect(await written()).toEqual([]);
  });

  it("becomes the site's notes, and pushed again changes nothing", async () => {
    expect((await push()).out).toEndWith("  4 created, 0 unchanged.\n");
    expect(await written()).toEqual([
      "notes_category_upsert cat",
      "notes_series_upsert ser",
      "notes_asset_put flow.png in ser",
      "notes_chapter_upsert one in ser",
    ]);
    const chapter = await site.visitor().json("/notes/series/ser/chapters/one");
    expect(chapter.body.contentMd).toBe("![a flow](/notes/ser/flow.png)");
    const picture = await site.visitor().request("/assets/notes/ser/flow.png");
    expect([picture.headers.get("content-type"), Buffer.from(await picture.arrayBuffer())]).toEqual(["image/png", PNG]);
    expect(await push()).toEqual({ code: 0, err: "", out: "  4 unchanged.\n" });
    expect(await written()).toEqual([]);
  });

  it("that changed is written where it changed, and what only the site has is named and kept", async () => {
    await site.mcp.ok("notes_chapter_upsert", {
      seriesSlug: "ser",
      slug: "theirs",
      ordinal: 9,
      title: "T",
      contentMd: "x",
      publishedAt: "2026-11-01T00:00:00Z",
    });
    await site.mcp.ok("notes_category_upsert", { slug: "other", name: "O", dot: "#000000" });
    await site.mcp.ok("notes_series_upsert", { slug: "more", categorySlug: "other", name: "M" });
    await written();
    write("cat/ser/01-one.md", CHAPTER.replace("One", "Two"));
    write("cat/ser/flow.png", Buffer.concat([PNG, PNG]));
    expect(await push()).toEqual({
      code: 0,
      err: "",
      out:
        "  updated  picture ser/flow.png\n  updated  chapter ser/one\n  2 updated, 2 unchanged.\n" +
        "  Only on the site, and kept; --prune deletes what the folder does not have:\n" +
        "    chapter ser/theirs\n    series more\n    category other\n",
    });
    expect(await written()).toEqual(["notes_asset_put flow.png in ser", "notes_chapter_upsert one in ser"]);
  });

  it("is all there is after --prune", async () => {
    expect((await push(["--prune"])).out).toBe(
      "  deleted  chapter ser/theirs\n  deleted  series more\n  deleted  category other\n  3 deleted, 4 unchanged.\n",
    );
    expect((await push(["--prune"])).out).toBe("  4 unchanged.\n");
    expect(await written()).toEqual([
      "notes_chapter_delete theirs in ser",
      "notes_series_delete more with its chapters",
      "notes_category_delete other",
    ]);
  });
});

describe("nothing is sent", () => {
  it("from a folder with a fault anywhere; each is told with its file and line", async () => {
    write("cat/ser/02-bad.md", "---\ntitle: B\npublished: 2026-11-01\n---\n\n![x](gone.png)\n");
    write("zoo/category.json", "{}");
    write("cat/ser/01-one.md", CHAPTER.replace("One", "Three"));
    const { code, out, err } = await push();
    expect([code, out, err]).toEqual([
      1,
      "",
      'cat/ser/02-bad.md:6: There is no picture "gone.png" beside it.\n' +
        'zoo/category.json:1: "name" is missing.\nzoo/category.json:1: dot: It is a colour as #RRGGBB.\n' +
        `\n  3 faults in ${notes}; nothing was sent.\n\n`,
    ]);
    expect(await written()).toEqual([]);
    rmSync(join(notes, "cat/ser/02-bad.md"));
    rmSync(join(notes, "zoo"), { recursive: true });
  });

  it.each<[string, string[], Record<string, string>, number, string]>([
    ["without a site", [], { XRAY_MCP_URL: "", XRAY_MCP_TOKEN: "" }, 1, "No site runs here."],
    ["with a token that is none", [], { XRAY_MCP_TOKEN: "x" }, 1, "The site does not accept the token."],
    ["with a second folder", ["more"], {}, 2, '"more" is one word too many.'],
  ])("%s", async (_case, words, env, code, sentence) => {
    const ran = await push(words, env);
    expect([ran.code, ran.out]).toEqual([code, ""]);
    expect(ran.err.trim()).toStartWith(sentence);
  });
});

it("a token that may only read is refused at the first write, and told what stands", async () => {
  const { code, out, err } = await push([], { XRAY_MCP_TOKEN: site.tokens.reader });
  expect([code, out]).toEqual([1, ""]);
  expect(err.trim()).toStartWith("notes_chapter_upsert was refused: This token may only read.");
});

it("a row that changed after it was read is left as its other writer wrote it", async () => {
  const admin = connect(site.mcp.url(), site.tokens.owner);
  const steps = await planPush(admin, readNotesFolder(notes).notes, false);
  await site.mcp.ok("notes_chapter_upsert", { seriesSlug: "ser", slug: "one", title: "Faster" });
  const done: string[] = [];
  await expect(doSteps(admin, steps, ({ name }) => done.push(name))).rejects.toThrow("(expectedRevision)");
  expect(done).toEqual(["cat", "ser", "ser/flow.png"]);
  const { body } = await site.visitor().json("/notes/series/ser/chapters/one");
  expect(body.title).toBe("Faster");
});

it("the samples of this repository are a folder that can be pushed over what is seeded, without a change", async () => {
  const admin = connect(site.mcp.url(), site.tokens.owner);
  cpSync(SAMPLES, join(folder, "samples"), { recursive: true });
  const samples = readNotesFolder(join(folder, "samples")).notes;
  await doSteps(admin, await planPush(admin, samples, true), () => {});
  const again = await planPush(admin, samples, true);
  expect([...new Set(again.map(({ change }) => change))]).toEqual(["unchanged"]);
  expect(again.length).toBeGreaterThan(10);
});
