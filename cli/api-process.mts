/** The API's process: started with its infra file and environment, and replaced when a setting must take effect. */
import { join } from "node:path";
import { LIMITS } from "../shared/limits.ts";
import { apiEnv, type DatabaseAddress, writeInfra } from "./infra.mts";
import { launch, waitUntilAnswers } from "./launch.mts";
import type { Paths } from "./paths.mts";
import { isOurs, type ProcessRecord, recordOf, stopProcess } from "./processes.mts";
import { runnerSettings } from "./runner.mts";
import { type Running, readRunning, writeRunning } from "./running.mts";
import { mintSecrets, type Secrets } from "./secrets.mts";

export interface ApiSettings {
  database: DatabaseAddress;
  secrets: Secrets;
  apiUrl: string;
  siteOrigin: string;
  /** Where scripts of skills run, by network tier. */
  runnerUrls?: Running["runnerUrls"];
}

export function launchApi(
  paths: Paths,
  { database, secrets, apiUrl, siteOrigin, runnerUrls = {} }: ApiSettings,
): ProcessRecord {
  writeInfra(paths, database, apiUrl);
  return launch(paths, {
    name: "api",
    argv: [join(paths.root, "apps/host/main.mts")],
    cwd: paths.root,
    env: { ...runnerSettings(runnerUrls), ...apiEnv(paths, secrets, new URL(apiUrl).host, siteOrigin) },
  });
}

/** Replaces a running API by one that has read the settings again. False when no API runs. */
export async function restartApi(paths: Paths): Promise<boolean> {
  const running = readRunning(paths.running);
  const old = running?.processes.api;
  if (!running?.ready || !running.address || !isOurs(old)) return false;
  writeRunning(paths.running, { ...running, restarter: recordOf(process.pid) });
  try {
    await stopProcess(old, "SIGTERM", LIMITS.stopWaitMs);
    const api = launchApi(paths, {
      database: running.address,
      secrets: mintSecrets(paths.secrets),
      apiUrl: running.apiUrl,
      siteOrigin: running.url,
      runnerUrls: running.runnerUrls,
    });
    running.processes.api = api;
    writeRunning(paths.running, { ...running, restarter: recordOf(process.pid) });
    await waitUntilAnswers(
      paths,
      "api",
      api,
      `${running.apiUrl}/__encore/healthz`,
      LIMITS.startWaitMs,
      new AbortController().signal,
    );
  } finally {
    writeRunning(paths.running, running);
  }
  return true;
}
