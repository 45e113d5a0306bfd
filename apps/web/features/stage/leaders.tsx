/**
 * Leader lines: whatever is linked is joined by a line. An element of the chat with `data-link` is joined to the trace
 * row with the same `data-link-row`. The lines live in the scrolled content of `root` and move with it; they are measured
 * again, once a frame at most, when something in `root` changes its size, its content or its marks, and on scrolling,
 * because one side of a turn may stay in view while the other passes. Turns out of sight have no lines.
 */
import { useEffect, useRef, useState, type RefObject } from "react";
import { turnsWithin } from "../trace";
import { type Leader, type LeaderEnd, leaderPaths, type LeaderTone } from "./leader-paths";
import styles from "./leaders.module.css";

/** Lines end at the first text line of what they join, never deeper than this. */
const FIRST_LINE_PX = 15;
/** At this width and below the two halves are not side by side (README of the look: responsive). */
const SIDE_BY_SIDE = "(min-width: 1024px)";

export function Leaders({ root }: { root: RefObject<HTMLElement | null> }) {
  const svg = useRef<SVGSVGElement>(null);
  const [leaders, setLeaders] = useState<Leader[]>([]);
  const picked = usePickedLink(root);
  useLight(root, picked, leaders);

  useEffect(() => {
    const stage = root.current;
    if (stage === null) return;
    return watchLayout(stage, svg, () => {
      const next = matchMedia(SIDE_BY_SIDE).matches ? measure(stage) : [];
      setLeaders((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
    });
  }, [root]);

  return (
    <svg ref={svg} className={styles.leaders} aria-hidden="true">
      {leaders.map(({ link, tone, path, from, to }) => (
        <g key={link} className={link === picked ? styles.picked : styles[tone]}>
          <path d={path} />
          <circle cx={from.x} cy={from.y} r="2" />
          <circle cx={to.x} cy={to.y} r="2" />
        </g>
      ))}
    </svg>
  );
}

function measure(stage: HTMLElement): Leader[] {
  const origin = stage.getBoundingClientRect();
  const dx = stage.scrollLeft - origin.left;
  const dy = stage.scrollTop - origin.top;
  const near = turnsWithin(stage, origin).map((turn) => turn.closest("section") ?? turn);
  let panelX: number | null = null;
  const ends = (selector: string, linkOf: (element: HTMLElement) => string): LeaderEnd[] => {
    const found: LeaderEnd[] = [];
    for (const element of near.flatMap((turn) => [...turn.querySelectorAll<HTMLElement>(selector)])) {
      const box = element.getBoundingClientRect();
      if (box.height === 0) continue;
      const link = linkOf(element);
      if (selector === ROWS) panelX ??= box.left + dx;
      const tone = toneOf(element);
      // The live half of an answer is its last line: that is where the caret is.
      const atEnd = selector === CHAT && tone === "live" && link.endsWith(":answer");
      const depth = Math.min(box.height / 2, FIRST_LINE_PX);
      found.push({ link, tone, y: (atEnd ? box.bottom - depth : box.top + depth) + dy });
    }
    return found;
  };
  const rows = ends(ROWS, (element) => element.dataset.linkRow!);
  return panelX === null
    ? []
    : leaderPaths(
        ends(CHAT, (element) => element.dataset.link!),
        rows,
        panelX,
      );
}

const CHAT = "[data-link]";
const ROWS = "[data-link-row]";

function toneOf({ dataset: { tone } }: HTMLElement): LeaderTone {
  return tone === "danger" || tone === "live" ? tone : "linked";
}

/** Calls `onLayout` now and after every change that may have moved an end. Returns the way to stop. */
function watchLayout(stage: HTMLElement, own: RefObject<SVGSVGElement | null>, onLayout: () => void): () => void {
  let frame = 0;
  const soon = () => {
    if (frame !== 0) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      observeSizes();
      onLayout();
    });
  };
  const sizes = new ResizeObserver(soon);
  // Turns come and go; their cells share a row, so a turn's size also tells of its chat.
  const observed = new WeakSet<Element>();
  const observeSizes = () => {
    for (const turn of stage.querySelectorAll("[data-trace-turn]")) {
      if (observed.has(turn)) continue;
      observed.add(turn);
      sizes.observe(turn);
    }
  };
  const changes = new MutationObserver((records) => {
    if (records.some(({ target }) => !own.current?.contains(target) && !isClock(target))) soon();
  });
  sizes.observe(stage);
  stage.addEventListener("scroll", soon, { passive: true });
  changes.observe(stage, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: ["data-link", "data-link-row", "data-tone", "aria-expanded", "open", "hidden"],
  });
  soon();
  return () => {
    cancelAnimationFrame(frame);
    stage.removeEventListener("scroll", soon);
    sizes.disconnect();
    changes.disconnect();
  };
}

/** A clock that counts changes its text ten times a second and never its place. */
const isClock = (node: Node): boolean =>
  (node instanceof Element ? node : node.parentElement)?.closest("[data-live-clock]") !== null;

/** The link under the pointer, otherwise the one with the focus. */
function usePickedLink(root: RefObject<HTMLElement | null>): string | null {
  const [hovered, setHovered] = useState<string | null>(null);
  const [focused, setFocused] = useState<string | null>(null);
  useEffect(() => {
    const stage = root.current;
    if (stage === null) return;
    const stop = new AbortController();
    const listen = (
      type: "pointerover" | "pointerleave" | "focusin" | "focusout",
      set: (link: string | null) => void,
    ) =>
      stage.addEventListener(
        type,
        ({ target }) => set(type === "pointerleave" || type === "focusout" ? null : linkAt(target)),
        stop,
      );
    listen("pointerover", setHovered);
    listen("pointerleave", setHovered);
    listen("focusin", setFocused);
    listen("focusout", setFocused);
    return () => stop.abort();
  }, [root]);
  return hovered ?? focused;
}

/** Marks both halves of the picked link, so that whichever side the reader is on, the other shows where it is. */
function useLight(root: RefObject<HTMLElement | null>, picked: string | null, leaders: readonly Leader[]): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `leaders` says that a half may be another element now
  useEffect(() => {
    if (picked === null || root.current === null) return;
    const halves = [...root.current.querySelectorAll<HTMLElement>(`${CHAT}, ${ROWS}`)]
      .filter(({ dataset }) => (dataset.link ?? dataset.linkRow) === picked)
      // A row that a filter hides is stood for by the header of its turn.
      .map((half) => (half.matches("i") ? half.closest<HTMLElement>("[data-trace-home]") : half))
      .filter((half) => half !== null);
    for (const half of halves) half.dataset.lit = "";
    return () => {
      for (const half of halves) delete half.dataset.lit;
    };
  }, [root, picked, leaders]);
}

function linkAt(target: EventTarget | null): string | null {
  const half = target instanceof Element ? target.closest<HTMLElement>(`${CHAT}, ${ROWS}`) : null;
  return half === null ? null : (half.dataset.link ?? half.dataset.linkRow ?? null);
}
