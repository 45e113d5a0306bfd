/**
 * The protocol's own conformance suite against the running endpoint, in both eras. It is written for servers that have
 * everything; the baseline says which checks this one cannot pass, why, and in what words the suite says so. A check that
 * fails for another reason, one that fails no more and one that is new are each a failure here.
 */
import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BearerProxy, startBearerProxy } from "../support/bearer-proxy.mts";
import { type McpSite, startMcpSite } from "../support/mcp.mts";
import { START_MS } from "../support/site.mts";
import BASELINE from "./conformance-baseline.json";

const SUITE = join(import.meta.dir, "../../node_modules/@modelcontextprotocol/conformance/dist/index.js");
const REVISIONS = ["2026-07-28", "2025-11-25"] as const;

interface Check {
  id: string;
  status: string;
  errorMessage?: string;
}
/** By scenario, by reason: the checks that fail. */
type Failures = Record<string, Record<string, string[]>>;

let site: McpSite;
let proxy: BearerProxy;
/** Both runs, side by side. */
let runs: Record<(typeof REVISIONS)[number], Promise<Map<string, Check[]>>>;
const folder = mkdtempSync(join(tmpdir(), "xray-conformance-"));
beforeAll(async () => {
  // The suite sends hundreds of requests of a page and without a token; none of them may wait.
  site = await startMcpSite({ provider: null, limits: { mcpFailureDelayMs: 1 } });
  proxy = await startBearerProxy(`${site.app.url}/mcp`, site.tokens.owner);
  runs = { "2026-07-28": scenariosOf("2026-07-28"), "2025-11-25": scenariosOf("2025-11-25") };
}, START_MS);
afterAll(async () => {
  await proxy.close();
  await site.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Every scenario that a revision requires, with its checks. */
async function scenariosOf(revision: string): Promise<Map<string, Check[]>> {
  const output = join(folder, revision);
  const argv = ["--bun", SUITE, "server", "--url", proxy.url, "--requirements", revision, "-o", output];
  const run = spawn(process.execPath, argv, { stdio: "ignore" });
  await once(run, "exit");
  return new Map(
    readdirSync(output).map((name) => [
      name.replace(/^server-/, "").replace(/-\d{4}-\d{2}-\d{2}T.*$/, ""),
      JSON.parse(readFileSync(join(output, name, "checks.json"), "utf8")) as Check[],
    ]),
  );
}

describe.each(REVISIONS)("revision %s", (revision) => {
  it(
    "passes what applies to a server of tools, and fails the rest for the reasons given",
    async () => {
      const { passes, fails }: { passes: string[]; fails: Failures } = BASELINE[revision];
      const scenarios = await runs[revision];
      const failing = (checks: Check[]) => checks.filter(({ status }) => status === "FAILURE");
      const passing = [...scenarios].filter(([, checks]) => failing(checks).length === 0).map(([name]) => name);
      expect(passing.sort()).toEqual([...passes].sort());

      const found: Failures = {};
      for (const [name, checks] of scenarios) {
        for (const { id, errorMessage = "" } of failing(checks)) {
          const expected = Object.entries(fails[name] ?? {}).find(([, ids]) => ids.includes(id))?.[0];
          const isSo = expected !== undefined && new RegExp(reasonOf(expected).says).test(errorMessage);
          const reason = isSo ? expected : `unexpected: ${errorMessage}`;
          const byReason = found[name] ?? {};
          found[name] = { ...byReason, [reason]: [...(byReason[reason] ?? []), id] };
        }
      }
      expect(sorted(found)).toEqual(sorted(fails));
    },
    START_MS,
  );
});

it("gives every reason in a sentence, and none that nothing needs", () => {
  const used = REVISIONS.flatMap((revision) =>
    Object.values(BASELINE[revision].fails).flatMap((by) => Object.keys(by)),
  );
  expect([...new Set(used)].sort()).toEqual(Object.keys(BASELINE.reasons).sort());
  for (const { text } of Object.values(BASELINE.reasons)) expect(text).toMatch(/^[A-Z].{20,}\.$/);
});

function reasonOf(name: string): { text: string; says: string } {
  return (BASELINE.reasons as Record<string, { text: string; says: string }>)[name]!;
}

function sorted(failures: Failures): unknown {
  return Object.entries(failures)
    .map(([scenario, by]) => [
      scenario,
      Object.entries(by)
        .map(([reason, ids]) => [reason, [...ids].sort()])
        .sort(),
    ])
    .sort();
}
