/**
 * The whole site as a visitor meets it: a database with the notes and skills of this repository and some of its source, the application on the bundled host with the offline demo,
 * and the pages behind the web port, each its own process on a free port. The pages are built once and kept until
 * their sources change.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Database, openDatabase } from "../../apps/api/database/pool.ts";
import { pathsOf } from "../../cli/paths.mts";
import { seed } from "../../cli/seed.mts";
import { seedSkills } from "../../cli/seed-skills.mts";
import { buildWeb } from "../../cli/web-build.mts";
import { type AppOptions, type RunningApp, startApp } from "./app.mts";
import { createTestDatabase } from "./database.mts";
import { publish, shaOf } from "./source.mts";
import { type WatchedProcess, watchProcess } from "./watched-process.mts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
/** Patience of the hook that starts a site: the first of a run builds the pages and may make a database server. */
export const START_MS = 300_000;

/** For a site on which no test needs to meet an answer that is still being written. */
export const QUICK = { demoCharsPerSecond: 2_000 };

export interface WebSite {
  /** What a visitor opens. */
  url: string;
  app: RunningApp;
  /** Log of the web server. */
  webLog(): string;
  stop(): Promise<void>;
}

/** Builds the pages when needed, then starts everything. Whatever fails, nothing stays behind. */
export async function startWebSite(options: Pick<AppOptions, "env" | "limits"> = {}): Promise<WebSite> {
  await buildWeb(pathsOf(), AbortSignal.timeout(START_MS), () => {});
  const database = await createTestDatabase();
  const undo: (() => Promise<unknown>)[] = [() => database.drop()];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const db = openDatabase(database.appUrl);
    await fillLibrary(db).finally(() => db.close());
    const app = await startApp({
      databaseUrl: database.appUrl,
      limits: options.limits,
      env: { XRAY_DEMO_MODEL: "1", ...options.env },
    });
    undo.push(() => app.stop());
    const web = startWeb(app.url);
    undo.push(() => web.stop());
    return { url: await web.url(), app, webLog: web.log, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Files of this repository that every site of the tests publishes: a text with links and pictures, a folder, code. */
const SOURCE = [
  "README.md",
  "docs/architecture.md",
  "apps/api/database/pool.ts",
  "apps/api/kernel/sanitise.ts",
  "apps/web/server.mts",
];

async function fillLibrary(db: Database): Promise<void> {
  await seed({ db, log: () => {} });
  const state = mkdtempSync(join(tmpdir(), "xray-skills-"));
  await seedSkills({
    db,
    root: REPOSITORY,
    ledger: join(state, "skills.json"),
    repo: "example/agent-x-ray",
    log: () => {},
  }).finally(() => rmSync(state, { recursive: true }));
  const texts = SOURCE.map((path) => [path, readFileSync(join(REPOSITORY, path), "utf8")] as const);
  await publish(db, shaOf("a"), Object.fromEntries(texts));
}

/** The built pages in front of any API; the caller has built them. `origin` is what the site takes itself for. */
export function startWeb(apiUrl: string, origin?: string): WatchedProcess {
  return watchProcess(
    spawn(process.execPath, ["--bun", join(REPOSITORY, "apps/web/server.mts")], {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PORT: "0",
        API_INTERNAL_URL: apiUrl,
        ...(origin && { SITE_ORIGIN: origin }),
      },
      stdio: ["ignore", "ignore", "pipe"],
    }),
  );
}
