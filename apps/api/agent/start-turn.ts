/**
 * From an accepted ask to a running turn. Promises: a refused ask changes nothing (no visitor, no session, no message,
 * no held slot), and of two asks to one session at most one runs.
 */
import { randomUUID } from "node:crypto";
import type { Claim, RunningTurn } from "../kernel/kernel-types";
import { log } from "../lib/log";
import type { Call } from "../lib/public-route";
import { Refusal } from "../lib/refusal";
import { appendVisitorMessage, withdrawVisitorMessage } from "../stores/messages";
import { quotaRefusal } from "../stores/quota";
import { createSession, deleteSession } from "../stores/sessions";
import { admitTurn } from "./admission";
import { db } from "./db";
import { kernel } from "./kernel-instance";
import { type BlueprintSession, type Setup, blueprintOf, currentSetup } from "./session-blueprint";
import { adoptedVisitor, issuedVisitor, ownSession } from "./visitor";

type AskCall = Call<unknown, unknown, { sessionId?: string; prompt: string }>;
type Own = Awaited<ReturnType<typeof ownSession>>;

/** Turns between the claim of their slot and their first event; whoever looks for a turn waits for them. */
const starting = new Map<string, Promise<unknown>>();

/** The turn that now runs in the session, also one that is just being started. */
export async function runningTurn(sessionId: string): Promise<RunningTurn | undefined> {
  await starting.get(sessionId)?.catch(() => undefined);
  return (await kernel()).runningTurn(sessionId);
}

/** Starts the turn that answers the call's prompt, in the session it names or in a new one. */
export async function startTurn(call: AskCall): Promise<RunningTurn> {
  const { sessionId } = call.body;
  const own = sessionId === undefined ? undefined : await ownSession(call, sessionId);
  const visitorId = own?.visitorId ?? (await adoptedVisitor(call));
  // After ownership, so that they tell a stranger nothing, and before anything is held: what bounds strangers (§8).
  const admission = await admitTurn({ headers: call.headers, visitorId }, own === undefined);
  try {
    const [setup] = await Promise.all([currentSetup(), refuseOverQuota(own?.session.id)]);
    if (setup === undefined) throw new Refusal("not_configured");
    const id = own?.session.id ?? randomUUID();
    const claim = (await kernel()).claim(id);
    if (typeof claim === "string") throw new Refusal(claim);
    const started = runClaimed(call, claim, setup, id, visitorId, own).finally(() => starting.delete(id));
    starting.set(id, started);
    const turn = await started;
    void turn.ended.then(admission.leave);
    return turn;
  } catch (error) {
    admission.withdraw();
    throw error;
  }
}

/** The code tells the visitor, the log tells the numbers. */
async function refuseOverQuota(sessionId: string | undefined): Promise<void> {
  const refused = await quotaRefusal(db, sessionId, new Date());
  if (refused === undefined) return;
  log.info("A turn was refused: a limit of the owner's is reached.", { ...refused });
  throw new Refusal(refused.code);
}

/** Holds the slot; from here on every failure undoes what it wrote and gives the slot back. */
async function runClaimed(
  call: AskCall,
  claim: Claim,
  setup: Setup,
  id: string,
  adopted: string | null,
  own?: Own,
): Promise<RunningTurn> {
  const { prompt } = call.body;
  let undo: () => Promise<unknown> = async () => {};
  let release: () => Promise<void> = () => claim.release();
  try {
    const visitorId = adopted ?? (await issuedVisitor(call));
    const session = own?.session ?? (await newSession(visitorId, id));
    if (own === undefined) undo = () => deleteSession(db, visitorId, id);
    const message = await appendVisitorMessage(db, visitorId, id, prompt);
    if (message === null) throw new Refusal("not_found");
    if (own !== undefined) undo = () => withdrawVisitorMessage(db, id, message.turnSeq);
    // A run that fails has given the slot back itself.
    release = async () => {};
    return await claim.run({
      turnSeq: message.turnSeq,
      prompt,
      fingerprint: setup.fingerprint,
      blueprint: () => blueprintOf(setup, session),
    });
  } catch (error) {
    await undo().catch((cause) => log.error("A refused message could not be withdrawn.", cause));
    await release();
    throw error;
  }
}

async function newSession(visitorId: string, id: string): Promise<BlueprintSession> {
  const created = await createSession(db, visitorId, { id });
  if (created === "rate_limited") throw new Refusal("rate_limited");
  return { ...created, titleSource: "derived" };
}
