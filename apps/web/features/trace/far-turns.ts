/**
 * Turns far from the view have no layout (`content-visibility`): a session of thousands of events costs what can be seen
 * of it. What a stranger to the page wants to know about them is answered here without making one.
 */
import type { TraceTurn } from "./trace-model";

/**
 * The turns that lie between two heights of the window, in order. The sections that hold them are asked: to ask inside
 * one would lay it out, and so every turn of the session.
 */
export function turnsWithin(scroller: ParentNode, { top, bottom }: { top: number; bottom: number }): HTMLElement[] {
  return [...scroller.querySelectorAll<HTMLElement>("[data-trace-turn]")].filter((turn) => {
    const box = (turn.closest("section") ?? turn).getBoundingClientRect();
    return box.bottom > top && box.top < bottom;
  });
}

/** `contain-intrinsic-block-size` of a turn: as high as it was; until it was seen, as high as its rows are unless a reader folds them otherwise. */
export function likelyHeight({
  items,
  toolCalls,
  durationMs,
}: Pick<TraceTurn, "items" | "toolCalls" | "durationMs">): string {
  const open = items.findLast((item) => item.kind === "trip");
  const inside = open === undefined ? 0 : open.children.filter(({ kind }) => kind !== "tool").length;
  const foot = durationMs === null ? 0 : 1;
  return `auto calc(${HEAD_AND_END_PX}px + ${items.length + toolCalls + inside + foot} * var(--row))`;
}

const HEAD_AND_END_PX = 66;
