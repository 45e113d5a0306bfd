/**
 * The whole way a person goes, on a site of its own in a temporary folder: up, up again, a model added, a crash, down.
 * Runs as whoever runs the tests; every process it starts is stopped at the end, also after a failure.
 */
import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../apps/api/database/pool.ts";
import { deleteSkill, setSkillAgentEnabled } from "../../apps/api/stores/skills-admin.ts";
import { enabledTools, setTool } from "../../apps/api/stores/tool-config.ts";
import { commitName } from "../../cli/git-objects.mts";
import { appUrl } from "../../cli/infra.mts";
import { pathsOf } from "../../cli/paths.mts";
import { freePort } from "../../cli/ports.mts";
import { type ProcessRecord, recordOf, stateOfRecord } from "../../cli/processes.mts";
import { findPython, isPython } from "../../cli/python.mts";
import { type Running, readRunning, writeRunning } from "../../cli/running.mts";
import { mintSecrets } from "../../cli/secrets.mts";
import type { SkillsIndex } from "../../shared/contracts/skills.ts";
import { textOf, xrayCommand } from "../support/xray-command.mts";

const folder = mkdtempSync(join(tmpdir(), "xray up ")); // With spaces, as folders of people have.
const home = join(folder, "home");
const paths = pathsOf({ XRAY_HOME: home });
const port = await freePort();
/** The first start may have to build the pages. */
const START_MS = 300_000;
const KEY = "sk-test-4f9a77c1d2e8b6a0";
const strangers: ChildProcess[] = [];
const python = await findPython();
/** Whether this machine can wall scripts in; elsewhere a site has no runner, and says so. */
const canRun = isPython(python) && python.landlock >= 2;

const command = xrayCommand(home, folder);
const { start, run: xray } = command;

const up = (...more: string[]) => xray(["up", "--background", "--port", String(port), ...more]);
const recorded = (): Running => readRunning(paths.running)!;
const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;

beforeAll(async () => {
  expect(await up()).toMatchObject({ code: 0 });
}, START_MS);
afterAll(async () => {
  await xray(["down"]);
  command.endAll();
  for (const stranger of strangers) stranger.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
  rmSync(paths.cluster, { recursive: true, force: true });
});

describe("a site that is up", () => {
  it("answers with pages, the API behind them, and seeded notes", async () => {
    expect([await get("/"), await get("/api/health"), await get("/notes")]).toEqual([200, 200, 200]);
  });

  it("shows the source of the clone's last commit; a folder that is no clone shows none", async () => {
    const sha = await commitName(paths.root);
    const response = await fetch(`http://127.0.0.1:${port}/api/source`);
    expect(sha === null ? response.status : (await response.json()).snapshot.sha).toBe(sha ?? 404);
  });

  it("prints the one address, and nothing on standard output but what a person needs", async () => {
    const again = await up();
    expect(again).toEqual({
      code: 0,
      out: `\n  Already running: http://localhost:${port}\n  Stop it with ./xray down.\n\n`,
      err: "",
    });
  });

  it("says so when its sources have changed since, or it was asked for in another way", async () => {
    const running = recorded();
    writeRunning(paths.running, { ...running, inputs: "of an earlier commit" });
    const { code, out } = await up();
    expect([code, out]).toEqual([
      0,
      `\n  Already running: ${running.url}\n  Its sources have changed since it started.\n` +
        `  To start it anew: ./xray down, then ./xray up --port ${port}.\n\n`,
    ]);
    writeRunning(paths.running, running);
    expect((await up("--dev")).out).toEndWith(
      `  It was started without --dev.\n  To start it anew: ./xray down, then ./xray up --port ${port} --dev.\n\n`,
    );
  });

  it("stays where it is when another port or address is asked for, says so, and starts nothing twice", async () => {
    const before = recorded();
    const other = await xray(["up", "--background", "--port", "65000", "--host", "0.0.0.0"]);
    expect(other).toEqual({
      code: 0,
      out:
        `\n  Already running: ${before.url}\n` +
        `  It listens on port ${port}, not on 65000.\n  It listens on 127.0.0.1, not on 0.0.0.0.\n` +
        "  To start it anew: ./xray down, then ./xray up --port 65000 --host 0.0.0.0.\n\n",
      err: "",
    });
    expect(recorded()).toEqual(before);
    // Without a port none in particular is asked for.
    expect((await xray(["up", "--background"])).out).toEndWith("  Stop it with ./xray down.\n\n");
  });

  it("is described by status for people and for programs", async () => {
    const { code, out } = await xray(["status", "--json"]);
    const status = JSON.parse(out);
    expect({ code, state: status.state, url: status.url, model: status.model, database: status.database }).toEqual({
      code: 0,
      state: "running",
      url: `http://localhost:${port}`,
      model: "demo",
      database: "embedded",
    });
    const { processes } = recorded();
    expect(status.processes.map(({ name, pid }: { name: string; pid: number }) => [name, pid])).toEqual([
      ["postgres", processes.postgres!.pid],
      ...(canRun ? [["runner", processes.runner!.pid]] : []),
      ["api", processes.api!.pid],
      ["web", processes.web!.pid],
    ]);
    for (const { memoryMb } of status.processes) expect(memoryMb).toBeGreaterThan(1);
    expect((await xray(["status"])).out).toContain(`running  http://localhost:${port}`);
  });

  it.if(process.platform === "linux")("keeps its API and database on loopback", () => {
    const running = recorded();
    expect(new URL(running.apiUrl).hostname).toBe("127.0.0.1");
    const listening = readFileSync("/proc/net/tcp", "utf8").split("\n");
    for (const used of [Number(new URL(running.apiUrl).port), port, running.address!.port]) {
      const hex = used.toString(16).toUpperCase().padStart(4, "0");
      const sockets = listening
        .filter((line) => line.includes(`:${hex} 00000000:0000 0A`))
        .map((line) => line.trim().split(/\s+/)[1]);
      expect(sockets).toEqual([`0100007F:${hex}`]);
    }
  });

  it.if(process.platform === "linux")("hands its processes no variable of the person's shell", () => {
    for (const name of ["api", "web"] as const) {
      const env = readFileSync(`/proc/${recorded().processes[name]!.pid}/environ`, "utf8").split("\0");
      const names = env.map((entry) => entry.split("=")[0]!).filter(Boolean);
      expect(names.filter((entry) => /^(XRAY_HOME|npm_|CI$|OPENAI)/.test(entry))).toEqual([]);
    }
    const web = readFileSync(`/proc/${recorded().processes.web!.pid}/environ`, "utf8");
    expect(web).not.toMatch(/POSTGRES|ENCRYPTION/);
  });
});

describe("a provider", () => {
  it("is refused on a host that is not listed, and on plain http beyond this machine", async () => {
    const add = (url: string) =>
      xray(["provider", "add", "--name", "x", "--model", "m", "--base-url", url], { input: `${KEY}\n` });
    expect(await add("https://models.example/v1")).toEqual({
      code: 1,
      out: "",
      err: "\n  models.example is not a host that models may be called at; nothing was changed.\n  Say --allow-host to add it.\n\n",
    });
    expect((await add("http://models.example/v1")).code).toBe(2);
    expect(existsSync(paths.env)).toBe(false);
    expect((await xray(["provider", "list"])).out).toContain("No model is connected");
  });

  it("is added with a piped key, answers, and its key is shown nowhere", async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.headers.authorization);
      response.writeHead(200, { "content-type": "text/event-stream" });
      const chunk = (delta: object, finish: string | null) =>
        `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
      response.end(
        `${chunk({ role: "assistant", content: "Seen through." }, null)}${chunk({}, "stop")}data: [DONE]\n\n`,
      );
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const before = recorded().processes;

    const words = [
      "provider",
      "add",
      "--name",
      "local",
      "--model",
      "qq-17x",
      "--base-url",
      baseUrl,
      "--window",
      "8192",
    ];
    const added = await xray([...words, "--allow-host", "--default"], { input: `${KEY}\n` });
    expect(added).toEqual({
      code: 0,
      out:
        "  Added local; it answers from the next message on.\n" +
        `  ${new URL(baseUrl).host} is now in XRAY_LLM_EXTRA_HOSTS of ${paths.env}.\n` +
        "  The API was started again to read it.\n",
      err: "",
    });
    const after = recorded().processes;
    expect([after.web, after.postgres]).toEqual([before.web, before.postgres]);
    expect(after.api!.pid).not.toBe(before.api!.pid);

    const answer = await fetch(`http://127.0.0.1:${port}/api/agent/ask`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ prompt: "hello" }),
    });
    expect(await answer.text()).toContain("Seen through.");
    expect(asked).toEqual([`Bearer ${KEY}`]);
    server.close();

    const listed = await xray(["provider", "list"]);
    expect(listed.out).toBe(`  *  local  qq-17x  ${baseUrl}  sk-…b6a0\n`);
    const seen = JSON.stringify([added, listed, await xray(["status", "--json"]), await xray(["logs"])]);
    expect(seen).not.toContain(KEY);
    expect(JSON.parse((await xray(["status", "--json"])).out).model).toBe("local");
  });

  it("that is unknown cannot become the default", async () => {
    expect(await xray(["provider", "default", "lokal"])).toEqual({
      code: 1,
      out: "",
      err: '\n  There is no provider "lokal".\n  Did you mean local?\n\n',
    });
    expect((await xray(["provider", "default", "local"])).code).toBe(0);
  });

  it("gives way to the offline demo, whose name no provider takes", async () => {
    expect((await xray(["provider", "default", "demo"])).out).toBe(
      "  The offline demo answers from the next message on.\n",
    );
    expect(JSON.parse((await xray(["status", "--json"])).out).model).toBe("demo");
    expect((await xray(["provider", "list"])).out).toEndWith(
      "  None of them is the default; the scripted demo answers.\n",
    );
    const env = { XRAY_DEMO_MODEL: "0" };
    expect((await xray(["provider", "default", "demo"], { env })).err).toContain("The offline demo is switched off.");
    const words = ["provider", "add", "--name", "demo", "--model", "m", "--base-url", "https://api.openai.com/v1"];
    expect(await xray(words, { input: KEY })).toMatchObject({ code: 2, out: "" });
  });

  it("whose host is struck from the list is not said to answer", async () => {
    await xray(["provider", "default", "local"]);
    const kept = readFileSync(paths.env, "utf8");
    writeFileSync(paths.env, "");
    const why = "its host is not in XRAY_LLM_EXTRA_HOSTS";
    expect((await xray(["status"])).out).toContain(`  model     local cannot answer: ${why}\n`);
    const { model, modelFault } = JSON.parse((await xray(["status", "--json"])).out);
    expect([model, modelFault]).toEqual([null, `local cannot answer: ${why}`]);
    await xray(["down"]);
    expect((await up()).out).toContain(`  local is to answer and cannot: ${why}.\n`);
    writeFileSync(paths.env, kept);
  });

  it("without a key is added as the README says", async () => {
    const line = /^echo (\S+) \| \.\/xray (provider add .+)$/m.exec(readFileSync("README.md", "utf8"))!;
    const added = await xray(line[2]!.split(" "), { input: `${line[1]}\n` });
    expect(added).toMatchObject({ code: 0, err: "" });
    expect(added.out).toStartWith("  Added ollama; it answers from the next message on.\n");
    await xray(["provider", "default", "demo"]);
  });
});

describe("the runner", () => {
  it.if(canRun)(
    "of a first start has let the agent have its skills, and what the owner switched off stays off",
    async () => {
      const skills = async () => (await fetch(`http://127.0.0.1:${port}/api/skills`)).json();
      const enabled = async () =>
        ((await skills()) as SkillsIndex).categories.flatMap(({ skills }) =>
          skills.filter((skill) => skill.agentEnabled).map(({ name }) => name),
        );
      expect(await enabled()).toEqual(["calc", "chart", "csv-insight", "text-tools"]);
      const db = openDatabase(appUrl(recorded().address!, mintSecrets(paths.secrets)));
      const switches = async () => [...(await enabledTools(db)).keys()].filter((name) => name.startsWith("skill"));
      expect(await switches()).toEqual(["skill_load", "skill_run"]);

      await setTool(db, "skill_run", false);
      await setSkillAgentEnabled(db, "calc", false);
      await deleteSkill(db, "csv-insight");
      await xray(["down"]);
      expect(await up()).toMatchObject({ code: 0 });
      expect([await enabled(), await switches()]).toEqual([["chart", "text-tools"], ["skill_load"]]);
      await setTool(db, "skill_run", true);
      await db.close();
    },
  );

  it.if(canRun)(
    "that ends leaves the site running; status says it, and up starts it again beside the same API",
    async () => {
      const { processes } = recorded();
      process.kill(processes.runner!.pid, "SIGKILL");
      await gone(processes.runner!);
      const ended = await xray(["status"]);
      expect([ended.code, ended.out.includes("runner        not running")]).toEqual([0, true]);
      expect(ended.out).toContain("  scripts   refused: the runner ended; ./xray up starts it again\n");
      expect(await get("/")).toBe(200);
      expect((await up()).out).toContain("  A runner had ended and was started again.\n");
      const after = recorded().processes;
      expect({ ...after, runner: undefined }).toEqual({ ...processes, runner: undefined });
      expect(stateOfRecord(after.runner!)).toBe("ours");
      expect(JSON.parse((await xray(["status", "--json"])).out).scriptsFault).toBeNull();
      expect((await xray(["logs", "runner"])).out).toContain("ready");
    },
  );

  it("that cannot be had is not needed: the site runs, and says what it lacks", async () => {
    await xray(["down"]);
    const env = { XRAY_PYTHON: "/nowhere/python" };
    const started = await xray(["up", "--background", "--port", String(port)], { env });
    expect([started.code, started.err.includes("no scripts here: there is no Python")]).toEqual([0, true]);
    expect(await get("/")).toBe(200);
    const status = await xray(["status"]);
    expect([status.code, status.out.includes("  scripts   refused: there is no Python\n")]).toEqual([0, true]);
    expect(
      JSON.parse((await xray(["status", "--json"])).out).processes.map(({ name }: { name: string }) => name),
    ).toEqual(["postgres", "api", "web"]);
  });
});

describe("when something is wrong", () => {
  it("a process that died makes the site broken, and the next up repairs it", async () => {
    process.kill(recorded().processes.api!.pid, "SIGKILL");
    await gone(recorded().processes.api!);
    const broken = await xray(["status"]);
    expect([broken.code, broken.out.includes("broken"), broken.out.includes("api ended.")]).toEqual([1, true, true]);
    expect(await up()).toMatchObject({ code: 0 });
    expect((await xray(["status"])).code).toBe(0);
  });

  it("down leaves a stranger alone whose pid a stale record names", async () => {
    const stranger = spawn("sleep", ["600"], { stdio: "ignore" });
    strangers.push(stranger);
    const record = recordOf(stranger.pid!)!;
    const running = recorded();
    const api = running.processes.api!;
    // The start time is the API's, the pid is the stranger's: what a reused pid looks like.
    writeRunning(paths.running, { ...running, processes: { ...running.processes, api: { ...api, pid: record.pid } } });
    const { code, out } = await xray(["down"]);
    expect([code, out]).toEqual([
      0,
      `  The pid ${record.pid} recorded for api now belongs to another program, which was left alone.\n  Stopped web, ${canRun ? "runner, " : ""}postgres.\n`,
    ]);
    expect(stateOfRecord(record)).toBe("ours");
    process.kill(api.pid, "SIGTERM");
    await gone(api);
    expect((await xray(["down"])).out).toBe("  Nothing is running.\n");
  });

  it("a taken port is named with its holder and another one, and nothing is started", async () => {
    const server = createServer().listen(port, "127.0.0.1");
    await once(server, "listening");
    const { code, err } = await up();
    server.close();
    expect(code).toBe(1);
    expect(err).toMatch(
      new RegExp(
        `^\\n  Port ${port} is taken by \\S+ \\(pid ${process.pid}\\)\\.\\n  Stop it, or choose another port: ./xray up --port \\d+\\n\\n$`,
      ),
    );
    expect(readRunning(paths.running)).toBeUndefined();
  });

  it("a database that does not answer is said, and nothing is left running", async () => {
    const env = { DATABASE_URL: `postgres://nobody@127.0.0.1:${await freePort()}/xray` };
    const { code, err } = await xray(["up", "--background", "--port", String(port)], { env });
    expect([code, err.includes("does not answer (ECONNREFUSED)."), err.includes("nobody")]).toEqual([1, true, false]);
    expect(readRunning(paths.running)).toBeUndefined();
  });

  it("broken secrets stop the start instead of being replaced", async () => {
    const kept = readFileSync(paths.secrets, "utf8");
    writeFileSync(paths.secrets, "{");
    expect((await up()).err).toContain(`The secrets in ${paths.secrets} cannot be read.`);
    writeFileSync(paths.secrets, kept);
  });
});

describe("in the foreground", () => {
  it("Ctrl-C stops everything that this run started, and says so", async () => {
    const child = start(["up", "--port", String(port)]);
    const out = textOf(child.stdout!);
    await until(() => readRunning(paths.running)?.supervisor !== undefined);
    const { processes } = recorded();
    expect(await get("/")).toBe(200);
    child.kill("SIGINT");
    expect(await once(child, "close")).toEqual([0, null]);
    expect((await out).trimEnd().endsWith("Stopping …\n  Stopped.")).toBe(true);
    expect(Object.values(processes).map(stateOfRecord)).toEqual(Array(canRun ? 4 : 3).fill("gone"));
    expect(existsSync(paths.running)).toBe(false);
  });

  it("a process that dies by itself is named with its log, the rest is stopped, and the exit says so", async () => {
    const child = start(["up", "--port", String(port)]);
    const err = textOf(child.stderr!);
    await until(() => readRunning(paths.running)?.supervisor !== undefined);
    const { processes } = recorded();
    process.kill(processes.web!.pid, "SIGKILL");
    expect(await once(child, "close")).toEqual([1, null]);
    expect(await err).toContain("The web process ended by itself, so the rest was stopped.");
    expect(await err).toContain(`The whole log is in ${join(paths.logs, "web.log")}.`);
    expect(Object.values(processes).map(stateOfRecord)).toEqual(Array(canRun ? 4 : 3).fill("gone"));
  });

  it("down from another terminal ends it", async () => {
    const child = start(["up", "--port", String(port)]);
    await until(() => readRunning(paths.running)?.supervisor !== undefined);
    const ended = once(child, "close");
    expect((await xray(["down"])).out).toBe("  Stopped.\n");
    expect(await ended).toEqual([0, null]);
  });
});

async function gone(record: ProcessRecord): Promise<void> {
  await until(() => stateOfRecord(record) === "gone");
}

/** Polls a fact that another process will make true; the test's own time limit ends a wait in vain. */
async function until(fact: () => boolean): Promise<void> {
  while (!fact()) await new Promise((resolve) => setTimeout(resolve, 25));
}
