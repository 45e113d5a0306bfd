/** GET /agent/sessions/:id/stream: joins the running turn after a frame; 204 when none runs. */
import { api } from "encore.dev/api";
import { resumeContract } from "../../../shared/contracts/agent";
import { publicRoute } from "../lib/public-route";
import { limits } from "./db";
import { runningTurn } from "./start-turn";
import { streamTurn } from "./stream-turn";
import { ownSession } from "./visitor";

export const resume = api.raw(
  { expose: true, sensitive: true, method: "GET", path: "/agent/sessions/:id/stream" },
  publicRoute(resumeContract, async (call) => {
    const { session } = await ownSession(call, call.params.id);
    const turn = await runningTurn(session.id);
    if (turn === undefined) return;
    await streamTurn(turn, lastSeen(call.query.after, turn.turnSeq), call.openSse(limits.heartbeatMs));
  }),
);

/** The index in `<turn>.<index>`; another turn's cursor, or none, means the whole turn. */
function lastSeen(after: string | undefined, turnSeq: number): number {
  const [turn, index] = (after ?? "").split(".").map(Number);
  return turn === turnSeq && index !== undefined ? index : -1;
}
