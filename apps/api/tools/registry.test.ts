import { describe, expect, it } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Value } from "typebox/value";
import type { Database } from "../database/pool";
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
const everything = () => build(Object.fromEntries(ALL.map((name) => [name, false])));

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
    session_rename: [
      [{ title: "t" }, { title: "t".repeat(60) }],
      [{}, { title: "" }, { title: "t".repeat(61) }, { title: "t", sessionId: "another" }],
    ],
  };
  for (const name of ALL) {
    it(`of ${name} are bounded as §2.7 and §7 say, and closed`, () => {
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
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
  );

  it("open no file, process or socket, read no environment and load no code (A5)", () => {
    expect(sources.length).toBeGreaterThanOrEqual(ALL.length + 1);
    expect(sources.filter((name) => violations(readFileSync(join(import.meta.dir, name), "utf8")) > 0)).toEqual([]);
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
