/** The owner's card over the wire (§17, §21.3, 14–15), and what a client may send that is shaped another way than asked. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "bun:test";
import { type McpSite, startMcpSite } from "../support/mcp.mts";
import { START_MS } from "../support/site.mts";

let site: McpSite;
beforeAll(async () => {
  site = await startMcpSite({ provider: null });
}, START_MS);
afterAll(() => site.stop());
beforeEach(() => site.sql("TRUNCATE about_content"));

const EMPTY = { githubUser: "", originUrl: "", intro: "", buildPoints: [], repos: [], langBar: [] };
const REPO = { name: "agent", lang: "TypeScript", dot: "#3178c6", stars: 12, desc: "An agent.", pushed: "2026-11-30" };
const CARD = {
  githubUser: "octo-cat",
  originUrl: "https://example.com/",
  intro: "第一行\nsecond",
  buildPoints: ["One point", "两点"],
  repos: [REPO],
  langBar: [{ name: "TypeScript", pct: 87.5, color: "#3178c6" }],
};
const card = async () => {
  const { about } = await site.mcp.ok("about_get");
  const { revision: _, ...fields } = about;
  return fields;
};
const shown = async () => (await fetch(`${site.app.url}/about`)).json();

describe("the card", () => {
  it("is empty at first, then as it was written, on the page too", async () => {
    expect(await card()).toEqual(EMPTY);
    const { about, changed } = await site.mcp.ok("about_set", CARD);
    expect([about, changed]).toEqual([{ ...CARD, revision: about.revision }, true]);
    expect(await card()).toEqual(CARD);
    expect(await shown()).toEqual(CARD);
    expect(await site.mcp.ok("about_set", CARD)).toEqual({ about, changed: false });
  });

  it("keeps what a write leaves out and clears what it sets to nothing", async () => {
    await site.mcp.ok("about_set", CARD);
    await site.mcp.ok("about_set", { intro: "New" });
    expect(await card()).toEqual({ ...CARD, intro: "New" });
    await site.mcp.ok("about_set", {
      githubUser: null,
      originUrl: "",
      intro: null,
      buildPoints: [],
      repos: [],
      langBar: [],
    });
    expect(await card()).toEqual(EMPTY);
  });

  it.each<[string, Record<string, unknown>, string | undefined]>([
    ["no field", {}, undefined],
    ["an address that runs", { originUrl: "javascript:alert(1)" }, "originUrl"],
    ["a name that is a path", { githubUser: "../x" }, "githubUser"],
    ["too long an introduction", { intro: "x".repeat(1_025) }, "intro"],
    ["a colour that is a style", { repos: [{ ...REPO, dot: "red;background:url(x)" }] }, "repos.0.dot"],
    ["a repository with another field", { repos: [{ ...REPO, html: "<b>" }] }, "repos.0.html"],
    ["a repository without a field", { repos: [{ name: "agent" }] }, "repos.0.lang"],
    ["more than the whole", { langBar: [{ name: "x", pct: 101, color: "#000000" }] }, "langBar.0.pct"],
    ["a list of the wrong things", { buildPoints: [1] }, "buildPoints.0"],
    ["an empty point", { buildPoints: [""] }, "buildPoints.0"],
    ["a point of which nothing is seen", { buildPoints: ["\u200b"] }, "buildPoints[0]"],
    ["no list", { buildPoints: null }, "buildPoints"],
    ["a field of the table", { id: true }, "id"],
    ["another's revision", { intro: "x", expectedRevision: "0".repeat(16) }, "expectedRevision"],
  ])("refuses, and stays as it is: %s", async (_case, args, field) => {
    await site.mcp.ok("about_set", CARD);
    const refusal = await site.mcp.refused("about_set", { ...args });
    expect([refusal.field, refusal.error.endsWith("."), typeof refusal.retry]).toEqual([field, true, "string"]);
    expect(await card()).toEqual(CARD);
  });

  it("has two writers of which the slower is told", async () => {
    const { about } = await site.mcp.ok("about_get");
    const write = (intro: string) => site.mcp.call("about_set", { intro, expectedRevision: about.revision });
    const both = await Promise.all([write("one"), write("other")]);
    const won = both.find(({ isError }) => !isError)!;
    const lost = both.find(({ isError }) => isError)!;
    expect(lost.result).toMatchObject({ field: "expectedRevision", revision: won.result.about.revision });
    expect((await site.mcp.ok("about_get")).about).toEqual(won.result.about);
  });
});

describe("arguments", () => {
  it("that are lists may come as their JSON text; texts that look like JSON stay texts", async () => {
    await site.mcp.ok("about_set", {
      intro: '["not a list"]',
      buildPoints: JSON.stringify(CARD.buildPoints),
      repos: JSON.stringify(CARD.repos),
    });
    expect(await card()).toEqual({ ...EMPTY, intro: '["not a list"]', buildPoints: CARD.buildPoints, repos: [REPO] });
    for (const text of ["not JSON", '"a"', "{}", '[{"name":"x"}]', "null"]) {
      const refusal = await site.mcp.refused("about_set", { repos: text });
      expect([text, refusal.field.split(".")[0]]).toEqual([text, "repos"]);
    }
    expect((await card()).repos).toEqual([REPO]);
  });

  /** The bytes of a call as they stand. */
  const send = async (args: string) => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"about_set","arguments":${args}}}`;
    const wire = await site.mcp.raw(body, { headers: { "mcp-protocol-version": "2025-11-25" } });
    return wire.body.result;
  };

  it("that are there twice are one: the last, in the row, on the page and in the audit", async () => {
    await site.sql("TRUNCATE mcp_audit");
    expect((await send('{"intro":"first","githubUser":"a","intro":"last"}')).isError).toBeUndefined();
    expect(await card()).toEqual({ ...EMPTY, intro: "last", githubUser: "a" });
    expect(await shown()).toEqual(await card());
    expect((await site.audit()).map(({ summary }) => summary)).toEqual(["githubUser, intro"]);
  });

  it("that are as deep as one likes are refused, and nothing is written", async () => {
    const deep = (open: string, close: string) => `${open.repeat(20_000)}1${close.repeat(20_000)}`;
    for (const value of [deep("[", "]"), deep('{"a":', "}"), `[${deep('{"name":', "}")}]`]) {
      for (const field of ["intro", "buildPoints", "repos", "none"]) {
        const { isError, content } = await send(`{"${field}":${value}}`);
        expect([field, isError, JSON.parse(content[0].text).error]).toEqual([
          field,
          true,
          expect.not.stringContaining("internal error"),
        ]);
      }
    }
    expect(await card()).toEqual(EMPTY);
  });

  it("that are named like what every object has change nothing", async () => {
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      const { isError } = await send(`{"${name}":{"intro":"polluted"}}`);
      expect([name, isError]).toEqual([name, true]);
    }
    expect(await card()).toEqual(EMPTY);
  });
});
