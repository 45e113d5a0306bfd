import { describe, expect, it } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Value } from "typebox/value";
import type { Database } from "../database/pool";
import type { Sandbox } from "./sandbox/sandbox";
import { aSkill, sandboxWith } from "./__tests__/a-sandbox";
import { aPictureService, aSearchService } from "./__tests__/a-service";
import { type BuildToolsInput, buildTools, DANGEROUS_TOOLS, TOOL_FACTORIES } from "./registry";

const ALL = Object.keys(TOOL_FACTORIES);
const db = {} as Database;

function build(enabled: Record<string, boolean>, changes: Partial<BuildToolsInput> = {}) {
  const logged: unknown[] = [];
  const tools = buildTools({
    db,
    sessionId: "00000000-0000-4000-8000-000000000000",
    titleSource: "derived",
    enabled: new Map(Object.entries(enabled).map(([name, dangerous]) => [name, { dangerous }])),
    unlockDangerous: false,
    log: { info: (message, facts) => logged.push([message, facts]), error: () => {} },
    ...changes,
  });
  return { names: tools.map((tool) => tool.name), tools, logged };
}
const everything = () =>
  build(Object.fromEntries(ALL.map((name) => [name, false])), {
    unlockDangerous: true,
    sandbox: sandboxWith(),
    search: aSearchService(),
    pictures: aPictureService(),
  });

describe("registration", () => {
  it("builds what is switched on, in the order of the code", () => {
    expect(build({ session_rename: false, notes_search: false }).names).toEqual(["notes_search", "session_rename"]);
    expect(build({}).names).toEqual([]);
    expect(everything().names).toEqual(ALL);
  });

  it("drops names without an implementation with a line in the log (A2)", () => {
    const { names, logged } = build({ bash: false, notes_search: false, constructor: false });
    expect(names).toEqual(["notes_search"]);
    expect(logged).toEqual([
      ["a switched-on tool has no implementation", { tool: "bash" }],
      ["a switched-on tool has no implementation", { tool: "constructor" }],
    ]);
  });

  it("keeps a tool that the table marks as dangerous behind the server's own key (A2)", () => {
    const locked = build({ notes_search: true });
    expect([locked.names, locked.logged]).toEqual([[], [["a dangerous tool stays locked", { tool: "notes_search" }]]]);
    expect(build({ notes_search: true }, { unlockDangerous: true }).names).toEqual(["notes_search"]);
  });

  it("holds skill_run to be dangerous whatever the table says", () => {
    expect([...DANGEROUS_TOOLS]).toEqual(["skill_run"]);
    const sandbox = sandboxWith();
    const locked = build({ skill_load: false, skill_run: false }, { sandbox });
    expect([locked.names, locked.logged]).toEqual([
      ["skill_load"],
      [["a dangerous tool stays locked", { tool: "skill_run" }]],
    ]);
    expect(build({ skill_run: false }, { sandbox, unlockDangerous: true }).names).toEqual(["skill_run"]);
  });

  it("offers no tool of skills that could do nothing: no skill, no script, or no runner", () => {
    const names = (sandbox?: Sandbox) =>
      build({ skill_load: false, skill_run: false }, { sandbox, unlockDangerous: true }).names;
    expect(names(undefined)).toEqual([]);
    expect(names(sandboxWith({ skills: [] }))).toEqual([]);
    expect(names(sandboxWith({ skills: [aSkill({ scripts: [] })] }))).toEqual(["skill_load"]);
    expect(names(sandboxWith({ runners: {} }))).toEqual(["skill_load"]);
    // A script of the open tier never goes to the runner of the closed one.
    expect(names(sandboxWith({ skills: [aSkill({ network: "egress" })] }))).toEqual(["skill_load"]);
    expect(build({ skill_run: false }, { unlockDangerous: true }).logged).toEqual([
      ["a switched-on tool has no skill that it could use", { tool: "skill_run" }],
    ]);
  });

  it("offers no outbound tool without the service that it would call", () => {
    const enabled = { web_search: false, generate_image: false };
    expect(build(enabled, { search: aSearchService() }).names).toEqual(["web_search"]);
    expect(build(enabled, { pictures: aPictureService() }).names).toEqual(["generate_image"]);
    expect(build(enabled).logged).toEqual([
      ["a switched-on tool has no service that it could use", { tool: "web_search" }],
      ["a switched-on tool has no service that it could use", { tool: "generate_image" }],
    ]);
  });

  it("does not offer to name a session that the agent has named (G3)", () => {
    expect(build({ session_rename: false, notes_search: false }, { titleSource: "agent" }).names).toEqual([
      "notes_search",
    ]);
  });
});

describe("parameters", () => {
  it("have no field in which an address, a path or a program would fit (M1)", () => {
    for (const tool of everything().tools) {
      const fields = Object.keys((tool.parameters as unknown as { properties: object }).properties);
      expect(fields.filter((field) => /^(code|path|argv|interpreter|env|url)$/i.test(field))).toEqual([]);
    }
  });

  const accepted: Record<string, [object[], object[]]> = {
    notes_list_series: [
      [{}, { category: "c".repeat(64) }, { series: "s".repeat(128) }],
      [{ category: "c".repeat(65) }, { series: "s".repeat(129) }, { extra: 1 }],
    ],
    notes_get_chapter: [
      [{ series: "s", chapter: "c".repeat(128) }],
      [
        { series: "", chapter: "c" },
        { series: "s" },
        { series: "s", chapter: "c".repeat(129) },
        { series: "s", chapter: "c", x: 1 },
      ],
    ],
    notes_search: [
      [{ query: "q" }, { query: "q".repeat(120), limit: 20 }, { query: "q", limit: 1 }],
      [
        {},
        { query: "" },
        { query: "q".repeat(121) },
        { query: "q", limit: 0 },
        { query: "q", limit: 21 },
        { query: "q", limit: 1.5 },
      ],
    ],
    source_list: [
      [{}, { prefix: "p".repeat(300) }],
      [{ prefix: "p".repeat(301) }, { sha: "a" }],
    ],
    source_read: [
      [{ file: "f" }, { file: "f".repeat(300), startLine: 1, endLine: 2 }],
      [
        {},
        { file: "" },
        { file: "f".repeat(301) },
        { file: "f", startLine: 0 },
        { file: "f", endLine: 1.5 },
        { file: "f", sha: "a" },
      ],
    ],
    source_search: [
      [{ query: "qq" }, { query: "q".repeat(100), prefix: "p".repeat(300) }],
      [
        {},
        { query: "q" },
        { query: "q".repeat(101) },
        { query: "qq", prefix: "p".repeat(301) },
        { query: "qq", sha: "" },
      ],
    ],
    web_search: [
      [{ query: "qq" }, { query: "q".repeat(300) }],
      [
        {},
        { query: "q" },
        { query: "q".repeat(301) },
        { query: ["qq"] },
        { query: "qq", url: "https://example.org" },
        { query: "qq", model: "m" },
      ],
    ],
    generate_image: [
      [{ prompt: "p" }, { prompt: "p".repeat(1_000) }],
      [
        {},
        { prompt: "" },
        { prompt: "p".repeat(1_001) },
        { prompt: "p", size: "1024x1024" },
        { prompt: "p", n: 2 },
        { prompt: "p", sessionId: "another" },
      ],
    ],
    session_rename: [
      [{ title: "t" }, { title: "t".repeat(60) }],
      [{}, { title: "" }, { title: "t".repeat(61) }, { title: "t", sessionId: "another" }],
    ],
    skill_load: [
      [{ name: "n" }, { name: "n".repeat(64) }],
      [{}, { name: "" }, { name: "n".repeat(65) }, { name: "n", file: "SKILL.md" }],
    ],
    skill_run: [
      [
        { skill: "s", script: "s.py", input: "{}" },
        { skill: "s".repeat(64), script: "s".repeat(64), input: "i".repeat(4_096) },
      ],
      [
        { skill: "s", script: "s.py" },
        { skill: "s".repeat(65), script: "s.py", input: "{}" },
        { skill: "s", script: "s".repeat(65), input: "{}" },
        { skill: "s", script: "s.py", input: "{" },
        { skill: "s", script: "s.py", input: "i".repeat(4_097) },
        { skill: "s", script: "s.py", input: "{}", timeoutMs: 1 },
      ],
    ],
  };
  for (const name of ALL) {
    it(`of ${name} are bounded as §2.7, §7 and §15.4 say, and closed`, () => {
      const { parameters } = everything().tools.find((tool) => tool.name === name)!;
      const [good, bad] = accepted[name]!;
      expect(good.map((value) => Value.Check(parameters, value))).toEqual(good.map(() => true));
      expect(bad.map((value) => Value.Check(parameters, value))).toEqual(bad.map(() => false));
    });
  }
});

/** What a tool module may not say, in source text (A5). */
const FORBIDDEN = [
  /["'](node:)?(fs|child_process|net|tls|dgram|dns|http2?|https|worker_threads|cluster|vm|module|process)(\/[a-z]+)?["']/,
  /\bprocess\s*\.|\bglobalThis\b|\bBun\b/,
  /\bimport\s*\(|\brequire\s*\(|\beval\s*\(|\bnew\s+Function\b|\bfetch\s*\(|\bWebSocket\b/,
];
const violations = (source: string) => FORBIDDEN.filter((pattern) => pattern.test(source)).length;

describe("tool modules", () => {
  const sources = readdirSync(import.meta.dir, { recursive: true, encoding: "utf8" }).filter(
    // What the manifest quotes are instructions for the agent, not code.
    (name) => name.endsWith(".ts") && !/\.test\.ts$|^__tests__|skill-manifest\.ts$/.test(name),
  );

  it("open no file, process or socket, read no environment and load no code (A5)", () => {
    expect(sources.length).toBeGreaterThanOrEqual(ALL.length + 1);
    const found = sources.filter((name) => violations(readFileSync(join(import.meta.dir, name), "utf8")) > 0);
    // The one exception, for one module: the socket of a runner, whose address only the server's environment names.
    expect(found).toEqual(["sandbox/runner-client.ts"]);
    const client = readFileSync(join(import.meta.dir, found[0]!), "utf8");
    expect(violations(client.replace('from "node:http"', ""))).toBe(0);
  });

  it("would be caught if they did", () => {
    for (const line of [
      'import { readFile } from "node:fs/promises";',
      'import net from "net";',
      'import { spawn } from "child_process";',
      "const key = process.env.KEY;",
      'await import("./x");',
      'fetch("https://example.org")',
      "eval(text)",
      "Bun.spawn([])",
    ]) {
      expect([line, violations(line)]).toEqual([line, 1]);
    }
  });
});
