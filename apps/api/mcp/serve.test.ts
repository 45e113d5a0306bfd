/** What no HTTP client of a test can send: heads as a runtime may decode them, and bodies that break off. */
import { describe, expect, it } from "bun:test";
import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { modernMessage } from "../../../tests/support/mcp.mts";
import { type Admitted, serveMcp } from "./serve";

const logged: string[] = [];
const log = { info: () => {}, error: (message: string) => void logged.push(message) };
const admitted = { principal: { name: "owner", readOnly: false }, log } as unknown as Admitted;
const serve = serveMcp(async () => admitted, log);

const MESSAGE = Buffer.from(JSON.stringify(modernMessage(1, "tools/list")));
const HEADERS = {
  "content-type": "application/json",
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/list",
};

async function answer(headers: Record<string, unknown>, body: () => AsyncGenerator<Buffer>) {
  let sent: { status: number; body: Buffer } = { status: 0, body: Buffer.alloc(0) };
  const request = { method: "POST", headers: { ...HEADERS, ...headers }, [Symbol.asyncIterator]: body };
  const response = Object.assign(new EventEmitter(), {
    writeHead: (status: number) => {
      sent = { ...sent, status };
    },
    end: (bytes: Buffer) => {
      sent = { ...sent, body: bytes };
    },
  });
  await serve(request as unknown as IncomingMessage, response as unknown as ServerResponse);
  return { status: sent.status, body: JSON.parse(sent.body.toString()) };
}

async function* whole() {
  yield MESSAGE;
}

describe("a head", () => {
  it("as it should be is answered", async () => {
    expect((await answer({}, whole)).status).toBe(200);
  });

  it("with letters that no head can hold counts as one without that field, and is no failure of ours", async () => {
    for (const value of ["tools/列表", "tools/list\u0000", "\ud800"]) {
      const { status, body } = await answer({ "mcp-method": value }, whole);
      expect([status, body.error.code]).toEqual([400, -32020]);
    }
    expect(logged).toEqual([]);
  });

  it("that names a field twice is one with both, which is neither", async () => {
    const { status, body } = await answer({ "mcp-method": ["tools/list", "tools/call"] }, whole);
    expect([status, body.error.code]).toEqual([400, -32020]);
  });

  it("that claims a length which is none is not believed: the body is counted", async () => {
    for (const length of ["x", "-1", ["5", "6"]])
      expect((await answer({ "content-length": length }, whole)).status).toBe(200);
  });
});

describe("a body", () => {
  it("that breaks off is no JSON, and is no failure of ours", async () => {
    async function* broken() {
      yield MESSAGE.subarray(0, 20);
      throw new Error("aborted");
    }
    const { status, body } = await answer({}, broken);
    expect([status, body.error.code, logged]).toEqual([400, -32700, []]);
  });
});

describe("a gate that fails", () => {
  it("is an internal error without a word of the cause, which goes to the log", async () => {
    const failing = serveMcp(async () => {
      throw new Error("secret cause");
    }, log);
    let text = "";
    const response = Object.assign(new EventEmitter(), {
      writeHead: () => {},
      end: (body: Buffer) => {
        text = body.toString();
      },
    });
    await failing({ headers: {} } as IncomingMessage, response as unknown as ServerResponse);
    expect(JSON.parse(text)).toEqual({ jsonrpc: "2.0", error: { code: -32603, message: "Internal error" }, id: null });
    expect(logged).toEqual(["the admin endpoint failed"]);
  });
});
