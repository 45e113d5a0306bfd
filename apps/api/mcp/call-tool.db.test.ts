/** One call of a tool against a real database: rights, refusals, the audit, and what a reading tool cannot do. */
import { afterEach, describe, expect, test } from "bun:test";
import { z } from "zod";
import { databaseForFile } from "../../../tests/support/database-for-file.mts";
import { secretBox } from "../lib/secret-box";
import { listAudit } from "../stores/mcp-audit";
import { StaleRevision, StoreRefusal } from "../stores/store-refusal";
import { auditFor } from "./audit";
import { callTool } from "./call-tool";
import { defineTool, type Tool } from "./define-tool";
import { ToolRefusal } from "./tool-refusal";

const opened = databaseForFile();
const logged: string[] = [];
const log = {
  info: () => {},
  error: (message: string, cause?: unknown, facts?: object) =>
    void logged.push(`${message} ${String(cause)} ${JSON.stringify(facts)}`),
};

function contextOf(principal = { name: "owner", readOnly: false }) {
  const { db } = opened;
  return {
    db,
    box: secretBox(""),
    log,
    principal,
    now: new Date(),
    signal: new AbortController().signal,
    cursorSecret: "secret",
    audit: auditFor(db, log, "203.0.113.7"),
  };
}

/** A tool that does what the test says. */
function toolThat(effect: "read" | "set", run: Tool["run"], more: Partial<Tool> = {}): Tool {
  const tool = defineTool({
    name: `probe_${effect}`,
    title: "Probe",
    description: "Does what a test says.",
    effect: "set",
    input: z.strictObject({ slug: z.string().max(20).optional(), files: z.array(z.string()).optional() }),
    output: z.object({ done: z.boolean() }),
    summary: ({ slug }) => `probe ${slug ?? "nothing"}`,
    run: async () => ({ done: true }),
  });
  return { ...tool, effect, run, ...more };
}

async function outcome(tool: Tool, args: unknown = {}, context = contextOf()) {
  const result = await callTool(tool, args, context);
  const [content] = result.content as { text: string }[];
  return { isError: result.isError === true, facts: JSON.parse(content!.text), structured: result.structuredContent };
}

async function auditRows() {
  const { rows } = await listAudit(opened.db, {}, 100);
  return rows.map(({ id: _, at: __, ...row }) => row);
}

afterEach(async () => {
  logged.length = 0;
  await opened.admin.query("TRUNCATE mcp_audit");
});

describe("a write that is made", () => {
  test("answers with what the tool's output names, as text and as structure, and leaves one row", async () => {
    const tool = toolThat("set", async () => ({ done: true, secret: "not named by the output" }));
    const { isError, facts, structured } = await outcome(tool, { slug: "a" });
    expect([isError, facts, structured]).toEqual([false, { done: true }, { done: true }]);
    expect(await auditRows()).toEqual([
      {
        outcome: "ok",
        method: "tools/call",
        tool: "probe_set",
        principal: "owner",
        summary: "probe a",
        remote: "203.0.113.7",
        detail: null,
      },
    ]);
  });

  test("has a summary of one line, at most 500 characters, without a key that a name may hold", async () => {
    const summary = () => `one\ntwo sk-${"a".repeat(30)} ${"x".repeat(600)}`;
    await outcome(toolThat("set", async () => ({ done: true }), { summary }));
    const [row] = await auditRows();
    expect(row!.summary).toStartWith("one two [redacted] xxx");
    expect([row!.summary.length, row!.summary.endsWith("…")]).toEqual([500, true]);
  });
});

describe("a write that is refused", () => {
  const throwing = (error: unknown) =>
    toolThat("set", async () => {
      throw error;
    });

  test.each<[string, unknown, object]>([
    [
      "by the tool",
      new ToolRefusal({ cause: "There is no such thing.", field: "slug", existing: ["a"], retry: "x_list has them." }),
      { error: "There is no such thing.", field: "slug", existing: ["a"], retry: "x_list has them." },
    ],
    [
      "by the store",
      new StoreRefusal("in_use", { field: "slug", count: 3 }),
      {
        error: "Something still belongs to it.",
        field: "slug",
        count: 3,
        retry: "Do not send the same call again unchanged.",
      },
    ],
    [
      "because somebody was faster",
      new StaleRevision("0123456789abcdef"),
      {
        error: "The row has changed since it was read.",
        field: "expectedRevision",
        revision: "0123456789abcdef",
        retry: "Read the row again, decide anew, and send its revision.",
      },
    ],
  ])("%s says why and what next, and leaves one row with the cause", async (_case, error, facts) => {
    const refused = await outcome(throwing(error), { slug: "a" });
    expect([refused.isError, refused.structured, refused.facts]).toEqual([true, undefined, facts]);
    expect(await auditRows()).toMatchObject([
      { outcome: "error", summary: "probe a", detail: { cause: (facts as { error: string }).error } },
    ]);
    expect(logged).toEqual([]);
  });

  test("by something that nobody foresaw is a reference, which the log has beside the cause", async () => {
    const { isError, facts } = await outcome(throwing(new Error('column "secret" of /srv/app.ts:7 is sk-private')));
    const [, reference] = /^internal error \(ref ([0-9a-f-]{36})\)$/.exec(facts.error)!;
    expect([isError, Object.keys(facts).sort()]).toEqual([true, ["error", "retry"]]);
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain(reference!);
    expect((await auditRows())[0]!.detail).toEqual({ cause: facts.error });
  });

  test("for its arguments names the fault and what would be right, and never repeats a value", async () => {
    const tool = toolThat("set", async () => ({ done: true }));
    const key = "sk-in-the-wrong-place-0123456789";
    for (const [args, field] of [
      [{ slug: key.repeat(3) }, "slug"],
      [{ slug: 7 }, "slug"],
      [{ apiKey: key }, "apiKey"],
      [{ files: key }, "files"],
      [{ files: [1] }, "files.0"],
      [key, "arguments"],
      [[key], "arguments"],
      [JSON.parse(`{"__proto__":{"slug":"${key}"}}`), "__proto__"],
    ] as const) {
      const { isError, facts } = await outcome(tool, args);
      expect([isError, facts.field]).toEqual([true, field]);
      expect(JSON.stringify(facts)).not.toContain(key);
    }
    const rows = await auditRows();
    expect(rows.map(({ summary }) => summary)).toEqual(Array(8).fill("arguments refused"));
    expect(JSON.stringify(rows)).not.toContain(key);
  });

  test("tells a name that the client made up, and audits the call without it, even one that JSON cannot store", async () => {
    const input = z.strictObject({ files: z.array(z.strictObject({ path: z.string() })).optional() });
    const tool = toolThat("set", async () => ({ done: true }), { input });
    for (const name of ["AIzaSyA-planted-0123456789", "a\0b", "\ud800"]) {
      for (const [args, field] of [
        [{ [name]: 1 }, name],
        [{ files: [{ path: "a", [name]: 1 }] }, `files.0.${name}`],
      ] as const) {
        const { facts } = await outcome(tool, args);
        expect([facts.field, Object.keys(facts)]).toEqual([field, expect.not.arrayContaining(["isForeignName"])]);
      }
    }
    const causes = ["There is no such property here.", "This tool has no such argument."];
    expect((await auditRows()).map(({ detail }) => detail)).toEqual(
      [0, 1, 0, 1, 0, 1].map((n) => ({ cause: causes[n]! })),
    );
    expect(logged).toEqual([]);
  });

  test("is audited with the path it names, but not with a key in the place of one", async () => {
    const reason = `"sk-${"a".repeat(30)}/x.md" is of no kind that may be kept.`;
    await outcome(throwing(new StoreRefusal("invalid", { field: "files", reason })), { slug: "a" });
    expect((await auditRows())[0]!.detail).toEqual({
      cause: '"[redacted]/x.md" is of no kind that may be kept.',
      field: "files",
    });
  });
});

describe("arguments", () => {
  test("that came as JSON text are read where only a list or an object fits", async () => {
    let got: unknown;
    const tool = toolThat("set", async ({ args }) => {
      got = args;
      return { done: true };
    });
    await outcome(tool, { slug: "[1]", files: '["a","b"]' });
    expect(got).toEqual({ slug: "[1]", files: ["a", "b"] });
    await outcome(tool, undefined);
    expect(got).toEqual({});
    expect((await outcome(tool, { files: '["a"' })).isError).toBe(true);
  });
});

describe("a token that may only read", () => {
  const reader = { name: "reader", readOnly: true };

  test("reads; a write is refused before its arguments are looked at, with one row", async () => {
    let ran = false;
    const write = toolThat("set", async () => {
      ran = true;
      return { done: true };
    });
    const { facts } = await outcome(write, { nonsense: 1 }, contextOf(reader));
    expect([ran, facts.error]).toEqual([false, "This token may only read."]);
    expect(await auditRows()).toMatchObject([{ outcome: "denied", principal: "reader", tool: "probe_set" }]);
    const read = await outcome(
      toolThat("read", async () => ({ done: true })),
      {},
      contextOf(reader),
    );
    expect(read.isError).toBe(false);
    expect(await auditRows()).toHaveLength(1);
  });
});

describe("a reading tool", () => {
  const statement = "UPDATE tool_config SET note = 'written'";

  test("cannot write, whatever role it asks for; a writing one with the same statement can", async () => {
    const ways: Tool["run"][] = [
      async ({ db }) => {
        await db.queryAs("admin_rw", statement);
        return { done: true };
      },
      async ({ db }) => {
        await db.asRole("admin_rw", (tx) => tx.query(statement));
        return { done: true };
      },
    ];
    for (const run of ways) {
      const { isError, facts } = await outcome(toolThat("read", run));
      expect([isError, facts.error.startsWith("internal error")]).toEqual([true, true]);
      const { rows } = await opened.admin.query("SELECT note FROM tool_config WHERE note IS NOT NULL");
      expect(rows).toEqual([]);
    }
    expect(logged.join()).toContain("no right to do that");
    for (const run of ways) {
      expect((await outcome(toolThat("set", run))).isError).toBe(false);
      const { rowCount } = await opened.admin.query("UPDATE tool_config SET note = NULL WHERE note = 'written'");
      expect(rowCount).toBeGreaterThan(0);
    }
  });

  test("leaves no row, whether it answers or is refused", async () => {
    await outcome(toolThat("read", async () => ({ done: true })));
    await outcome(toolThat("read", async () => ({ done: "no" })));
    await outcome(
      toolThat("read", async () => ({ done: true })),
      { nonsense: 1 },
    );
    expect(await auditRows()).toEqual([]);
  });
});
