/** Which part of the session the scroller shows, read off the rows on the page and the blanks between them: from one moment of a turn to another. */
import { useEffect, useState, type RefObject } from "react";
import { turnsWithin } from "./far-turns";
import { COVERED_PX } from "./visible-turns";

export interface FilmWindow {
  fromTurn: string;
  fromMs: number;
  toTurn: string;
  /** Null: to the end of the turn. */
  toMs: number | null;
}

/** Follows scrolling and growth, once a frame at most. Null while no row is in view. */
export function useFilmWindow(root: RefObject<HTMLElement | null>, content: unknown): FilmWindow | null {
  const [shown, setShown] = useState<FilmWindow | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `content` says that the rows may have moved
  useEffect(() => {
    const scroller = root.current;
    if (scroller === null) return;
    let frame = 0;
    const look = () => {
      frame = 0;
      const next = windowOf(scroller);
      setShown((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
    };
    const soon = () => {
      if (frame === 0) frame = requestAnimationFrame(look);
    };
    soon();
    scroller.addEventListener("scroll", soon, { passive: true });
    const resized = new ResizeObserver(soon);
    resized.observe(scroller);
    return () => {
      cancelAnimationFrame(frame);
      scroller.removeEventListener("scroll", soon);
      resized.disconnect();
    };
  }, [root, content]);
  return shown;
}

function windowOf(scroller: HTMLElement): FilmWindow | null {
  const box = scroller.getBoundingClientRect();
  const from = box.top + COVERED_PX.top;
  const to = box.bottom - COVERED_PX.bottom;
  let shown: FilmWindow | null = null;
  for (const turn of turnsWithin(scroller, { top: from, bottom: to })) {
    const rows = turn.querySelectorAll<HTMLElement>("[data-at]");
    if (rows.length === 0) continue;
    const first = firstBelow(rows, from);
    const after = firstBelow(rows, to);
    const key = turn.dataset.traceTurn!;
    shown ??= {
      fromTurn: key,
      fromMs: first === 0 ? 0 : timeOf(rows[Math.min(first, rows.length - 1)]!),
      toTurn: key,
      toMs: null,
    };
    shown.toTurn = key;
    shown.toMs = after >= rows.length ? null : timeOf(rows[after]!);
  }
  return shown;
}

/** Index of the first row whose lower edge is below `y`; the rows are in order, so half of them are skipped each time. */
function firstBelow(rows: NodeListOf<HTMLElement>, y: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.getBoundingClientRect().bottom > y) high = middle;
    else low = middle + 1;
  }
  return low;
}

const timeOf = (row: HTMLElement): number => Number(row.dataset.at);
