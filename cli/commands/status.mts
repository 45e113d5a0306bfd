/** `./xray status`: what runs, where, in which versions, and how much memory each part takes. Exit 0 when it runs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../apps/api/database/pool.ts";
import { answering } from "../answering.mts";
import type { Words } from "../args.mts";
import { appUrl } from "../infra.mts";
import { lockHolder } from "../lock.mts";
import { memoryOfTree } from "../memory.mts";
import { type Paths, pathsOf } from "../paths.mts";
import { isOurs } from "../processes.mts";
import {
  deadProcesses,
  type ProcessName,
  readRunning,
  type Running,
  shown,
  type SiteState,
  siteState,
} from "../running.mts";
import { mintSecrets } from "../secrets.mts";

interface Status {
  state: SiteState;
  url: string | null;
  /** Name of the provider that answers, `demo`, or null: nothing answers, or the database was not reached. */
  model: string | null;
  /** Why the one that is to answer cannot, or null. */
  modelFault: string | null;
  database: Running["database"] | null;
  versions: Record<"agentXray" | "bun" | "next" | "encore" | "pi" | "postgres", string | null>;
  processes: { name: ProcessName; pid: number | null; memoryMb: number | null }[];
  /** Why scripts of skills are refused, or null: they run, or nothing does. */
  scriptsFault: string | null;
  home: string;
}

export default async function status(words: Words): Promise<number> {
  const found = await readStatus(pathsOf());
  process.stdout.write(words.has("json") ? `${JSON.stringify(found, null, 2)}\n` : asText(found));
  return found.state === "running" ? 0 : 1;
}

async function readStatus(paths: Paths): Promise<Status> {
  const running = readRunning(paths.running);
  const state = siteState(running, lockHolder(paths.startLock) !== undefined);
  const alive = running && state !== "stopped" ? running : undefined;
  const fromDatabase = alive ? await askDatabase(paths, alive) : UNKNOWN;
  return {
    state,
    url: alive?.url ?? null,
    model: fromDatabase.model,
    modelFault: fromDatabase.modelFault,
    database: alive?.database ?? null,
    versions: {
      agentXray: versionIn(join(paths.root, "package.json")),
      bun: process.versions.bun ?? null,
      next: versionOf(paths, "next"),
      encore: versionOf(paths, "encore.dev"),
      pi: versionOf(paths, "@earendil-works/pi-coding-agent"),
      postgres: fromDatabase.postgres,
    },
    processes: alive
      ? shown(alive).map((name) => {
          const record = alive.processes[name];
          return isOurs(record)
            ? { name, pid: record.pid, memoryMb: Math.round(memoryOfTree(record.pid) / 1_048_576) }
            : { name, pid: null, memoryMb: null };
        })
      : [],
    scriptsFault: alive ? scriptsFault(alive) : null,
    home: paths.home,
  };
}

/** As the end of a sentence. A runner of the owner's own is not asked. */
function scriptsFault({ runnersAbsent = {}, processes }: Running): string | null {
  if (runnersAbsent.none !== undefined) return runnersAbsent.none;
  if (processes.runner && !isOurs(processes.runner)) return "the runner ended; ./xray up starts it again";
  if (runnersAbsent.egress !== undefined) return `those of web-fetch: ${runnersAbsent.egress}`;
  const egress = processes["runner-egress"];
  return egress && !isOurs(egress) ? "those of web-fetch: their runner ended; ./xray up starts it again" : null;
}

interface Told {
  model: string | null;
  modelFault: string | null;
  postgres: string | null;
}
const UNKNOWN: Told = { model: null, modelFault: null, postgres: null };

/** Under the application's own login; a server that is down leaves all of it unknown. */
async function askDatabase(paths: Paths, running: Running): Promise<Told> {
  if (!running.address || deadProcesses(running).includes("postgres")) return UNKNOWN;
  const secrets = mintSecrets(paths.secrets);
  const db = openDatabase(appUrl(running.address, secrets));
  try {
    const [server] = await db.queryAs<{ server_version: string }>("config_ro", "SHOW server_version");
    const { provider, fault } = await answering(paths, secrets, db);
    const model = fault ? null : (provider ?? (await demoAnswers(running)));
    const modelFault = fault ? `${provider} cannot answer: ${fault}` : null;
    return { model, modelFault, postgres: server!.server_version.split(" ")[0]! };
  } catch {
    return UNKNOWN;
  } finally {
    await db.close();
  }
}

/** Whether the API offers its demo is its own knowledge: the setting it started with may have changed since. */
async function demoAnswers({ apiUrl }: Running): Promise<"demo" | null> {
  const answer = await fetch(`${apiUrl}/site/status`, { signal: AbortSignal.timeout(2_000) });
  return ((await answer.json()) as { demo?: boolean }).demo ? "demo" : null;
}

function asText(status: Status): string {
  const { state, url, model, modelFault, versions, processes, scriptsFault, database, home } = status;
  const lines = [`  ${state}${url ? `  ${url}` : ""}`];
  if (state === "broken") {
    const dead = processes
      .filter(({ name, pid }) => pid === null && !name.startsWith("runner"))
      .map(({ name }) => name);
    lines.push(`  ${dead.join(", ")} ended. See ./xray logs ${dead[0]}; ./xray up starts it again.`);
  }
  lines.push("");
  for (const { name, pid, memoryMb } of processes) {
    lines.push(
      `  ${name.padEnd(14)}${pid === null ? "not running" : `${String(memoryMb).padStart(5)} MB   pid ${pid}`}`,
    );
  }
  if (processes.length > 0) {
    const total = processes.reduce((sum, { memoryMb }) => sum + (memoryMb ?? 0), 0);
    lines.push(`  ${"together".padEnd(14)}${String(total).padStart(5)} MB`, "");
    lines.push(
      `  model     ${model ?? modelFault ?? (versions.postgres === null ? "unknown" : "none")}`,
      `  database  ${database}`,
    );
    if (scriptsFault) lines.push(`  scripts   refused: ${scriptsFault}`);
  }
  lines.push(`  state in  ${home}`);
  const known = Object.entries(versions).filter(([, version]) => version !== null);
  lines.push(`  versions  ${known.map(([name, version]) => `${name} ${version}`).join(", ")}`);
  return `\n${lines.join("\n")}\n\n`;
}

function versionOf(paths: Paths, name: string): string | null {
  return versionIn(join(paths.root, "node_modules", name, "package.json"));
}

function versionIn(file: string): string | null {
  try {
    return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
  } catch {
    return null;
  }
}
