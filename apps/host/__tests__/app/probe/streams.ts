import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { api } from "encore.dev/api";
import { seen } from "./state";

const running = new Set<() => void>();
process.on("SIGTERM", async () => {
  for (const stop of running) stop();
  await sleep(Number(process.env.FIXTURE_CLEANUP_MS ?? 0));
  seen("cleaned up", "");
  console.error("fixture: cleaned up");
});

function write(response: ServerResponse, text: string | Buffer): Promise<void> {
  return new Promise((taken) => response.write(text, () => taken()));
}

/** Ticks `count` times or until the process is told to stop, then ends with a closing frame. */
export const ticks = api.raw({ expose: true, method: "GET", path: "/stream/ticks" }, async (request, response) => {
  const count = Number(new URL(request.url ?? "", "http://host").searchParams.get("count") ?? 100_000);
  let stopped = false;
  running.add(() => {
    stopped = true;
  });
  response.on("close", () => seen("stream closed", String(response.writableEnded)));
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (let tick = 0; !stopped && tick < count; tick++) {
    await write(response, `data: ${tick}\n\n`);
    await sleep(10);
  }
  seen("stream ended", "");
  await write(response, "event: bye\ndata: {}\n\n");
  response.end();
});
/** Never ends by itself and does not care for signals. */
export const stubborn = api.raw({ expose: true, method: "GET", path: "/stream/stubborn" }, (_request, response) => {
  response.write(": open\n\n");
});
/** Writes without pause and reports how many bytes were taken. */
export const flood = api.raw({ expose: true, method: "GET", path: "/stream/flood" }, async (_request, response) => {
  const chunk = Buffer.alloc(64 * 1024, "x");
  let taken = 0;
  const report = setInterval(() => seen("taken", String(taken)), 50);
  while (taken < 256 * 1024 * 1024 && !response.destroyed) {
    await write(response, chunk);
    taken += chunk.length;
  }
  clearInterval(report);
  seen("flood over", String(taken));
  response.end();
});
/** A handler that cuts its own reader off. */
export const cut = api.raw({ expose: true, method: "GET", path: "/stream/cut" }, async (_request, response) => {
  await write(response, "begun");
  response.destroy();
});
export const pieces = api.raw({ expose: true, method: "GET", path: "/stream/pieces" }, async (_request, response) => {
  response.setHeader("x-one", "1");
  response.setHeader("set-cookie", ["a=1", "b=2"]);
  response.write("one,");
  response.write("two,");
  await sleep(5);
  response.end("three");
});
export const empty = api.raw({ expose: true, method: "GET", path: "/stream/empty" }, (_request, response) => {
  response.writeHead(204);
  response.end();
});
