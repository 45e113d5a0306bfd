/** A configuration that cannot be read lets nobody in; the endpoint's own tests show who gets in otherwise. */
import { expect, it } from "bun:test";
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { LIMITS } from "../../../shared/limits";
import type { Database } from "../database/pool";
import { secretBox } from "../lib/secret-box";
import { Failures } from "./failures";
import { configuredTokens, gateOf } from "./gate";

const hash = createHash("sha256").update("right").digest("hex");
const db = { asRole: async () => {} } as unknown as Database;

const SAID = ["the admin endpoint admits nobody: MCP_AUTH_TOKEN_HASH is missing or malformed"];

it.each<[string, () => string, "admitted" | 401, string[]]>([
  ["a sound list admits its token", () => `owner:${hash}`, "admitted", []],
  ["an empty list admits nobody", () => "", 401, []],
  ["a hash without a name admits nobody, and is said", () => hash, 401, SAID],
  ["one malformed entry shuts out the sound one, and is said", () => `owner:${hash},second:1`, 401, SAID],
  [
    "a missing secret admits nobody, and is said",
    () => {
      throw new Error("secret McpAuthTokenHash is not set");
    },
    401,
    SAID,
  ],
])("%s", async (_case, read, expected, said) => {
  const logged: string[] = [];
  const log = { info: () => {}, error: (message: string) => void logged.push(message) };
  const tokens = configuredTokens(read, log);
  const gate = gateOf({ db, box: secretBox(""), log, cursorSecret: "", tokens, failures: new Failures(LIMITS) });
  const answer = await gate({ headers: { authorization: "Bearer right" } } as IncomingMessage);
  expect(["status" in answer ? answer.status : "admitted", logged]).toEqual([expected, said]);
});
