/** The embedded cluster, for real: made, joined, restarted over stale files, and its failures as sentences. */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { openDatabase } from "../apps/api/database/pool.ts";
import { migrate } from "./migrate.mts";
import { type Cluster, startCluster } from "./postgres-cluster.mts";
import { recordOf } from "./processes.mts";

setDefaultTimeout(120_000);

const isRoot = process.getuid?.() === 0;
const homes: string[] = [];
const clusters: Cluster[] = [];
afterAll(async () => {
  for (const cluster of clusters) await cluster.stop();
  for (const home of homes) rmSync(home, { recursive: true });
});

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), "xray-cluster-"));
  homes.push(home);
  return home;
}
async function start(home: string, port?: number): Promise<Cluster> {
  const cluster = await startCluster({ home, port });
  clusters.push(cluster);
  return cluster;
}
async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
/** Sentence and whether there is a remedy. */
const refusal = (home: string, port?: number) =>
  start(home, port).then(
    () => "started",
    (error: Error & { remedy?: string }) => [error.message, Boolean(error.remedy)],
  );
const databaseAt = (url: string, name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;

describe("a cluster", () => {
  const home = newHome();
  let cluster: Cluster;

  test("is made and started, never as root, with a private password, on loopback only", async () => {
    cluster = await start(home);
    expect(await ask(cluster.adminUrl, "SELECT current_setting('server_version_num')::int / 10000 AS major")).toEqual([
      { major: 18 },
    ]);
    expect(statSync(`/proc/${cluster.pid}`).uid).not.toBe(0);
    expect(statSync(join(home, "password")).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, "data")).mode & 0o777).toBe(0o700);
    expect(
      await ask(
        cluster.adminUrl,
        "SELECT current_setting('listen_addresses') AS a, current_setting('unix_socket_directories') AS s",
      ),
    ).toEqual([{ a: "127.0.0.1", s: "" }]);
    expect(readdirSync(home).filter((name) => name.includes("initdb") || name.endsWith(".new"))).toEqual([]);
  });

  test("lets nobody in without the password", async () => {
    for (const password of ["", "wrong"]) {
      const url = Object.assign(new URL(cluster.adminUrl), { password }).href;
      await expect(ask(url, "SELECT 1")).rejects.toThrow();
    }
  });

  test("that runs is joined, not doubled", async () => {
    const again = await start(home);
    expect([again.pid, again.port]).toEqual([cluster.pid, cluster.port]);
  });

  test("takes the first migrations of two databases at once", async () => {
    await ask(cluster.adminUrl, "CREATE DATABASE one");
    await ask(cluster.adminUrl, "CREATE DATABASE two");
    const runs = await Promise.all(
      ["one", "two"].map((name) => migrate({ adminUrl: databaseAt(cluster.adminUrl, name), appPassword: "p" })),
    );
    expect(runs[0]!.applied.length).toBeGreaterThan(0);
    expect(runs[1]).toEqual(runs[0]!);
  });

  test("sorts and folds letters of every script alike", async () => {
    expect(await ask(cluster.adminUrl, "SELECT lower('ÄÉЖΣ') AS lower")).toEqual([{ lower: "äéжσ" }]);
  });

  test("writes neither statements nor values into its log", async () => {
    const url = databaseAt(cluster.adminUrl, "one");
    await ask(url, "SELECT 'secret-statement' FROM nowhere").catch(() => {});
    const client = new Client({ connectionString: url });
    await client.connect();
    const insert = "INSERT INTO daily_quota (day, tokens) VALUES ($1, $2)";
    await client.query(insert, ["2077-07-07", 1]);
    await expect(client.query(insert, ["2077-07-07", 1])).rejects.toThrow(/duplicate/);
    await client.end();
    const log = readFileSync(join(home, "postgres.log"), "utf8");
    expect(log).toContain("duplicate key");
    expect(log).not.toMatch(/secret-statement|2077-07-07|INSERT/);
  });

  test("stopped is gone, and started again has its data", async () => {
    await cluster.stop();
    expect(recordOf(cluster.pid)).toBeUndefined();
    cluster = await start(home);
    expect(await ask(databaseAt(cluster.adminUrl, "one"), "SELECT count(*)::int AS n FROM daily_quota")).toEqual([
      { n: 1 },
    ]);
  });

  test("that restarts is found again by a pool that was open all the while", async () => {
    const url = databaseAt(cluster.adminUrl, "one").replace(/\/\/[^@]+@/, "//xray_app:p@");
    const db = openDatabase(url);
    const days = () => db.queryAs("visitor_rw", "SELECT count(*) AS n FROM daily_quota");
    expect(await days()).toEqual([{ n: 1 }]);
    await cluster.stop();
    await expect(days()).rejects.toMatchObject({ code: "unavailable" });
    cluster = await start(home, cluster.port);
    expect(await days()).toEqual([{ n: 1 }]);
    await db.close();
  });

  test("starts over a pid file of a dead process, and over one whose pid belongs to a stranger", async () => {
    const pidFile = join(home, "data", "postmaster.pid");
    // The number of this very process: alive, and not a database.
    for (const pid of [4_194_303, process.pid]) {
      await cluster.stop();
      writeFileSync(pidFile, `${pid}\n${join(home, "data")}\n0\n5432\n\n127.0.0.1\n`);
      cluster = await start(home);
      expect(cluster.pid).not.toBe(pid);
      expect(await ask(cluster.adminUrl, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    }
  });

  test("whose port is taken says so", async () => {
    await cluster.stop();
    const holder = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => holder.once("listening", resolve));
    const { port } = holder.address() as { port: number };
    expect(await refusal(home, port)).toEqual([`Port ${port} is taken while starting the database.`, true]);
    holder.close();
  });

  test("whose password file was replaced says so", async () => {
    writeFileSync(join(home, "password"), "another");
    expect(await refusal(home)).toEqual(["The database refuses its own password.", true]);
  });
});

describe("a folder", () => {
  let fresh: Cluster;

  test("that an interrupted start left half made is made anew", async () => {
    const home = newHome();
    mkdirSync(join(home, "data.new"));
    writeFileSync(join(home, "data.new", "half"), "");
    fresh = await start(home);
    expect(await ask(fresh.adminUrl, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  test("gives a server that an administrator without superuser rights can migrate", async () => {
    const { adminUrl } = fresh;
    await ask(adminUrl, "CREATE ROLE owner LOGIN CREATEROLE PASSWORD 'p'");
    await ask(adminUrl, "CREATE DATABASE owned OWNER owner");
    const ownUrl = databaseAt(adminUrl, "owned").replace(/\/\/[^@]+@/, "//owner:p@");
    for (const expected of [true, false]) {
      const { applied } = await migrate({ adminUrl: ownUrl, appPassword: "p" });
      expect(applied.length > 0).toBe(expected);
    }
    const db = openDatabase(ownUrl.replace("//owner:", "//xray_app:"));
    expect(await db.queryAs("content_ro", "SELECT slug FROM notes_series")).toEqual([]);
    await db.close();
  });

  test("of another major version is refused and left alone", async () => {
    const home = newHome();
    mkdirSync(join(home, "data"));
    writeFileSync(join(home, "data", "PG_VERSION"), "17\n");
    if (isRoot) chownSync(join(home, "data"), ...postgresIds());
    const data = join(home, "data");
    expect(await refusal(home)).toEqual([`The database in ${data} was made by Postgres 17; this one is 18.`, true]);
    expect(readdirSync(data)).toEqual(["PG_VERSION"]);
  });

  test.skipIf(!isRoot)("of another user is refused and left alone", async () => {
    const home = newHome();
    mkdirSync(join(home, "data"));
    chownSync(join(home, "data"), 54_321, 54_321);
    expect(await refusal(home)).toEqual([`The database in ${home} belongs to another user (uid 54321).`, true]);
    expect(statSync(join(home, "data")).uid).toBe(54_321);
  });

  test.skipIf(!isRoot)("that the database's user cannot reach is refused with a sentence", async () => {
    const outer = newHome();
    expect(statSync(outer).mode & 0o777).toBe(0o700);
    expect(await refusal(join(outer, "inner"))).toEqual(["No permission while making the database.", true]);
  });
});

function postgresIds(): [number, number] {
  const [, , uid, gid] = readFileSync("/etc/passwd", "utf8")
    .match(/^postgres:.*$/m)![0]
    .split(":");
  return [Number(uid), Number(gid)];
}

test("the administrator's password is shown to nobody who sits on the server's port", async () => {
  const home = newHome();
  await (await start(home)).stop();
  const password = readFileSync(join(home, "password"), "utf8");
  // Asks for the password in the clear, as the protocol allows any server to.
  const heard: Buffer[] = [];
  const askInTheClear = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]);
  const squatter = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (data: Buffer) => {
      heard.push(data);
      if (data[0] === "p".charCodeAt(0)) socket.destroy();
      else socket.write(askInTheClear);
    });
  });
  await new Promise<void>((resolve) => squatter.listen(0, "127.0.0.1", resolve));
  const { port } = squatter.address() as AddressInfo;
  try {
    // The client gives it away wherever it is let near.
    await ask(`postgres://x:${password}@127.0.0.1:${port}/postgres`, "SELECT 1").catch(() => {});
    expect(Buffer.concat(heard).includes(password)).toBe(true);
    heard.length = 0;
    expect(await refusal(home, port)).toEqual([`Port ${port} is taken while starting the database.`, true]);
    expect(Buffer.concat(heard).includes(password)).toBe(false);
  } finally {
    squatter.close();
  }
});
