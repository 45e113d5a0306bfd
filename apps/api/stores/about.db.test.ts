/** The owner's card (§17): empty until something is said, changed field by field, no address that could run. */
import { expect, test } from "bun:test";
import { type AboutView, aboutView } from "../../../shared/contracts/about";
import { databaseForFile } from "../../../tests/support/database-for-file.mts";
import { getAbout, readAbout, setAbout } from "./about";

const opened = databaseForFile();
const EMPTY: AboutView = { githubUser: "", originUrl: "", intro: "", buildPoints: [], repos: [], langBar: [] };
const REPO = { name: "agent", lang: "TypeScript", dot: "#3178c6", stars: 12, desc: "An agent.", pushed: "2026-11-30" };
const FULL: AboutView = {
  githubUser: "octo-cat",
  originUrl: "https://example.com/",
  intro: "第一行\n\tsecond",
  buildPoints: ["One point", "两点"],
  repos: [REPO, { ...REPO, name: "other", dot: "", lang: "", desc: "", pushed: "" }],
  langBar: [{ name: "TypeScript", pct: 87.5, color: "#3178c6" }],
};

test("nothing said is an empty card, and saying nothing changes nothing", async () => {
  expect(await readAbout(opened.db)).toEqual(EMPTY);
  const before = await getAbout(opened.db);
  expect(await setAbout(opened.db, {})).toEqual({ row: before, changed: false });
  expect(before).toEqual({ ...EMPTY, revision: before.revision });
});

test("what is said is shown, what is not named stays, what is empty clears", async () => {
  const { row } = await setAbout(opened.db, FULL);
  expect(await readAbout(opened.db)).toEqual(aboutView.parse(FULL));
  expect(await setAbout(opened.db, FULL)).toEqual({ row, changed: false });
  await setAbout(opened.db, { intro: "New\u200b" });
  expect(await readAbout(opened.db)).toEqual({ ...FULL, intro: "New" });
  await setAbout(opened.db, { originUrl: "", repos: [] });
  expect(await readAbout(opened.db)).toEqual({ ...FULL, intro: "New", originUrl: "", repos: [] });
});

test.each<[string, Partial<AboutView>]>([
  ["originUrl", { originUrl: "javascript:alert(1)" }],
  ["originUrl", { originUrl: `https://example.com/${"x".repeat(500)}` }],
  ["githubUser", { githubUser: "../x" }],
  ["intro", { intro: "x".repeat(1_025) }],
  ["buildPoints", { buildPoints: Array(33).fill("x") }],
  ["buildPoints[1]", { buildPoints: ["x", "y".repeat(257)] }],
  ["buildPoints[0]", { buildPoints: ["\u200b"] }],
  ["repos", { repos: Array(25).fill(REPO) }],
  ["repos[0].name", { repos: [{ ...REPO, name: "" }] }],
  ["repos[0].dot", { repos: [{ ...REPO, dot: "red;background:url(x)" }] }],
  ["repos[0].stars", { repos: [{ ...REPO, stars: -1 }] }],
  ["langBar", { langBar: Array(13).fill(FULL.langBar[0]) }],
  ["langBar[0].pct", { langBar: [{ name: "x", pct: 100.1, color: "#000000" }] }],
  ["langBar[0].pct", { langBar: [{ name: "x", pct: Number.NaN, color: "#000000" }] }],
  ["langBar[0].color", { langBar: [{ name: "x", pct: 1, color: "blue" }] }],
])("%s out of its bounds is refused by name, and nothing is written", async (field, patch) => {
  const before = await getAbout(opened.db);
  const write = setAbout(opened.db, { ...patch, githubUser: patch.githubUser ?? "half" });
  await expect(write).rejects.toMatchObject({ code: "invalid", facts: { field } });
  expect(await getAbout(opened.db)).toEqual(before);
});

test("the longest values fit", async () => {
  const most: AboutView = {
    ...FULL,
    intro: "x".repeat(1_024),
    buildPoints: Array(32).fill("x".repeat(256)),
    repos: Array(24).fill(REPO),
    langBar: Array(12).fill(FULL.langBar[0]),
  };
  await setAbout(opened.db, most);
  expect(await readAbout(opened.db)).toEqual(most);
});

test("a card whose values fit one by one and not together is refused, and the one before stays", async () => {
  const before = await getAbout(opened.db);
  const long = "字".repeat(256);
  const repos = Array(24).fill({ ...REPO, name: long, lang: long, desc: long });
  await expect(setAbout(opened.db, { repos })).rejects.toThrow("The whole card is at most 49152 bytes.");
  expect(await getAbout(opened.db)).toEqual(before);
});

test("an address that came into the row in another way is not shown", async () => {
  await opened.admin.query("UPDATE about_content SET origin_url = 'javascript:alert(1)'");
  expect((await getAbout(opened.db)).originUrl).toBe("javascript:alert(1)");
  expect((await readAbout(opened.db)).originUrl).toBe("");
  await setAbout(opened.db, { originUrl: "" });
});

test("two who read the same card: the second is told what it is now", async () => {
  const { revision } = await getAbout(opened.db);
  const ends = await Promise.allSettled(
    ["A", "B"].map((intro) => setAbout(opened.db, { intro }, { expectedRevision: revision })),
  );
  expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const now = await getAbout(opened.db);
  const refused = ends.find(({ status }) => status === "rejected") as PromiseRejectedResult;
  expect(refused.reason).toMatchObject({ code: "stale_revision", current: now.revision });
});
