/** Where a site keeps its state on a bare machine (architecture §10 and §14, "Bare machine"). Creates nothing. */
import { createHash } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

export interface Paths {
  /** The clone. */
  root: string;
  /** `.xray/` of the clone, or `XRAY_HOME`. Private to the user who runs the site. */
  home: string;
  logs: string;
  /** What the database's unprivileged user must own; outside `home` when root, whose folders it cannot enter. */
  cluster: string;
  /** The runner's socket and the folders of its runs; outside `home` when root, for the same reason. */
  runner: string;
  secrets: string;
  /** Token by which this machine's own commands use the admin endpoint; new at each start. */
  localToken: string;
  /** Settings a person may edit, `NAME=value` a line. */
  env: string;
  ports: string;
  running: string;
  startLock: string;
  infra: string;
  /** What seeding has put into the skills library. */
  skills: string;
  /** Which commit's source was published from here. */
  source: string;
}

export function pathsOf(env: NodeJS.ProcessEnv = process.env, uid = process.getuid?.() ?? 1): Paths {
  const root = realpathSync(resolve(import.meta.dirname, ".."));
  const home = env.XRAY_HOME ? realPathSoFar(resolve(env.XRAY_HOME)) : join(root, ".xray");
  const ownName = createHash("sha256").update(home).digest("hex").slice(0, 16);
  const open = join("/var/lib/agent-x-ray", ownName);
  return {
    root,
    home,
    logs: join(home, "logs"),
    cluster: uid === 0 ? open : join(home, "postgres"),
    runner: uid === 0 ? join(open, "runner") : join(home, "runner"),
    secrets: join(home, "secrets.json"),
    localToken: join(home, "local-token"),
    env: join(home, "env"),
    ports: join(home, "ports.json"),
    running: join(home, "running.json"),
    startLock: join(home, "start.lock"),
    infra: join(home, "infra.json"),
    skills: join(home, "skills.json"),
    source: join(home, "source.json"),
  };
}

/** Resolves links in the part that exists, so that one folder has one name before and after it is made. */
function realPathSoFar(path: string): string {
  if (existsSync(path) || dirname(path) === path) return realpathSync(path);
  return join(realPathSoFar(dirname(path)), basename(path));
}
