/**
 * Search in what the page has: the titles of the visitor's sessions, and the messages of those that were opened in this
 * tab. Case does not matter. Pure; nothing is fetched and nothing is stored.
 */
import { LIMITS } from "../../../../shared/limits";
import { asPattern, splitByQuery } from "../source/split-by-query";
import type { ChatTurn } from "./chat-model";

/** Text in pieces; every second one, from the second on, is what was searched. */
export type Pieces = readonly string[];

export interface MessageHit {
  turnSeq: number;
  /** What the chat calls the element, after the turn. */
  half: "user" | "answer";
  excerpt: Pieces;
}

export interface SessionHit {
  sessionId: string;
  title: Pieces;
  messages: readonly MessageHit[];
}

export interface Searched {
  id: string;
  title: string;
  /** Empty where the session has not been opened. */
  turns: readonly ChatTurn[];
}

const BEFORE_CHARS = 24;
const AFTER_CHARS = 60;

/** In the order of the list; at most `LIMITS.searchHits` messages over all. */
export function searchSessions(query: string, sessions: readonly Searched[]): SessionHit[] {
  const wanted = query.trim().slice(0, LIMITS.searchChars);
  if (wanted === "") return [];
  // Asked of every message with every letter typed: what `excerptOf` would say, without making one line of each.
  const holds = new RegExp(wanted.split(/\s+/).map(asPattern).join("\\s+"), "iu");
  const hits: SessionHit[] = [];
  let room: number = LIMITS.searchHits;
  for (const { id, title, turns } of sessions) {
    const pieces = splitByQuery(title, wanted);
    const messages: MessageHit[] = [];
    for (const turn of turns) {
      if (messages.length === room) break;
      messages.push(...messageHits(turn, wanted, holds).slice(0, room - messages.length));
    }
    room -= messages.length;
    if (pieces.length > 1 || messages.length > 0) hits.push({ sessionId: id, title: pieces, messages });
  }
  return hits;
}

function messageHits({ turnSeq, prompt, answer }: ChatTurn, wanted: string, holds: RegExp): MessageHit[] {
  if (turnSeq === null) return [];
  return [["user", prompt] as const, ["answer", answer.text] as const].flatMap(([half, text]) => {
    const excerpt = holds.test(text) ? excerptOf(text, wanted) : null;
    return excerpt === null ? [] : [{ turnSeq, half, excerpt }];
  });
}

/** One line around the first place; null when there is none. Never half a character. */
export function excerptOf(text: string, wanted: string): Pieces | null {
  const [before = "", hit, ...rest] = splitByQuery(text.replace(/\s+/g, " "), wanted.replace(/\s+/g, " "));
  if (hit === undefined) return null;
  const after = rest.join("");
  const lead =
    before.length <= BEFORE_CHARS ? before : `…${before.slice(-BEFORE_CHARS).replace(/^[\uDC00-\uDFFF]/, "")}`;
  const tail = after.length <= AFTER_CHARS ? after : `${after.slice(0, AFTER_CHARS).replace(/[\uD800-\uDBFF]$/, "")}…`;
  return [lead, hit, tail];
}
