/**
 * One session as its visitor sees it: its messages, and the turn that is running in it. The two are read from two
 * places (database and kernel) at two moments; this file makes them agree, so that a reload in mid-answer shows what an
 * undisturbed reader sees.
 */
import type { MessageView, SessionView } from "../../../shared/contracts/agent";
import { listMessages } from "../stores/messages";
import { db } from "./db";
import { kernel } from "./kernel-instance";
import { runningTurn } from "./start-turn";
import type { OwnSession } from "./visitor";

/** Reads once more when a turn began between the two reads. */
const READS = 2;

export async function sessionView(visitorId: string, session: OwnSession): Promise<SessionView> {
  const { messages, turnSeq } = await readTogether(visitorId, session.id);
  return {
    session,
    messages,
    ctxPercent: (await kernel()).contextPercent(session.id),
    running: turnSeq === undefined ? undefined : { turnSeq },
  };
}

async function readTogether(
  visitorId: string,
  sessionId: string,
): Promise<{ messages: MessageView[]; turnSeq?: number }> {
  let messages: MessageView[] = [];
  for (let read = 0; read < READS; read++) {
    // The turn first: if it ends meanwhile, its reply is among the messages, and the reply wins.
    const turn = await runningTurn(sessionId);
    messages = await listMessages(db, visitorId, sessionId);
    const last = messages.at(-1);
    if (last?.role !== "user") return { messages };
    if (last.seq === turn?.turnSeq) return { messages, turnSeq: turn.turnSeq };
  }
  return { messages };
}
