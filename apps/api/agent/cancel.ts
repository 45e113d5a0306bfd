/** POST /agent/sessions/:id/cancel: stops the running turn and answers when its slot is free. */
import { api } from "encore.dev/api";
import { cancelContract } from "../../../shared/contracts/agent";
import { publicRoute } from "../lib/public-route";
import { runningTurn } from "./start-turn";
import { ownSession } from "./visitor";

export const cancel = api.raw(
  { expose: true, sensitive: true, method: "POST", path: "/agent/sessions/:id/cancel" },
  publicRoute(cancelContract, async (call) => {
    const { session } = await ownSession(call, call.params.id);
    const turn = await runningTurn(session.id);
    await turn?.cancel();
    return { stopped: turn !== undefined };
  }),
);
