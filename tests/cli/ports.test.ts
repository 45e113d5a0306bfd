/** Ports: a taken one is named with its holder and a way out; a kept one stays while it is free. */
import { afterAll, describe, expect, it } from "bun:test";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claimWebPort, freePort, keptPort, portState } from "../../cli/ports.mts";
import type { Refusal } from "../../cli/refusal.mts";

const folder = mkdtempSync(join(tmpdir(), "xray-ports-"));
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function occupied(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return (server.address() as { port: number }).port;
}

describe("ports", () => {
  it("takes a free one and refuses a taken one, naming who has it and another that is free", async () => {
    await claimWebPort("127.0.0.1", await freePort());
    const port = await occupied();
    const refusal = (await claimWebPort("127.0.0.1", port).catch((error) => error)) as Refusal;
    expect(refusal.sentence).toBe(
      `Port ${port} is taken${process.platform === "linux" ? ` by bun (pid ${process.pid})` : ""}.`,
    );
    const other = Number(/--port (\d+)$/.exec(refusal.remedy)![1]);
    expect(await portState("127.0.0.1", other)).toBe("free");
  });

  it("says that an address is not this machine's", async () => {
    const refusal = (await claimWebPort("203.0.113.9", await freePort()).catch((error) => error)) as Refusal;
    expect(refusal.sentence).toBe("This machine has no address 203.0.113.9 (EADDRNOTAVAIL).");
  });

  it("keeps a port between starts until somebody else has it", async () => {
    const file = join(folder, "ports.json");
    const first = await keptPort(file, "api");
    expect(await keptPort(file, "api")).toBe(first);
    const server = createServer().listen(first, "127.0.0.1");
    servers.push(server);
    await once(server, "listening");
    const second = await keptPort(file, "api");
    expect(second).not.toBe(first);
    expect(await keptPort(file, "api")).toBe(second);
  });
});
