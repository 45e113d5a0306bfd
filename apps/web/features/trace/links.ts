/**
 * The two halves of one moment: an element of the chat carries `data-link`, its trace row the same value in
 * `data-link-row`. These helpers walk from one to the other; both halves flash so that the eye finds them.
 */

import { flushSync } from "react-dom";
import { bringIntoView } from "../../ui/stay";

const FLASH_MS = 900;
/** Sent to a stretch of rows that is not drawn: it is, when the call returns. */
export const DRAW_ROWS = "trace-draw-rows";
const BLANK = "[data-trace-blank]";

/** Focuses the trace row of a link within `root`, or the header of its turn where a filter hides it. False without either. */
export function focusTraceRow(root: ParentNode, link: string): boolean {
  const half = halfOf(root, "linkRow", link);
  if (half === undefined || !half.matches("i")) return reveal(half);
  const home = half.closest<HTMLElement>(HOME);
  if (home !== null) return reveal(home);
  draw(half);
  return reveal(halfOf(root, "linkRow", link));
}

/**
 * Focuses the row of an event within `root`: its own, else the run, the call or the folded round trip that holds it, else
 * the header of its turn. `atMs` counts from the first event of the turn. False when the turn is not on the page.
 */
export function focusTraceEvent(root: ParentNode, at: { turn: string; seq: number; atMs: number }): boolean {
  const turn = [...root.querySelectorAll<HTMLElement>("[data-trace-turn]")].find(
    ({ dataset }) => dataset.traceTurn === at.turn,
  );
  if (turn === undefined) return false;
  const find = () => {
    const own = turn.querySelector<HTMLElement>(`[data-trace-row="event-${at.seq}"]`);
    const rows = [...turn.querySelectorAll<HTMLElement>(`[data-trace-row], ${BLANK}`)];
    return own ?? rows.findLast(({ dataset }) => Number(dataset.at) <= at.atMs);
  };
  let row = find();
  if (row?.matches(BLANK)) {
    draw(row);
    row = find();
  }
  return reveal(row ?? turn.querySelector<HTMLElement>("header button, header") ?? undefined);
}

/** What stands for the rows that a filter hides: the header of their turn. */
export const HOME = "[data-trace-home]";

/** Focuses the chat element of a link, and opens the answer that folds it away. False when it is not on the page. */
export function focusChatElement(root: ParentNode, link: string): boolean {
  const half = halfOf(root, "link", link);
  if (half !== undefined && !half.matches(FOLDED)) return reveal(half);
  const folded = [...root.querySelectorAll<HTMLElement>(FOLDED)];
  const fold = folded.find(({ dataset }) => link.startsWith(`${dataset.folded}:`));
  if (fold !== undefined) flushSync(() => fold.click());
  return reveal(halfOf(root, "link", link));
}

/** The line of an answer whose steps are folded away; names its turn. */
const FOLDED = "[data-folded]";

/** Compared as plain text: a tool call's id comes from a provider and may hold anything. */
function halfOf(root: ParentNode, kind: "link" | "linkRow", link: string): HTMLElement | undefined {
  const selector = kind === "link" ? "[data-link]" : "[data-link-row]";
  return [...root.querySelectorAll<HTMLElement>(selector)].find((element) => element.dataset[kind] === link);
}

function reveal(element: HTMLElement | undefined): boolean {
  if (element === undefined) return false;
  const focusable = element.matches("button, a[href], [tabindex]");
  if (!focusable) element.tabIndex = -1;
  bringIntoView(element, "center");
  element.focus({ preventScroll: true });
  element.dataset.found = "";
  setTimeout(() => delete element.dataset.found, FLASH_MS);
  return true;
}

/** Moves the focus along the rows of the panel, drawn or not; false when the key is none of its keys. */
export function moveBetweenRows(row: HTMLElement, key: string): boolean {
  const root = row.closest("[data-trace-rows]") ?? document;
  const rows = [...root.querySelectorAll<HTMLElement>(`[data-trace-row], ${BLANK}`)];
  const at = rows.indexOf(row);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[key];
  if (to === undefined) return false;
  const next = rows[to];
  if (next === undefined) return true;
  const found = next.matches(BLANK) ? drawnEnd(next, to > at ? "first" : "last", key) : next;
  found?.focus();
  return true;
}

/** The row at which a key enters a stretch that was blank. */
function drawnEnd(blank: HTMLElement, side: "first" | "last", key: string): HTMLElement | undefined {
  const stretch = blank.parentElement!;
  draw(blank);
  const rows = [...stretch.querySelectorAll<HTMLElement>("[data-trace-row]")];
  const first = key === "Home" || (key !== "End" && side === "first");
  return first ? rows[0] : rows.at(-1);
}

const draw = (inside: Element): boolean =>
  inside.closest(BLANK)!.dispatchEvent(new Event(DRAW_ROWS, { bubbles: true }));

/** Goes from the filter to the rows it left; false when it left none. */
export function focusFirstRow(): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-trace-rows] [data-trace-row]")];
  const inView = rows.find((row) => row.getBoundingClientRect().top >= 0) ?? rows[0];
  inView?.focus();
  return inView !== undefined;
}

/** Focuses the field that filters by name; false where there is none. */
export function focusFilter(): boolean {
  const field = document.querySelector<HTMLInputElement>("[data-trace-filter]");
  field?.focus();
  field?.select();
  return field !== null;
}
