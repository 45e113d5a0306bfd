/** Publishing the source as a release and as `up` do it: over the admin endpoint, from a repository made for it. */
import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { commitName } from "../../cli/git-objects.mts";
import { type AdminSite, connect } from "../../cli/mcp-client.mts";
import { batchesOf, publishSource } from "../../cli/publish-source.mts";
import { seedSource } from "../../cli/seed-source.mts";
import { LIMITS } from "../../shared/limits";
import { type McpSite, startMcpSite } from "../support/mcp.mts";
import { START_MS } from "../support/site.mts";
import { textOf } from "../support/xray-command.mts";

const ROOT = realpathSync(fileURLToPath(new URL("../..", import.meta.url)));
const folder = realpathSync(mkdtempSync(join(tmpdir(), "xray-publish-")));
const clone = join(folder, "clone");
const ledger = join(folder, "source.json");
/** Null in a downloaded archive. */
const ownCommit = await commitName(ROOT);
let site: McpSite;
let admin: AdminSite;

function git(...args: string[]): string {
  const who = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
  return execFileSync("git", [...who, ...args], { cwd: clone, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}
function write(path: string, text: string): void {
  mkdirSync(join(clone, path, ".."), { recursive: true });
  writeFileSync(join(clone, path), text);
}
/** Commits everything there is, and gives the commit's name. */
async function commit(files: Record<string, string>): Promise<string> {
  for (const [path, text] of Object.entries(files)) write(path, text);
  git("add", "--all");
  git("commit", "--quiet", "--message", "c");
  return (await commitName(clone))!;
}
const shown = async (): Promise<[sha: string, paths: string[]]> => {
  const { body } = await site.visitor().json("/source");
  return [body.snapshot.sha, body.files.map(({ path }: { path: string }) => path)];
};

beforeAll(async () => {
  site = await startMcpSite({ provider: null });
  admin = connect(site.mcp.url(), site.tokens.owner);
  mkdirSync(clone);
  git("init", "--quiet");
}, START_MS);
afterAll(async () => {
  await site.stop();
  rmSync(folder, { recursive: true });
});

describe("a commit", () => {
  it("is shown after three steps, without what was not committed; the same again sends nothing", async () => {
    const sha = await commit({ "README.md": "# A\n", "apps/a.ts": "export {};\n", "apps/b.ts": "b\n" });
    write("apps/.env", "SECRET=1");
    write("apps/a.ts", "changed and not committed");
    expect(await publishSource(admin, clone, sha)).toEqual({ sha, files: 3, sent: 3, unchanged: false });
    expect(await shown()).toEqual([sha, ["README.md", "apps/a.ts", "apps/b.ts"]]);
    expect(await publishSource(admin, clone, sha)).toEqual({ sha, files: 3, sent: 0, unchanged: true });
    rmSync(join(clone, "apps/.env"));
  });

  it("takes over the files that have not changed, and goes on where an upload was cut off", async () => {
    const sha = await commit({ "apps/a.ts": "new\n", "apps/c.ts": "c\n" });
    const cut: AdminSite = {
      ...admin,
      call: (tool, args) =>
        tool === "source_snapshot_commit" ? Promise.reject(new Error("cut")) : admin.call(tool, args),
    };
    await expect(publishSource(cut, clone, sha)).rejects.toThrow("cut");
    expect((await shown())[1]).toEqual(["README.md", "apps/a.ts", "apps/b.ts"]);
    expect(await publishSource(admin, clone, sha)).toMatchObject({ files: 4, sent: 0 });
    expect(await shown()).toEqual([sha, ["README.md", "apps/a.ts", "apps/b.ts", "apps/c.ts"]]);
    const puts = (await site.audit()).filter(({ tool }) => tool === "source_files_put").map(({ summary }) => summary);
    expect(puts.at(-1)).toBe(`${sha.slice(0, 7)}, 2 files`);
  });

  it("of more files than one answer names is put in rounds", async () => {
    const calls: string[] = [];
    const missing = [
      ["README.md", "apps/a.ts"],
      ["apps/b.ts", "apps/c.ts"],
    ];
    const slow: AdminSite = {
      ...admin,
      call: async <T>(tool: string, args: Record<string, unknown>) => {
        const paths = ((args.files ?? []) as { path: string }[]).map(({ path }) => path);
        calls.push(tool === "source_files_put" ? paths.join(" ") : tool);
        const round = missing[0] ?? [];
        if (tool === "source_snapshot_begin") missing.shift();
        return { missing: round, truncated: missing.length > 0, alreadyCurrent: false } as T;
      },
    };
    await publishSource(slow, clone, (await commitName(clone))!);
    expect(calls).toEqual([
      "source_snapshot_begin",
      "README.md apps/a.ts",
      "source_snapshot_begin",
      "apps/b.ts apps/c.ts",
      "source_snapshot_commit",
    ]);
  });
});

it("batches hold at most 200 files and 512 KB, and every file once in its order", () => {
  const file = (bytes: number, at: number) => ({ path: `${at}`, bytes, content: "", lines: 1, sha256: "" });
  const sizes = (list: number[]) => batchesOf(list.map(file)).map((batch) => batch.map(({ bytes }) => bytes));
  const { sourceBatchBytes: most, sourceFileBytes: big } = LIMITS;
  expect(sizes([])).toEqual([]);
  expect(sizes([big, big, 1])).toEqual([[big, big], [1]]);
  expect(sizes([most - big, big])).toEqual([[most - big, big]]);
  const many = batchesOf(Array.from({ length: 401 }, (_, at) => file(0, at)));
  expect(many.map(({ length }) => length)).toEqual([200, 200, 1]);
  expect(many.flat().map(({ path }) => Number(path))).toEqual(Array.from({ length: 401 }, (_, at) => at));
});

describe("`up`", () => {
  const seed = () => seedSource({ site: admin, root: clone, ledger });

  it("leaves a commit that the owner published, and says so", async () => {
    const [published] = await shown();
    const sha = await commit({ "apps/d.ts": "d\n" });
    expect(await seed()).toBe(`${published.slice(0, 7)}, as its owner published it`);
    expect((await shown())[0]).toBe(published);
    expect(sha).not.toBe(published);
  });

  it("publishes the clone's commit where there is none, and the next one in the place of its own", async () => {
    await site.sql("DELETE FROM source_snapshots");
    const first = (await commitName(clone))!;
    expect(await seed()).toBe(`${first.slice(0, 7)}, 5 files`);
    const before = (await site.audit()).length;
    expect(await seed()).toBe(first.slice(0, 7));
    expect((await site.audit()).length).toBe(before);
    const second = await commit({ "apps/e.ts": "e\n" });
    expect(await seed()).toBe(`${second.slice(0, 7)}, 6 files`);
    expect((await shown())[0]).toBe(second);
  });

  it("shows nothing from a folder that is no clone", async () => {
    expect(await seedSource({ site: admin, root: folder, ledger })).toBe("none: this folder is no clone");
  });
});

describe("deploy/publish-source", () => {
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) server.close();
  });

  async function run(words: string[], env: Record<string, string>) {
    const { PATH = "", HOME = "" } = process.env;
    const child = spawn(join(ROOT, "deploy/publish-source"), words, {
      cwd: folder,
      env: { PATH, HOME, XRAY_HOME: join(folder, "home"), ...env },
    });
    const [out, err] = [textOf(child.stdout), textOf(child.stderr)];
    const [code] = await once(child, "close");
    return { code, out: await out, err: (await err).trim() };
  }
  /** A site that answers everything with one JSON body. */
  async function answering(status: number, body: unknown): Promise<Record<string, string>> {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    servers.push(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return { XRAY_MCP_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, XRAY_MCP_TOKEN: "t" };
  }
  const rpcError = (code: number) => ({ jsonrpc: "2.0", id: 1, error: { code, message: "no\u001b[31m" } });
  const refusal = (facts: object) => ({
    jsonrpc: "2.0",
    id: 1,
    result: { isError: true, content: [{ type: "text", text: JSON.stringify(facts) }] },
  });

  it.skipIf(ownCommit === null)(
    "publishes this repository's commit, and says that it had when it is run again",
    async () => {
      const sha = ownCommit!;
      const env = { XRAY_MCP_URL: site.mcp.url(), XRAY_MCP_TOKEN: site.tokens.owner };
      await site.sql("DELETE FROM source_snapshots");
      const first = await run([sha], env);
      expect(first).toMatchObject({ code: 0, err: "" });
      expect(first.out).toMatch(
        new RegExp(`^  Commit ${sha.slice(0, 7)} is published: (\\d+) files, \\1 of them sent\\.\n$`),
      );
      const [published, paths] = await shown();
      expect([published, paths.includes("deploy/publish-source"), paths.includes("package-lock.json")]).toEqual([
        sha,
        true,
        false,
      ]);
      expect((await run([sha], env)).out).toBe(`  Commit ${sha.slice(0, 7)} was published already.\n`);
    },
    60_000,
  );

  it.each([-32_601, -32_602])(
    "on a site without the tools (%p) prints what to do by hand, and the release goes on",
    async (code) => {
      const { out, ...rest } = await run([], await answering(200, rpcError(code)));
      expect(rest).toEqual({ code: 0, err: "" });
      expect(out).toContain("deploy/publish-source COMMIT");
    },
  );

  it.each<[string, number, unknown, string]>([
    ["a token that is none", 401, rpcError(-32_001), "The site does not accept the token."],
    ["another failure", 200, rpcError(-32_603), "The site failed at source_snapshot_begin: no[31m"],
    ["no JSON", 502, "bad gateway", "The site answered source_snapshot_begin with 502 and nothing readable."],
    [
      "a refusal",
      200,
      refusal({ error: "Too many.", field: "files", retry: "Send fewer." }),
      "source_snapshot_begin was refused (files): Too many.\n  Send fewer.",
    ],
  ])("fails with one sentence on %s", async (_case, status, body, sentence) => {
    const { code, out, err } = await run([], await answering(status, body));
    expect([code, out]).toEqual([1, ""]);
    expect(err).toStartWith(sentence);
  });

  it.each<[string, string[], Record<string, string>, number, string]>([
    ["a commit that is none", ["nothing"], {}, 1, "git knows no commit nothing."],
    ["two words", ["a", "b"], {}, 2, "It takes one word"],
    ["no site", [], {}, 1, "No site runs here."],
    ["no token", [], { XRAY_MCP_URL: "https://site.example/api/mcp" }, 1, "There is no token for that site."],
    [
      "a wire that others read",
      [],
      { XRAY_MCP_URL: "http://site.example/api/mcp", XRAY_MCP_TOKEN: "t" },
      1,
      "The address of the admin endpoint is https, or http on this machine.",
    ],
    [
      "nobody there",
      [],
      { XRAY_MCP_URL: "http://127.0.0.1:1/mcp", XRAY_MCP_TOKEN: "t" },
      1,
      "The site does not answer",
    ],
  ])("refuses %s", async (_case, words, env, code, sentence) => {
    const ran = await run(words, env);
    expect([ran.code, ran.out]).toEqual([code, ""]);
    expect(ran.err).toStartWith(sentence);
  });
});
