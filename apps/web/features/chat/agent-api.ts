/**
 * The agent endpoints as the browser calls them, with the visitor's cookie. A refusal comes back as its code; a site
 * that does not answer, or answers something else, is `unreachable`. Nothing here throws but an abort.
 */
import type { SessionSummary, SessionView } from "../../../../shared/contracts/agent";
import { ERRORS, type ErrorCode } from "../../../../shared/errors";
import type { Refusal, RefusalCode } from "./chat-model";

export type Result<T> = { ok: true; value: T } | ({ ok: false } & Refusal);

/** Resolves with the open stream once the message was taken. */
export function ask(sessionId: string | null, prompt: string, signal: AbortSignal) {
  return call<ReadableStream<Uint8Array>>("/agent/ask", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ prompt, ...(sessionId !== null && { sessionId }) }),
    signal,
  });
}

/** The running turn's stream after a frame; null when no turn runs. */
export function resume(sessionId: string, after: string | undefined, signal: AbortSignal) {
  const query = after === undefined ? "" : `?after=${after}`;
  return call<ReadableStream<Uint8Array> | null>(`/agent/sessions/${sessionId}/stream${query}`, { signal });
}

export const cancelTurn = (sessionId: string) =>
  call<unknown>(`/agent/sessions/${sessionId}/cancel`, { method: "POST" });
export const readSession = (id: string, signal: AbortSignal) => call<SessionView>(`/agent/sessions/${id}`, { signal });
export const deleteSession = (id: string) => call<null>(`/agent/sessions/${id}`, { method: "DELETE" });
export const listSessions = () => call<{ sessions: SessionSummary[] }>("/agent/sessions");

async function call<T>(path: string, init: RequestInit = {}): Promise<Result<T>> {
  try {
    const response = await fetch(`/api${path}`, { cache: "no-store", ...init });
    // The web port and every proxy say so when the API itself does not answer.
    if (response.status === 502 || response.status === 504) return { ok: false, code: "unreachable" };
    if (!response.ok) return { ok: false, ...(await refusalOf(response)) };
    if (response.status === 204) return { ok: true, value: null as T };
    const streams = response.headers.get("content-type")?.startsWith("text/event-stream");
    return { ok: true, value: (streams ? response.body : await response.json()) as T };
  } catch (error) {
    if (init.signal?.aborted) throw error;
    return { ok: false, code: "unreachable" };
  }
}

async function refusalOf(response: Response): Promise<Refusal> {
  const code = codeOf(await response.json().catch(() => null));
  if (code !== "rate_limited") return { code };
  const seconds = Number(response.headers.get("retry-after"));
  return { code, minutes: Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds / 60)) : 1 };
}

/** A body without a known code is not our API speaking. */
function codeOf(body: unknown): RefusalCode {
  const code = typeof body === "object" && body !== null && "code" in body ? body.code : undefined;
  return typeof code === "string" && Object.hasOwn(ERRORS, code) ? (code as ErrorCode) : "unreachable";
}
