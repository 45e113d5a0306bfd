/**
 * The account that runs the embedded Postgres: oneself, or, since Postgres refuses to run as root, the system user
 * `postgres`, made when the machine has none.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Refusal } from "./refusal.mts";

export interface Account {
  uid: number;
  gid: number;
  /** Whether it is another than the one this process runs as. */
  other: boolean;
}

const NAME = "postgres";

export function postgresAccount(): Account {
  const uid = process.getuid?.() ?? -1;
  if (uid !== 0) return { uid, gid: process.getgid?.() ?? -1, other: false };
  const account = find() ?? create();
  if (!account) {
    throw new Refusal(
      `Postgres does not run as root, and the system user ${NAME} could not be made.`,
      `Create it (useradd --system ${NAME}), or run this as an ordinary user.`,
    );
  }
  return account;
}

function find(): Account | undefined {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith(`${NAME}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  // Uid 0 under another name would be root again.
  return Number(uid) > 0 ? { uid: Number(uid), gid: Number(gid), other: true } : undefined;
}

function create(): Account | undefined {
  const shell = "/usr/sbin/nologin";
  const shadow = ["--system", "--user-group", "--no-create-home", "--shell", shell, NAME];
  if (spawnSync("useradd", shadow, { stdio: "ignore" }).status !== 0) {
    // BusyBox has no useradd.
    spawnSync("adduser", ["-S", "-D", "-H", "-s", "/sbin/nologin", NAME], { stdio: "ignore" });
  }
  return find();
}
