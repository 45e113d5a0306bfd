/** POST /mcp: the admin endpoint. Who may use it is `gate.ts`, what it speaks is `serve.ts`, what it can do is `tools/`. */
import { createHmac } from "node:crypto";
import { api } from "encore.dev/api";
import { secret } from "encore.dev/config";
import { log } from "../lib/log";
import { secretBox } from "../lib/secret-box";
import { db, limits } from "./db";
import { Failures } from "./failures";
import { configuredTokens, gateOf } from "./gate";
import { type Gate, serveMcp } from "./serve";

const configEncryptionKey = secret("ConfigEncryptionKey");
const mcpAuthTokenHash = secret("McpAuthTokenHash");

let opened: Gate | undefined;

/** Made by the first request: a site without these secrets starts, and admits nobody here. */
const gate: Gate = (request) => {
  opened ??= gateOf({
    db,
    box: secretBox(configEncryptionKey()),
    log,
    cursorSecret: createHmac("sha256", configEncryptionKey()).update("mcp cursors").digest("base64"),
    tokens: configuredTokens(mcpAuthTokenHash, log),
    failures: new Failures(limits),
  });
  return opened(request);
};

/** Every method, so that a client that opens a stream gets the 405 it understands. The limit is above the endpoint's
 * own, so that a long body gets the endpoint's answer. */
export const mcp = api.raw(
  { expose: true, sensitive: true, method: "*", path: "/mcp", bodyLimit: 9 * 1024 * 1024 },
  serveMcp(gate, log),
);
