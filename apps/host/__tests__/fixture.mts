/** Starts the fixture application, and reads what its handlers noted. */
import { fileURLToPath } from "node:url";
import { type AppOptions, type RunningApp, startApp } from "../../../tests/support/app.mts";

const ROOT = fileURLToPath(new URL("./app", import.meta.url));

export function startFixture(options: AppOptions = {}): Promise<RunningApp> {
  return startApp({ root: ROOT, ...options });
}

/** What handlers noted so far, as `name detail`. */
export async function notes(app: RunningApp): Promise<string[]> {
  const events = (await (await fetch(`${app.url}/state`)).json()) as { name: string; detail: string }[];
  return events.map(({ name, detail }) => `${name} ${detail}`.trim());
}
