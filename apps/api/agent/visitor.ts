/**
 * Who is asking, for this service: a valid cookie is adopted and renewed by every request, a new identity is issued
 * only together with a session (§6.1), and a session that is not the visitor's own does not exist (§6.4).
 */
import type { Call } from "../lib/public-route";
import { Refusal } from "../lib/refusal";
import { hashVisitorToken, newVisitorToken, readVisitorToken, visitorCookie } from "../lib/visitor-cookie";
import { findSession } from "../stores/sessions";
import { adoptVisitor, createVisitor } from "../stores/visitors";
import { db, limits } from "./db";

type VisitorCall = Pick<Call<unknown, unknown, unknown>, "headers" | "setCookie">;
export type OwnSession = NonNullable<Awaited<ReturnType<typeof findSession>>>;

/** The visitor behind a living cookie, renewed for another 24 hours; null without one. Never issues. */
export async function adoptedVisitor(call: VisitorCall): Promise<string | null> {
  const token = readVisitorToken(call.headers);
  if (token === undefined) return null;
  const visitorId = await adoptVisitor(db, hashVisitorToken(token));
  if (visitorId !== null) sendCookie(call, token);
  return visitorId;
}

/** A new visitor with a new cookie. The caller creates a session for it in the same request. */
export async function issuedVisitor(call: VisitorCall): Promise<string> {
  const token = newVisitorToken();
  const visitorId = await createVisitor(db, hashVisitorToken(token));
  sendCookie(call, token);
  return visitorId;
}

/** The session, if it is the caller's own. Unknown, foreign and ownerless ones are refused alike. */
export async function ownSession(
  call: VisitorCall,
  sessionId: string,
): Promise<{ visitorId: string; session: OwnSession }> {
  const visitorId = await adoptedVisitor(call);
  const session = visitorId === null ? null : await findSession(db, visitorId, sessionId);
  if (visitorId === null || session === null) throw new Refusal("not_found");
  return { visitorId, session };
}

function sendCookie(call: VisitorCall, token: string): void {
  call.setCookie(visitorCookie(token, limits.visitorLifetimeMs, call.headers));
}
