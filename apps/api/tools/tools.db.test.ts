import { beforeAll, describe, expect, it } from "bun:test";
import { databaseForFile, slowDatabase } from "../../../tests/support/database-for-file.mts";
import type { Database } from "../database/pool";
import { ToolFailure } from "../kernel/kernel-types";
import { upsertCategory, upsertSeries } from "../stores/notes-admin";
import { upsertChapter } from "../stores/notes-chapters-admin";
import { createSession } from "../stores/sessions";
import { createVisitor } from "../stores/visitors";
import { LIBRARY_FAILED } from "./pure/library-text";
import { NO_SUCH_CHAPTER } from "./pure/notes-get-chapter";
import { buildTools, TOOL_FACTORIES } from "./registry";
import { TITLE_NOT_STORED, TITLE_TAKEN, TITLE_UNREADABLE } from "./session/session-rename";

const opened = databaseForFile();
let visitorId: string;
const logged: { message: string; cause?: unknown }[] = [];

beforeAll(async () => {
  const { db } = opened;
  visitorId = await createVisitor(db, "a".repeat(64));
  await upsertCategory(db, { slug: "kernel", name: "Kernel", dot: "#112233", sortOrder: 1 });
  for (const [slug, order] of [
    ["events", 1],
    ["other", 2],
  ] as const) {
    await upsertSeries(db, {
      slug,
      categorySlug: "kernel",
      name: `Series ${slug}`,
      description: `About ${slug}.`,
      sortOrder: order,
    });
  }
  for (let n = 1; n <= 3; n++) {
    await upsertChapter(db, {
      seriesSlug: "events",
      slug: `chapter-${n}`,
      ordinal: n,
      label: String(n),
      pinned: false,
      title: `Title ${n}`,
      summary: `Summary ${n}.`,
      contentMd: `The ${"gate ".repeat(n)}says 100% no.`,
      sourceUrl: null,
      publishedAt: "2026-11-01T00:00:00.000Z",
    });
  }
});

async function newSession(): Promise<string> {
  const id = crypto.randomUUID();
  await createSession(opened.db, visitorId, { id });
  return id;
}
const titleOf = async (id: string) =>
  (await opened.admin.query("SELECT title, title_source FROM sessions WHERE id = $1", [id])).rows[0];

async function call(
  name: string,
  params: Record<string, unknown>,
  options: { on?: Database; sessionId?: string } = {},
) {
  const tools = buildTools({
    db: options.on ?? opened.db,
    sessionId: options.sessionId ?? crypto.randomUUID(),
    titleSource: "derived",
    enabled: new Map(Object.keys(TOOL_FACTORIES).map((each) => [each, { dangerous: false }])),
    unlockDangerous: false,
    log: { info: () => {}, error: (message, cause) => logged.push({ message, cause }) },
  });
  const tool = tools.find((each) => each.name === name)!;
  return tool.execute(params, { toolCallId: "t1", signal: new AbortController().signal, onPhase: () => {} });
}
/** The words of the failure that a call must end in. */
async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ToolFailure)) throw new Error(`expected a ToolFailure, got ${error}`);
  return error.message;
}

describe("reading the library", () => {
  it("lists series, and the chapters of one series when it is named", async () => {
    const events = "[events] Series events — 3 chapters, category kernel\nAbout events.";
    const other = "[other] Series other — 0 chapters, category kernel\nAbout other.";
    expect(await call("notes_list_series", {})).toEqual({ text: `${events}\n\n${other}` });
    expect(await call("notes_list_series", { category: "Kernel", series: "events" })).toEqual({
      text: `${events}\n\n[events/chapter-1] Title 1\nSummary 1.\n\n[events/chapter-2] Title 2\nSummary 2.\n\n[events/chapter-3] Title 3\nSummary 3.`,
    });
    expect(await call("notes_list_series", { series: "none" })).toEqual({ text: "No series fits." });
  });

  it("says that there are more than 50 series", async () => {
    await opened.admin.query(
      "INSERT INTO notes_series (slug, category_slug, name, sort_order) SELECT 'x' || n, 'kernel', 'X', 9 FROM generate_series(1, 49) n",
    );
    const { text } = await call("notes_list_series", {});
    await opened.admin.query("DELETE FROM notes_series WHERE slug ~ '^x'");
    expect(text.match(/^\[/gm)?.length).toBe(50);
    expect(text).toEndWith("\n\nThere are more series; narrow the list by category.");
  });

  it("returns a chapter by slugs or by names, and fails for one that is not there", async () => {
    const text = "[events/chapter-2] Title 2\n/notes/events/chapter-2\n\nThe gate gate says 100% no.";
    expect(await call("notes_get_chapter", { series: "events", chapter: "chapter-2" })).toEqual({ text });
    expect(await call("notes_get_chapter", { series: "Series events", chapter: "Title 2" })).toEqual({ text });
    expect(await failureOf(call("notes_get_chapter", { series: "events", chapter: "' OR 1=1 --" }))).toBe(
      NO_SUCH_CHAPTER,
    );
  });

  it("finds a text as it stands, marks that there is more, and takes % literally", async () => {
    const hit = (n: number) => `[events/chapter-${n}] Title ${n}\nThe ${"gate ".repeat(n)}says 100% no.`;
    expect(await call("notes_search", { query: "GATE gate" })).toEqual({ text: `${hit(2)}\n\n${hit(3)}` });
    expect(await call("notes_search", { query: "100%", limit: 1 })).toEqual({
      text: `${hit(1)}\n\nThere are more hits; ask for a higher limit or a longer query.`,
    });
    expect(await call("notes_search", { query: "%gate%" })).toEqual({ text: "No chapter contains that." });
  });
});

describe("naming a session", () => {
  it("stores a dirty title clean, and touches no other session (G1)", async () => {
    const [mine, other] = [await newSession(), await newSession()];
    const title = `"\u202E说不\u0007：${"ab ".repeat(12)}"\nsecond line`;
    expect(await call("session_rename", { title }, { sessionId: mine })).toEqual({
      text: `The session is now called: 说不：${"ab ".repeat(12).trim()}`,
    });
    expect(await titleOf(mine)).toEqual({ title: `说不：${"ab ".repeat(12).trim()}`, title_source: "agent" });
    expect(await titleOf(other)).toEqual({ title: "", title_source: "derived" });
  });

  it("happens once: a second call fails and changes nothing (G2)", async () => {
    const sessionId = await newSession();
    await call("session_rename", { title: "First" }, { sessionId });
    expect(await failureOf(call("session_rename", { title: "Second" }, { sessionId }))).toBe(TITLE_TAKEN);
    expect(await titleOf(sessionId)).toEqual({ title: "First", title_source: "agent" });
  });

  it("refuses a title without a letter or digit and leaves the session unnamed", async () => {
    const sessionId = await newSession();
    expect(await failureOf(call("session_rename", { title: "\u202E…!" }, { sessionId }))).toBe(TITLE_UNREADABLE);
    expect(await titleOf(sessionId)).toEqual({ title: "", title_source: "derived" });
  });
});

describe("a database that does not answer", () => {
  const table: [string, Record<string, unknown>, string][] = [
    ["notes_list_series", {}, LIBRARY_FAILED],
    ["notes_get_chapter", { series: "events", chapter: "chapter-1" }, LIBRARY_FAILED],
    ["notes_search", { query: "gate" }, LIBRARY_FAILED],
    ["session_rename", { title: "A name" }, TITLE_NOT_STORED],
  ];
  for (const [name, params, sentence] of table) {
    it(`makes ${name} fail with a fixed sentence, the cause in the log only (A6)`, async () => {
      logged.length = 0;
      expect(await failureOf(call(name, params, { on: slowDatabase(opened.db) }))).toBe(sentence);
      expect(logged.map(({ message, cause }) => [message, (cause as { code?: string }).code])).toEqual([
        ["a tool could not use the database", "timeout"],
      ]);
    });
  }
});
