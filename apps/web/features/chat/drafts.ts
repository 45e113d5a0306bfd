/**
 * What a visitor has written and not sent, a text a session, in this tab only: it survives a reload and tells the
 * server nothing. At most `LIMITS.drafts` are kept, the ones written last. Whoever calls `keepDraft` says that the
 * visitor wrote the text; a text from a link is not kept (§26). Storage that is off costs only that.
 */
import { LIMITS } from "../../../../shared/limits";

const KEY = "xr_drafts";

/** Session id and text, the last written last. The conversation that has no session yet is the empty id. */
type Drafts = readonly (readonly [sessionId: string, text: string])[];

export function recallDraft(sessionId: string | null): string {
  return read().find(([id]) => id === (sessionId ?? ""))?.[1] ?? "";
}

/** An empty text forgets the draft; one of more than twice the length of a message is not kept. */
export function keepDraft(sessionId: string | null, text: string): void {
  write(withDraft(read(), sessionId, text));
}

/** A conversation has become a session: what was written in it belongs to that. */
export function adoptDraft(sessionId: string): void {
  const text = recallDraft(null);
  if (text !== "") write(withDraft(withDraft(read(), null, ""), sessionId, text));
}

export function withDraft(drafts: Drafts, sessionId: string | null, text: string): Drafts {
  const id = sessionId ?? "";
  const others = drafts.filter(([other]) => other !== id);
  if (text === "" || text.length > 2 * LIMITS.promptChars) return others;
  return [...others, [id, text] as const].slice(-LIMITS.drafts);
}

/** Whatever else stands in the storage is no draft. */
export function parseDrafts(stored: string | null): Drafts {
  try {
    const value: unknown = JSON.parse(stored ?? "[]");
    return Array.isArray(value) ? value.filter(isDraft).slice(-LIMITS.drafts) : [];
  } catch {
    return [];
  }
}

function isDraft(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === "string");
}

function read(): Drafts {
  try {
    return parseDrafts(sessionStorage.getItem(KEY));
  } catch {
    return [];
  }
}

function write(drafts: Drafts): void {
  try {
    if (drafts.length === 0) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(drafts));
  } catch {
    // The text is still in the composer.
  }
}
