/** A visitor's own sessions: create, list, read, delete (§6.3). */
import { api } from "encore.dev/api";
import {
  createSessionContract,
  deleteSessionContract,
  getSessionContract,
  listSessionsContract,
} from "../../../shared/contracts/agent";
import { publicRoute } from "../lib/public-route";
import { Refusal } from "../lib/refusal";
import { createSession, deleteSession, listSessions } from "../stores/sessions";
import { admitSession } from "./admission";
import { db } from "./db";
import { kernel } from "./kernel-instance";
import { sessionView } from "./session-view";
import { adoptedVisitor, issuedVisitor, ownSession } from "./visitor";

/** POST /agent/sessions: an empty session, or the newest one that has no turn yet. Issues the cookie if needed. */
export const create = api.raw(
  { expose: true, sensitive: true, method: "POST", path: "/agent/sessions" },
  publicRoute(createSessionContract, async (call) => {
    const adopted = await adoptedVisitor(call);
    await admitSession({ headers: call.headers, visitorId: adopted });
    const visitorId = adopted ?? (await issuedVisitor(call));
    const session = await createSession(db, visitorId);
    if (session === "rate_limited") throw new Refusal("rate_limited");
    return { session };
  }),
);

/** GET /agent/sessions: the visitor's own, newest first; without a living cookie none, and nothing is issued. */
export const list = api.raw(
  { expose: true, sensitive: true, method: "GET", path: "/agent/sessions" },
  publicRoute(listSessionsContract, async (call) => {
    const visitorId = await adoptedVisitor(call);
    return { sessions: visitorId === null ? [] : await listSessions(db, visitorId, call.query.limit) };
  }),
);

/** GET /agent/sessions/:id: one own session with its messages, and the turn that is running in it. */
export const get = api.raw(
  { expose: true, sensitive: true, method: "GET", path: "/agent/sessions/:id" },
  publicRoute(getSessionContract, async (call) => {
    const { visitorId, session } = await ownSession(call, call.params.id);
    return sessionView(visitorId, session);
  }),
);

/** DELETE /agent/sessions/:id: ownership, then the slot, then memory, then the rows. */
export const remove = api.raw(
  { expose: true, sensitive: true, method: "DELETE", path: "/agent/sessions/:id" },
  publicRoute(deleteSessionContract, async (call) => {
    const { visitorId, session } = await ownSession(call, call.params.id);
    const claim = (await kernel()).claim(session.id);
    if (claim === "turn_running") throw new Refusal("turn_running");
    // With all slots busy elsewhere the session is not in memory, and there is nothing to dispose.
    if (claim !== "slots_full") await claim.release({ dispose: true });
    await deleteSession(db, visitorId, session.id);
  }),
);
