/** Ports: whether one is free, who has it when it is not, and the free ones a site keeps between starts. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createServer } from "node:net";
import { readJson, writeJson } from "./files.mts";
import { Refusal } from "./refusal.mts";

/** `free`, `taken`, or the system's reason why this address cannot be listened on. */
export async function portState(host: string, port: number): Promise<"free" | "taken" | { reason: string }> {
  return await new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code === "EADDRINUSE" ? "taken" : { reason: error.code ?? error.message });
    });
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve("free")));
  });
}

export async function freePort(host = "127.0.0.1"): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ host, port: 0 }, () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** As `portState`, for a site: `localhost` may mean ::1, so with 127.0.0.1 that one must be free too. */
export async function webPortState(host: string, port: number): ReturnType<typeof portState> {
  const state = await portState(host, port);
  if (state !== "free" || host !== "127.0.0.1") return state;
  return (await portState("::1", port)) === "taken" ? "taken" : "free";
}

/** Refuses with the holder's name and a port that is free. */
export async function claimWebPort(host: string, port: number): Promise<void> {
  const state = await webPortState(host, port);
  if (state === "free") return;
  if (typeof state === "object") {
    if (state.reason === "EACCES") {
      throw new Refusal(
        `Port ${port} is reserved for the administrator.`,
        "Choose one from 1024 up: ./xray up --port 3000",
      );
    }
    throw new Refusal(
      `This machine has no address ${host} (${state.reason}).`,
      "Choose one of its own addresses with --host.",
    );
  }
  const holder = portHolder(port);
  const other = await nextFree(host, port);
  throw new Refusal(
    `Port ${port} is taken${holder ? ` by ${holder}` : ""}.`,
    `Stop it, or choose another port: ./xray up --port ${other}`,
  );
}

/** The port kept under this name while it is free, else a new one. */
export async function keptPort(path: string, name: string): Promise<number> {
  const kept = readJson<Record<string, number>>(path) ?? {};
  const port = kept[name];
  if (port !== undefined && (await portState("127.0.0.1", port)) === "free") return port;
  const fresh = await freePort();
  writeJson(path, { ...kept, [name]: fresh });
  return fresh;
}

/** "node (pid 123)", best effort: undefined when the system does not tell. */
export function portHolder(port: number): string | undefined {
  try {
    return process.platform === "linux" ? holderOnLinux(port) : holderByLsof(port);
  } catch {
    return undefined;
  }
}

async function nextFree(host: string, port: number): Promise<number> {
  for (let next = port + 1; next < port + 50 && next < 65_536; next += 1) {
    if ((await webPortState(host, next)) === "free") return next;
  }
  return await freePort(host);
}

function holderOnLinux(port: number): string | undefined {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const sockets = new Set<string>();
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    for (const line of readFileSync(table, "utf8").split("\n").slice(1)) {
      const fields = line.trim().split(/\s+/);
      if (fields[1]?.endsWith(`:${hex}`) && fields[3] === "0A") sockets.add(`socket:[${fields[9]}]`);
    }
  }
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const open = readdirSync(`/proc/${pid}/fd`);
      if (!open.some((fd) => sockets.has(linkOf(`/proc/${pid}/fd/${fd}`)))) continue;
      return `${readFileSync(`/proc/${pid}/comm`, "utf8").trim()} (pid ${pid})`;
    } catch {
      // Another user's process: its descriptors are not shown to us.
    }
  }
  return undefined;
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

function holderByLsof(port: number): string | undefined {
  const found = execFileSync("lsof", ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const pid = /^p(\d+)$/m.exec(found)?.[1];
  const name = /^c(.+)$/m.exec(found)?.[1];
  return pid && name ? `${name} (pid ${pid})` : undefined;
}
