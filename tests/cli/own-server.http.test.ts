/**
 * A site on somebody else's Postgres, behind somebody else's proxy: `DATABASE_URL` and `SITE_ORIGIN` in the settings
 * file. It brings that database up to date, runs no server of its own, and leaves the other one running.
 */
import { afterAll, beforeAll, expect, it } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { pathsOf } from "../../cli/paths.mts";
import { freePort } from "../../cli/ports.mts";
import { type Cluster, startCluster } from "../../cli/postgres-cluster.mts";
import { McpClient } from "../support/mcp.mts";
import { xrayCommand } from "../support/xray-command.mts";

const folder = mkdtempSync(join(tmpdir(), "xray-own-server-"));
const home = join(folder, "home");
const paths = pathsOf({ XRAY_HOME: home });
const { run, endAll } = xrayCommand(home, folder);
const port = await freePort();
/** Beside the other temporary folders, where the account that runs Postgres gets through. */
const someones = mkdtempSync(join(tmpdir(), "xray-someones-"));
let server: Cluster;

async function ask(sql: string, url = server.adminUrl): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  server = await startCluster({ home: someones });
  await ask("CREATE DATABASE someones");
  mkdirSync(home);
  const url = Object.assign(new URL(server.adminUrl), { pathname: "/someones" });
  writeFileSync(paths.env, `DATABASE_URL=${url.href}\nSITE_ORIGIN=https://site.example\n`);
}, 120_000);
afterAll(async () => {
  await run(["down"]);
  endAll();
  await server.stop();
  for (const made of [folder, someones]) rmSync(made, { recursive: true, force: true });
});

it("runs on that server, under the origin of the settings", async () => {
  // On every machine the same two processes: without Python there is no runner.
  const env = { XRAY_PYTHON: "/nowhere/python" };
  const { code, out } = await run(["up", "--background", "--port", String(port)], { env });
  expect([code, out.includes("  Open https://site.example\n")]).toEqual([0, true]);
  const status = JSON.parse((await run(["status", "--json"])).out);
  expect([status.database, status.processes.map(({ name }: { name: string }) => name)]).toEqual([
    "external",
    ["api", "web"],
  ]);
  expect(existsSync(paths.cluster)).toBe(false);

  const site = `http://127.0.0.1:${port}`;
  expect((await fetch(`${site}/notes/events/one-turn`)).status).toBe(200);
  const created = await fetch(`${site}/api/agent/sessions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  expect([created.status, created.headers.get("set-cookie")?.endsWith("; Secure")]).toEqual([200, true]);
  const url = Object.assign(new URL(server.adminUrl), { pathname: "/someones" }).href;
  expect(await ask("SELECT count(*)::int AS sessions FROM sessions", url)).toEqual([{ sessions: 1 }]);
}, 120_000);

it("lets a token in from the moment it is minted until it is taken back, and its own commands always", async () => {
  const statusOf = async (token: string) => {
    const mcp = new McpClient(() => `http://127.0.0.1:${port}/api/mcp`, token);
    return (await mcp.modern("tools/list")).status;
  };
  const own = readFileSync(paths.localToken, "utf8").trim();
  expect([statSync(paths.localToken).mode & 0o777, await statusOf(own)]).toEqual([0o600, 200]);

  const { code, out } = await run(["token", "--name", "laptop"]);
  const token = /^ {2}(xray_\S+)$/m.exec(out)![1]!;
  expect([code, out.includes("https://site.example/api/mcp"), out.includes("It counts already.")]).toEqual([
    0,
    true,
    true,
  ]);
  expect(readFileSync(paths.env, "utf8")).not.toContain(token);
  expect([await statusOf(token), await statusOf(own)]).toEqual([200, 200]);
  expect((await run(["token", "list"])).out).toBe("  laptop  everything\n");

  expect(await run(["token", "revoke", "laptop"])).toMatchObject({ code: 0, out: "  laptop is taken back.\n" });
  expect([await statusOf(token), await statusOf(own)]).toEqual([401, 200]);
}, 120_000);

it("leaves the server alone when it stops", async () => {
  expect(await run(["down"])).toMatchObject({ code: 0, out: "  Stopped web, api.\n" });
  expect(await ask("SELECT 1 AS one")).toEqual([{ one: 1 }]);
}, 120_000);
