/** What a site does for its runners without starting one: folders, packages, settings, and reasons to go without. */
import { afterAll, beforeEach, describe, expect, it } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathsOf, type Paths } from "../../cli/paths.mts";
import { runnerHealth, runnerPlace, runnerSettings, startRunner } from "../../cli/runner.mts";
import { runnerPackages } from "../../cli/runner-packages.mts";

const folder = mkdtempSync(join(tmpdir(), "xray-runner-"));
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});
const never = new AbortController().signal;

describe("the packages of web-fetch", () => {
  const root = join(folder, "clone");
  const paths: Paths = { ...pathsOf({ XRAY_HOME: join(folder, "home") }, 1_000), root, runner: join(folder, "runner") };
  const said = join(folder, "said");
  const base = join(folder, "python");

  /** An interpreter that notes its words and makes an environment with one of the same kind. `fails` are its endings. */
  const python = (fails: { venv?: number; pip?: number; words?: string } = {}) =>
    writeFileSync(
      base,
      `#!/bin/sh
echo "$@" >> '${said}'
case "$3" in
  venv) [ ${fails.venv ?? 0} = 0 ] || exit 1; mkdir -p "$4/bin" && cp '${base}' "$4/bin/python" ;;
  pip) echo '${fails.words ?? ""}'; exit ${fails.pip ?? 0} ;;
esac
`,
      { mode: 0o755 },
    );
  const words = () => (existsSync(said) ? readFileSync(said, "utf8").trim().split("\n") : []);

  beforeEach(() => {
    for (const path of [said, paths.runner, paths.home]) rmSync(path, { recursive: true, force: true });
    mkdirSync(join(root, "runner"), { recursive: true });
    writeFileSync(join(root, "runner/requirements.txt"), "a==1 --hash=sha256:00\n");
    python();
  });

  it("come by hash and from wheels alone, once for a list and an interpreter", async () => {
    const own = join(paths.runner, "venv/bin/python");
    expect(await runnerPackages(paths, base, never)).toEqual({ python: own });
    const [venv, pip, ...more] = words();
    expect([venv, more]).toEqual([`-I -m venv ${join(paths.runner, "venv")}`, []]);
    expect(pip).toStartWith("-I -m pip install --require-hashes --only-binary :all: --no-deps ");
    expect(pip).toEndWith(` -r ${join(root, "runner/requirements.txt")}`);
    expect(await runnerPackages(paths, base, never)).toEqual({ python: own });
    expect(words().length).toBe(2);
    writeFileSync(join(root, "runner/requirements.txt"), "a==2 --hash=sha256:00\n");
    await runnerPackages(paths, base, never);
    expect(words().length).toBe(4);
  });

  it("that cannot be had are told with the reason, and tried again at the next start", async () => {
    python({ venv: 1 });
    expect(await runnerPackages(paths, base, never)).toEqual({
      absent: "Python cannot make a virtual environment (Debian: apt-get install python3-venv)",
    });
    python({ pip: 1, words: "ERROR: No matching distribution found for lxml==6" });
    expect(await runnerPackages(paths, base, never)).toEqual({ absent: "no wheel of a package fits this machine" });
    python({ pip: 1, words: "ERROR: out of reach" });
    expect(await runnerPackages(paths, base, never)).toEqual({
      absent: `its packages were not installed (${join(paths.logs, "runner-packages.log")})`,
    });
    python();
    expect("python" in (await runnerPackages(paths, base, never))).toBe(true);
  });
});

describe("the folders of a runner", () => {
  const uid = process.getuid!();
  const pathsIn = (home: string) => ({
    ...pathsOf({ XRAY_HOME: home }),
    runner: join(home, "runner"),
    cluster: join(home, "c"),
  });

  it("are its owner's, and the socket's path fits wherever the state lies", () => {
    const short = pathsIn(join(folder, "short"));
    expect(runnerPlace(short)).toEqual({
      socket: join(short.runner, "runner.sock"),
      work: join(short.runner, "runner-work"),
    });
    expect(runnerPlace(short, "runner-egress")?.socket).toBe(join(short.runner, "runner-egress.sock"));
    expect(statSync(short.runner).mode & 0o777).toBe(uid === 0 ? 0o711 : 0o700);

    const long = pathsIn(join(folder, "l".repeat(90)));
    const { socket } = runnerPlace(long)!;
    expect(socket).toMatch(/^\/tmp\/xray-\d+-[0-9a-f]{16}\/runner\.sock$/);
    expect(statSync(join(socket, "..")).mode & 0o777).toBe(0o700);
    rmSync(join(socket, ".."), { recursive: true });
  });

  it("that somebody else has laid out first are not used", () => {
    const paths = pathsIn(join(folder, "laid"));
    mkdirSync(paths.home, { recursive: true });
    symlinkSync(folder, paths.runner);
    expect(runnerPlace(paths)).toBeUndefined();
  });
});

describe("a runner's word", () => {
  async function saying(body: string): Promise<string> {
    const socket = join(folder, `s${servers.length}.sock`);
    const server = createServer((_request, response) => response.end(body));
    servers.push(server);
    await new Promise<void>((listening) => server.listen(socket, listening));
    return socket;
  }

  it("is its health, and only codes of what it lacks are passed on", async () => {
    expect(await runnerHealth(await saying('{"ok":true,"missing":[]}'))).toEqual({ ok: true, missing: [] });
    expect(await runnerHealth(await saying('{"ok":false,"missing":["landlock","/etc/x",7]}'))).toEqual({
      ok: false,
      missing: ["landlock"],
    });
    expect(await runnerHealth(await saying('{"ok":"true"}'))).toEqual({ ok: false, missing: [] });
    expect(await runnerHealth(await saying("no"))).toBeUndefined();
    expect(await runnerHealth(await saying("x".repeat(70_000)))).toBeUndefined();
    expect(await runnerHealth(join(folder, "nobody.sock"))).toBeUndefined();
  });
});

describe("startRunner", () => {
  it("takes the runner that the owner's settings name, and starts none", async () => {
    const paths = pathsOf({ XRAY_HOME: join(folder, "named") }, 1_000);
    mkdirSync(paths.home, { recursive: true });
    writeFileSync(paths.env, "XRAY_SKILL_RUNNER_URL=unix:/run/mine.sock\n");
    const onProcess = () => {
      throw new Error("started");
    };
    expect(await startRunner(paths, { signal: never, onProcess })).toEqual({ url: "unix:/run/mine.sock" });
  });

  it("tells the API of what runs, and unlocks the tool only with it", () => {
    expect(runnerSettings({})).toEqual({});
    expect(runnerSettings({ none: "unix:/a", egress: "unix:/b" })).toEqual({
      XRAY_SKILL_RUNNER_URL: "unix:/a",
      XRAY_SKILL_RUNNER_EGRESS_URL: "unix:/b",
      XRAY_UNLOCK_DANGEROUS_TOOLS: "1",
    });
  });
});
