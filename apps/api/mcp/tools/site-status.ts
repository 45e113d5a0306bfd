/**
 * How the site is, for its owner (architecture §14, MCP). Numbers, states and names of configuration; never a text or an
 * id of a visitor, a key, or a path of the server.
 */
import { z } from "zod";
import { LIMITS } from "../../../../shared/limits";
import { answeringModel } from "../../lib/answering-model";
import { type EnvironmentName, extraHostsOf, readEnvironment, RUNNER_OF } from "../../lib/env";
import { diskSpace } from "../../lib/machine";
import { VERSION } from "../../lib/version";
import { imagegenProviders } from "../../stores/imagegen-config";
import { llmProviders } from "../../stores/llm-config";
import { countNow, readDatabaseFacts } from "../../stores/site-counts";
import { websearchProviders } from "../../stores/websearch-config";
import { parseRunnerAddress } from "../../tools/sandbox/runner-address";
import { runnerHealth } from "../../tools/sandbox/runner-client";
import { defineTool, type ToolCall } from "../define-tool";

const RUNNER_STATES = ["ready", "refusing", "unreachable", "not_configured"] as const;
const runner = z.object({
  tier: z.enum(["none", "egress"]),
  state: z.enum(RUNNER_STATES),
  missing: z.array(z.string()).describe("Codes of what stands in the way of runs."),
  slots: z.int(),
  active: z.int(),
  waiting: z.int(),
});
const providers = z.object({
  family: z.enum(["llm", "websearch", "imagegen"]),
  configured: z.int(),
  defaultProvider: z.string().nullable(),
  usable: z.boolean().describe("Whether the default can be used; <family>_providers_list says why not."),
});

const status = defineTool({
  name: "site_status",
  title: "See how the site is",
  description:
    "version, answering provider|demo|nobody, providers (family, configured, defaultProvider, usable), runners by tier (state, missing, slots, active, waiting: the queue), turnsRunning, sessions kept, database (version, sizeBytes), disk (freeBytes, totalBytes), memoryBytes, uptimeSeconds.",
  effect: "read",
  input: z.strictObject({}),
  output: z.object({
    version: z.string(),
    uptimeSeconds: z.int(),
    answering: z.enum(["provider", "demo", "nobody"]),
    providers: z.array(providers),
    runners: z.array(runner),
    turnsRunning: z.int(),
    sessions: z.int(),
    database: z.object({ version: z.string(), sizeBytes: z.int() }),
    disk: z.object({ freeBytes: z.int(), totalBytes: z.int() }),
    memoryBytes: z.int(),
  }),
  async run(call) {
    const [families, runners, now, database, disk] = await Promise.all([
      providersOf(call),
      Promise.all([runnerOf("none"), runnerOf("egress")]),
      countNow(call.db),
      readDatabaseFacts(call.db),
      diskSpace(),
    ]);
    return {
      version: VERSION,
      uptimeSeconds: Math.floor(process.uptime()),
      answering: answeringOf(families[0]!),
      providers: families,
      runners,
      ...now,
      database,
      disk,
      memoryBytes: process.memoryUsage.rss(),
    };
  },
});

export const siteStatusTools = [status];

/** Models first. */
async function providersOf({ db, box }: Pick<ToolCall<unknown>, "db" | "box">): Promise<z.input<typeof providers>[]> {
  const [llm, websearch, imagegen] = await Promise.all([
    llmProviders.inspect(db, box, extraHostsOf("llm")),
    websearchProviders.inspect(db, box, extraHostsOf("websearch")),
    imagegenProviders.inspect(db, box, extraHostsOf("imagegen")),
  ]);
  const summed = (family: "llm" | "websearch" | "imagegen", all: typeof llm | typeof websearch | typeof imagegen) => {
    const chosen = all.find((it) => it.row.isDefault);
    return {
      family,
      configured: all.length,
      defaultProvider: chosen?.row.provider ?? null,
      usable: chosen !== undefined && chosen.fault === null,
    };
  };
  return [summed("llm", llm), summed("websearch", websearch), summed("imagegen", imagegen)];
}

function answeringOf(llm: z.input<typeof providers>): "provider" | "demo" | "nobody" {
  const found = llm.defaultProvider === null ? null : llm.usable ? { kind: "provider" as const } : "unusable";
  return answeringModel(found)?.kind ?? "nobody";
}

/** No address leaves here, only whether somebody answers there. */
async function runnerOf(tier: keyof typeof RUNNER_OF): Promise<z.input<typeof runner>> {
  const none = { tier, missing: [], slots: 0, active: 0, waiting: 0 };
  const text = readEnvironment(RUNNER_OF[tier] satisfies EnvironmentName);
  const address = text === undefined ? undefined : parseRunnerAddress(text);
  if (address === undefined) return { ...none, state: "not_configured" };
  const health = await runnerHealth(address, LIMITS.runnerHealthMs);
  if (health === undefined) return { ...none, state: "unreachable" };
  const { ok, ...numbers } = health;
  return { tier, state: ok ? "ready" : "refusing", ...numbers };
}
