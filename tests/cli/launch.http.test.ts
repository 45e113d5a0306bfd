/** Waiting for a started process: what answers on its port counts only when the process itself has taken the port. */
import { afterAll, afterEach, expect, it } from "bun:test";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { baseEnv, launch, waitUntilAnswers } from "../../cli/launch.mts";
import { pathsOf } from "../../cli/paths.mts";
import { freePort } from "../../cli/ports.mts";
import { type ProcessRecord, stopProcess } from "../../cli/processes.mts";

const folder = mkdtempSync(join(tmpdir(), "xray-launch-"));
const paths = pathsOf({ XRAY_HOME: folder });
const started: ProcessRecord[] = [];
let squatter: Server | undefined;
afterEach(() => squatter?.close());
afterAll(async () => {
  for (const record of started) await stopProcess(record, "SIGKILL", 5_000);
  rmSync(folder, { recursive: true });
});

/** A server as ours are: it takes its time to start, says so when it has bound, and ends when it cannot. */
const SERVER = `
  await Bun.sleep(300);
  const server = require("node:http").createServer((request, response) => response.end("ours"));
  server.on("error", () => process.exit(1));
  server.listen(Number(process.env.PORT), "127.0.0.1", () => console.error('{"message":"listening"}'));
`;

async function startOn(port: number): Promise<void> {
  const script = join(folder, "server.mjs");
  writeFileSync(script, SERVER);
  const record = launch(paths, {
    name: "api",
    argv: [script],
    cwd: folder,
    env: { ...baseEnv(), PORT: String(port) },
  });
  started.push(record);
  await waitUntilAnswers(paths, "api", record, `http://127.0.0.1:${port}/`, 20_000, new AbortController().signal);
}

it("a server that has bound its port and answers is ready", async () => {
  const port = await freePort();
  await startOn(port);
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("ours");
});

it("a stranger who took the port first does not pass for it, and is not even asked", async () => {
  let asked = 0;
  squatter = createServer((_request, response) => {
    asked += 1;
    response.end("not ours");
  }).listen(0, "127.0.0.1");
  await once(squatter, "listening");
  await expect(startOn((squatter.address() as AddressInfo).port)).rejects.toThrow(
    "The api process ended while it was starting.",
  );
  expect(asked).toBe(0);
});
