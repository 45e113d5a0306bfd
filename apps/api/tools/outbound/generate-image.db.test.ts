/** A picture from services of both styles, well-behaved and otherwise: what leaves, what is stored, what the model reads. */
import { beforeAll, beforeEach, describe, expect, it } from "bun:test";
import { createHash, randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { databaseForFile } from "../../../../tests/support/database-for-file.mts";
import {
  chatAnswer,
  dripping,
  endless,
  gatewaysForTests,
  imagesAnswer,
  json,
  silence,
} from "../../../../tests/support/outbound-gateways.mts";
import { PICTURES } from "../../../../tests/support/pictures.mts";
import { type Answer, openStream, type RudeServer } from "../../../../tests/support/rude-server.mts";
import { AGENT_IMAGE_EXTENSIONS, agentImagePath } from "../../../../shared/agent-image";
import { LIMITS } from "../../../../shared/limits";
import type { PictureType } from "../../../../shared/picture-type";
import { ToolFailure } from "../../kernel/kernel-types";
import { readOwnImage } from "../../stores/images";
import { createSession, deleteSession } from "../../stores/sessions";
import { createVisitor } from "../../stores/visitors";
import { aPictureService, HEX_KEY } from "../__tests__/a-service";
import {
  generateImage,
  IMAGE_DAY_IS_USED,
  IMAGE_FAILED,
  IMAGE_LATE,
  IMAGE_NOT_STORED,
  type PictureService,
  PROMPT_EMPTY,
} from "./generate-image";

const opened = databaseForFile();
const gateway = gatewaysForTests();
const logged: string[] = [];
let visitorId: string;
let sessionId: string;

beforeAll(async () => {
  visitorId = await createVisitor(opened.db, "a".repeat(64));
  sessionId = ((await createSession(opened.db, visitorId)) as { id: string }).id;
});
beforeEach(async () => {
  logged.length = 0;
  await opened.admin.query("DELETE FROM daily_quota");
  await opened.admin.query("DELETE FROM generated_images");
});

interface Run {
  service?: Partial<PictureService>;
  prompt?: string;
  session?: string;
}
async function draw(server: RudeServer, { service, prompt = "a map of the kernel", session = sessionId }: Run = {}) {
  const phases: string[] = [];
  const tool = generateImage({
    db: opened.db,
    sessionId: session,
    titleSource: "derived",
    log: { info: () => {}, error: (message, cause) => logged.push(`${message}: ${cause}`) },
    pictures: aPictureService(service, server.origin),
  })!;
  const onPhase = (phase: string) => phases.push(phase);
  try {
    const signal = new AbortController().signal;
    const { text, details } = await tool.execute({ prompt }, { toolCallId: "t", signal, onPhase });
    return { text, details, phases };
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    return { failed: error.message, phases };
  }
}
const failing = async (answer: Answer, run?: Run) => (await draw(await gateway(answer), run)).failed;
const rows = async (): Promise<number> =>
  (await opened.admin.query("SELECT count(*)::int AS n FROM generated_images")).rows[0].n;
const usedToday = async (): Promise<number> =>
  (await opened.admin.query("SELECT coalesce(sum(images), 0)::int AS n FROM daily_quota")).rows[0].n;
const CHAT = { apiStyle: "chat" } as const;

/** Bytes that begin as a PNG does. */
function png(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  PICTURES.png.copy(bytes);
  return bytes;
}

describe("what leaves", () => {
  it("to an endpoint for pictures: model and size of the row, the prompt in one field, one picture (K1)", async () => {
    const server = await gateway(json(imagesAnswer(PICTURES.png)));
    await draw(server);
    await draw(server, { service: { imageSize: "1024x1024" } });
    expect(server.seen.map(({ url, body }) => [url, JSON.parse(body)])).toEqual([
      ["/v1/images/generations", { model: "mm-searcher-9", prompt: "a map of the kernel", n: 1 }],
      ["/v1/images/generations", { model: "mm-searcher-9", prompt: "a map of the kernel", n: 1, size: "1024x1024" }],
    ]);
  });

  it("to a chat: the prompt in its message, and no size (K1)", async () => {
    const server = await gateway(json(chatAnswer(PICTURES.png)));
    await draw(server, { service: { ...CHAT, imageSize: "1024x1024" } });
    expect(server.seen.map(({ url, body }) => [url, JSON.parse(body)])).toEqual([
      [
        "/v1/chat/completions",
        {
          model: "mm-searcher-9",
          messages: [{ role: "user", content: "a map of the kernel" }],
          modalities: ["image", "text"],
        },
      ],
    ]);
  });

  it("is nothing to a host that is listed for something else, or for nothing", async () => {
    const server = await gateway(json(imagesAnswer(PICTURES.png)));
    for (const baseUrl of ["https://api.deepseek.com", "https://api.openai.com.evil.example", server.origin]) {
      expect((await draw(server, { service: { baseUrl, extraHosts: [] } })).failed).toBe(IMAGE_FAILED);
    }
    expect(server.seen).toEqual([]);
  });

  it("is nothing for a description in which nothing can be seen", async () => {
    const server = await gateway(json(imagesAnswer(PICTURES.png)));
    expect((await draw(server, { prompt: " \u200b\n" })).failed).toBe(PROMPT_EMPTY);
    expect([server.seen.length, await usedToday()]).toEqual([0, 0]);
  });
});

describe("a picture", () => {
  it.each([
    ["image/png", PICTURES.png],
    ["image/jpeg", PICTURES.jpeg],
    ["image/webp", PICTURES.webp],
    ["image/gif", PICTURES.gif],
  ] as [PictureType, Buffer][])("of type %s is stored as what it is, in both styles", async (type, bytes) => {
    for (const [service, answer] of [
      [{}, json(imagesAnswer(bytes))],
      // Whatever the answer calls it.
      [CHAT, json(chatAnswer(bytes, "text/html"))],
    ] as const) {
      const result = await draw(await gateway(answer), { service });
      const [, alt, address] = /^!\[(.*)\]\((.*)\)$/.exec(result.text!)!;
      const [, id, extension] = agentImagePath.exec(address!)!;
      expect([alt, extension]).toEqual(["a map of the kernel", AGENT_IMAGE_EXTENSIONS[type]]);
      expect(result.details).toEqual({ imageId: id!, contentType: type, byteSize: bytes.length });
      const stored = await readOwnImage(opened.db, visitorId, id!);
      const etag = createHash("sha256").update(bytes).digest("hex");
      expect([stored?.contentType, stored?.etag]).toEqual([type, etag]);
      expect(bytes.equals(stored!.bytes)).toBe(true);
    }
  });

  it("is told by one line whatever the prompt says, and shows nothing else", async () => {
    const server = await gateway(json(imagesAnswer(PICTURES.png)));
    const prompt = `x](https://evil.example/p.png) ![y\n\n# Head\\ <img src=x> \`code\` ${"long ".repeat(60)}`;
    const { text } = await draw(server, { prompt });
    const line = /^!\[([\p{L}\p{N} :/.="]{1,80})\]\(\/api\/agent\/images\/[0-9a-f-]{36}\.png\)$/u.exec(text!);
    expect(line?.[1]).toStartWith("x https://evil.example/p.png");
    expect((await draw(server, { prompt: "[]()" })).text).toStartWith("![](/api/agent/images/");
  });

  it("of exactly the most bytes is stored, and of one more is not (K4)", async () => {
    expect((await draw(await gateway(json(imagesAnswer(png(LIMITS.imageBytes)))))).failed).toBeUndefined();
    expect(await failing(json(imagesAnswer(png(LIMITS.imageBytes + 1))))).toBe(IMAGE_FAILED);
    expect([await rows(), logged.map((line) => line.split(":")[1])]).toEqual([1, [" oversize"]]);
  });

  it("may take its time before the first word, and then not (K5)", async () => {
    const slow: Answer = (response) => setTimeout(() => json(imagesAnswer(PICTURES.png))(response, undefined!), 500);
    // The same wait is too long for a service that is expected to answer at once.
    const patience = { service: { idleTimeoutMs: 50, totalTimeoutMs: 10_000 } };
    expect((await draw(await gateway(slow), patience)).failed).toBeUndefined();
    expect(await failing(silence, patience)).toBe(IMAGE_LATE);
    const total = { service: { idleTimeoutMs: 5_000, totalTimeoutMs: 100 } };
    expect(await failing(() => {}, total)).toBe(IMAGE_LATE);
    expect(await failing(dripping(" ", 20), total)).toBe(IMAGE_LATE);
    expect(logged.map((line) => line.split(":")[1])).toEqual([" idle", " total", " total"]);
  });
});

describe("what is no picture", () => {
  it("at an address is a failure, and nobody goes there (K2)", async () => {
    const trap = await gateway((response) => response.end(PICTURES.png));
    const url = `${trap.origin}/p.png`;
    const chat = (image: string) => ({ choices: [{ message: { images: [{ image_url: { url: image } }] } }] });
    expect(await failing(json({ data: [{ url }] }))).toBe(IMAGE_FAILED);
    expect(await failing(json(chat(url)), { service: CHAT })).toBe(IMAGE_FAILED);
    expect(await failing(json(chat("data:image/png,plain")), { service: CHAT })).toBe(IMAGE_FAILED);
    expect([trap.seen, await rows()]).toEqual([[], 0]);
    expect(logged.map((line) => line.split(":")[1])).toEqual(Array(3).fill(" address_instead_of_picture"));
  });

  it.each([
    ["a page under the type of a picture (K3)", chatAnswer(Buffer.from("<html>hi</html>"), "image/png"), CHAT],
    ["a drawing that runs scripts", imagesAnswer(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), {}],
    ["base64 with something in it that is none", { data: [{ b64_json: `${PICTURES.png.toString("base64")}!` }] }, {}],
    ["base64 over lines", { data: [{ b64_json: `\n${PICTURES.png.toString("base64")}` }] }, {}],
    ["no text where base64 is meant", { data: [{ b64_json: 7 }] }, {}],
    ["an empty picture", { data: [{ b64_json: "" }] }, {}],
    ["an empty list", { data: [] }, {}],
    ["an error", { error: { message: "zz9gw refuses" } }, {}],
    ["null", null, {}],
    ["null inside", { data: [null], choices: [null] }, CHAT],
    ["a chat without a picture", { choices: [{ message: { content: "I cannot draw." } }] }, CHAT],
  ] as [string, unknown, Partial<PictureService>][])(
    "is refused: %s, with no row and one line in the log",
    async (_name, answer, service) => {
      expect(await failing(json(answer), { service })).toBe(IMAGE_FAILED);
      expect([await rows(), logged.length, await usedToday()]).toEqual([0, 1, 1]);
    },
  );

  it("is refused as an answer that is no JSON, a redirect, an error, or without end", async () => {
    const bomb = gzipSync(Buffer.alloc(32 * 1_048_576, "x"));
    const answers: [string, Answer][] = [
      ["upstream_failed", (response) => response.end("<html>")],
      ["upstream_failed", (response) => response.end()],
      ["redirect", (response) => response.writeHead(302, { location: "https://evil.example/" }).end()],
      ["upstream 401", json({ error: `bad key ${HEX_KEY}` }, 401)],
      ["too_large", endless("{", '"x":"'.padEnd(65_536, "x"))],
      ["too_large", (response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb)],
      [
        "network",
        (response) => {
          openStream(response).write("{");
          setImmediate(() => response.destroy());
        },
      ],
    ];
    for (const [_kind, answer] of answers) expect(await failing(answer)).toBe(IMAGE_FAILED);
    expect(logged.map((line) => line.split(":")[1]!.trim())).toEqual(answers.map(([kind]) => kind));
    expect(logged.join("\n")).not.toContain(HEX_KEY);
    expect(await rows()).toBe(0);
  });
});

describe("the session and the day", () => {
  it("over the day's number nothing is asked for", async () => {
    const server = await gateway(json(imagesAnswer(PICTURES.png)));
    const run = { service: { dailyImageLimit: 1 } };
    expect((await draw(server, run)).failed).toBeUndefined();
    expect((await draw(server, run)).failed).toBe(IMAGE_DAY_IS_USED);
    expect([server.seen.length, await usedToday(), await rows()]).toEqual([1, 1, 1]);
  });

  it("a session that is gone gets no picture, and its pictures go with it (K7)", async () => {
    const server = await gateway(json(imagesAnswer(PICTURES.png)));
    expect((await draw(server, { session: randomUUID() })).failed).toBe(IMAGE_NOT_STORED);
    const id = randomUUID();
    await createSession(opened.db, visitorId, { id });
    await draw(server, { session: id });
    expect(await rows()).toBe(1);
    expect(await deleteSession(opened.db, visitorId, id)).toBe(true);
    expect(await rows()).toBe(0);
  });
});
