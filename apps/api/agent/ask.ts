/** POST /agent/ask: one visitor message in, one turn out as SSE. Exactly one `done` or `error` ends it. */
import { api } from "encore.dev/api";
import { askContract } from "../../../shared/contracts/agent";
import { publicRoute } from "../lib/public-route";
import { limits } from "./db";
import { startTurn } from "./start-turn";
import { streamTurn } from "./stream-turn";

export const ask = api.raw(
  { expose: true, sensitive: true, method: "POST", path: "/agent/ask" },
  publicRoute(askContract, async (call) => {
    const turn = await startTurn(call);
    await streamTurn(turn, -1, call.openSse(limits.heartbeatMs));
  }),
);
