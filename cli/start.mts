/**
 * Starts a site step by step: database, schema, sample content, sandbox, pages, API, source, web. Each process is
 * recorded the moment it runs; when a step fails or the person stops it, what had started is stopped again.
 */
import { spawnSync } from "node:child_process";
import { existsSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { type Database, openDatabase } from "../apps/api/database/pool.ts";
import { readAgentSkills } from "../apps/api/stores/skills-agent.ts";
import { SKILL_MANIFEST } from "../apps/api/tools/sandbox/skill-manifest.ts";
import { LIMITS } from "../shared/limits.ts";
import { type Answering, answering } from "./answering.mts";
import { launchApi } from "./api-process.mts";
import { logLines, startDatabase } from "./database.mts";
import { privateFolder } from "./files.mts";
import { appUrl, inUrl, siteSettings } from "./infra.mts";
import { siteInputsHash } from "./inputs-hash.mts";
import { baseEnv, launch, waitUntilAnswers } from "./launch.mts";
import { connect } from "./mcp-client.mts";
import { migrate } from "./migrate.mts";
import type { Paths } from "./paths.mts";
import { claimWebPort, keptPort } from "./ports.mts";
import type { Progress } from "./progress.mts";
import { Refusal } from "./refusal.mts";
import { startRunner } from "./runner.mts";
import { type Running, writeRunning } from "./running.mts";
import { mintSecrets } from "./secrets.mts";
import { seed } from "./seed.mts";
import { openSkills, seedSkills } from "./seed-skills.mts";
import { seedSource } from "./seed-source.mts";
import { stopSite } from "./stop.mts";
import { mintLocalToken } from "./tokens.mts";
import { buildWeb } from "./web-build.mts";

export interface StartOptions {
  port: number;
  host: string;
  dev: boolean;
}
export interface StartedSite {
  running: Running;
  answering: Answering;
}

export async function startSite(
  paths: Paths,
  { port, host, dev }: StartOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<StartedSite> {
  privateFolder(paths.home);
  refuseFullDisk(paths);
  await claimWebPort(host, port);
  const secrets = mintSecrets(paths.secrets);
  const local = mintLocalToken(paths);
  const origin = siteSettings(paths, localOrigin(host, port)).SITE_ORIGIN || localOrigin(host, port);
  const running: Running = {
    url: origin,
    host,
    port,
    apiUrl: "",
    database: "embedded",
    dev,
    inputs: siteInputsHash(paths.root),
    ready: false,
    processes: {},
  };
  const record = (change: Partial<Running>) => {
    Object.assign(running, change);
    writeRunning(paths.running, running);
    signal.throwIfAborted();
  };

  // It tests its walls while the database starts; its own step waits for the outcome.
  const failed = new AbortController();
  const runnerStart = startRunner(paths, {
    signal: AbortSignal.any([signal, failed.signal]),
    onProcess: (runner) => record({ processes: { ...running.processes, runner } }),
  });
  runnerStart.catch(() => {});

  try {
    const { adminUrl, address } = await progress.step("database", async (step) => {
      const started = await startDatabase(paths);
      step.note(started.kind === "external" ? `${started.address.host}:${started.address.port}` : "embedded Postgres");
      record({
        database: started.kind,
        address: started.address,
        adminUrl: started.kind === "embedded" ? started.adminUrl : undefined,
        processes: { ...running.processes, ...(started.process && { postgres: started.process }) },
      });
      return started;
    });

    const { answers, needsNetwork } = await progress.step("content", async (step) => {
      const log = logLines(paths);
      const { applied } = await migrate({ adminUrl, appPassword: secrets.postgresAppPassword, log });
      const { length } = applied;
      step.note(length > 0 ? `${length} migration${length === 1 ? "" : "s"}` : "up to date");
      const db = openDatabase(appUrl(address, secrets));
      try {
        await seed({ db, log });
        await seedSkills({ db, log, root: paths.root, ledger: paths.skills, repo: sourceRepo(paths) });
        return { answers: await answering(paths, secrets, db), needsNetwork: await usesNetwork(db) };
      } finally {
        await db.close();
      }
    });
    signal.throwIfAborted();

    await progress.step("sandbox", async (step) => {
      const runner = await runnerStart;
      if ("absent" in runner) {
        step.note(`no scripts here: ${runner.absent}`);
        const { runner: _, ...processes } = running.processes;
        return record({ runnersAbsent: { none: runner.absent }, processes });
      }
      if (!runner.process) {
        // Whose it is knows what it is worth: neither the second key nor a switch is turned for it.
        return step.note("the runner of your settings");
      }
      step.note("self-test passed");
      record({ runnerUrls: { none: runner.url } });
      const db = openDatabase(appUrl(address, secrets));
      try {
        await openSkills({ db, log: logLines(paths), ledger: paths.skills });
      } finally {
        await db.close();
      }
    });

    if (needsNetwork) {
      await progress.step("web-fetch", async (step) => {
        step.note("packages and a runner of its own");
        const runner = await startRunner(paths, {
          tier: "egress",
          signal,
          onProcess: (process) => record({ processes: { ...running.processes, "runner-egress": process } }),
        });
        if ("url" in runner && !runner.process) return step.note("the runner of your settings");
        if ("url" in runner) {
          step.note("self-test passed");
          return record({ runnerUrls: { ...running.runnerUrls, egress: runner.url } });
        }
        step.note(`no pages are fetched: ${runner.absent}`);
        const { "runner-egress": _, ...processes } = running.processes;
        return record({ runnersAbsent: { ...running.runnersAbsent, egress: runner.absent }, processes });
      });
    }

    if (!dev) {
      await progress.step("pages", async (step) => {
        if (!(await buildWeb(paths, signal, step.note))) step.note("unchanged");
      });
    }

    const apiPort = await keptPort(paths.ports, "api");
    const apiUrl = `http://127.0.0.1:${apiPort}`;
    await progress.step("api", async () => {
      const api = launchApi(paths, {
        database: address,
        secrets,
        apiUrl,
        siteOrigin: origin,
        runnerUrls: running.runnerUrls,
      });
      record({ apiUrl, processes: { ...running.processes, api } });
      await waitUntilAnswers(paths, "api", api, `${apiUrl}/__encore/healthz`, LIMITS.startWaitMs, signal);
    });

    await progress.step("source", async (step) => {
      try {
        const site = connect(`${apiUrl}/mcp`, local);
        step.note(await seedSource({ site, root: paths.root, ledger: paths.source }));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        // One page is empty then; that is no reason to take the others away.
        step.fault(`not published: ${error.sentence}`);
      }
    });
    signal.throwIfAborted();

    await progress.step("site", async () => {
      const web = launch(paths, {
        name: "web",
        argv: [join(paths.root, "apps/web/server.mts"), ...(dev ? ["--dev"] : [])],
        cwd: join(paths.root, "apps/web"),
        env: {
          ...baseEnv(),
          NODE_ENV: dev ? "development" : "production",
          NEXT_TELEMETRY_DISABLED: "1",
          PORT: String(port),
          HOST: host,
          API_INTERNAL_URL: apiUrl,
          SITE_ORIGIN: origin,
        },
        pages: !dev,
      });
      record({ processes: { ...running.processes, web } });
      const wait = dev ? LIMITS.devStartWaitMs : LIMITS.startWaitMs;
      const local = localUrl(host, port);
      // The first asks through the web server for the API, the second for a page.
      await waitUntilAnswers(paths, "web", web, `${local}/api/site/status`, wait, signal);
      await waitUntilAnswers(paths, "web", web, `${local}/`, wait, signal);
    });
    record({ ready: true });
    return { running, answering: answers };
  } catch (error) {
    failed.abort();
    await runnerStart.catch(() => {});
    await stopSite(paths, running);
    throw error;
  }
}

/** Whether the owner lets the agent use a skill that reaches the network; without one, nothing is started for it. */
async function usesNetwork(db: Database): Promise<boolean> {
  const open = SKILL_MANIFEST.skills.filter(({ network }) => network === "egress").map(({ name }) => name);
  return [...(await readAgentSkills(db, open)).values()].some(({ agentEnabled }) => agentEnabled);
}

/** Where the library says that the site's own skills come from: as set, as the clone says, or from no repository. */
function sourceRepo(paths: Paths): string {
  const named = siteSettings(paths, "").XRAY_SOURCE_REPO;
  if (named) return named;
  const { stdout } = spawnSync("git", ["-C", paths.root, "remote", "get-url", "origin"], { encoding: "utf8" });
  const found = /github\.com[:/]([A-Za-z0-9][A-Za-z0-9-]{0,38}\/[A-Za-z0-9._-]{1,100}?)(?:\.git)?\s*$/.exec(
    stdout ?? "",
  );
  return found?.[1] ?? "";
}

/** The origin a person opens, unless `SITE_ORIGIN` names another: where a proxy of theirs stands in front. */
function localOrigin(host: string, port: number): string {
  const isLocal = host === "127.0.0.1" || host === "0.0.0.0" || host === "::" || host === "localhost";
  return `http://${isLocal ? "localhost" : inUrl(host)}:${port}`;
}

/** How this machine reaches the web server it starts. */
function localUrl(host: string, port: number): string {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${inUrl(reachable)}:${port}`;
}

function refuseFullDisk(paths: Paths): void {
  for (const folder of [paths.home, paths.root]) {
    if (!existsSync(folder)) continue;
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize >= LIMITS.freeDiskBytes) continue;
    const free = Math.floor((bavail * bsize) / 1_048_576);
    throw new Refusal(
      `The disk is nearly full: ${free} MB are free at ${folder}.`,
      `Free at least ${LIMITS.freeDiskBytes / 1_048_576} MB, or keep the site elsewhere with XRAY_HOME.`,
    );
  }
}
