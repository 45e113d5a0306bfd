/**
 * Some neighbouring rows of a turn. Away from the view they are one blank of the same height, in which only the places
 * of linked rows remain, so that leaders still end where they belong. Whatever has to reach a row, a link, a key or
 * paper, draws the stretch at once.
 */
import { useTranslations } from "next-intl";
import { memo, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { DRAW_ROWS } from "./links";
import { canTellNear, usePrinting, watchNear } from "./near-view";
import { isHappening, TraceRow, type TraceRowProps, toneOf } from "./trace-row";
import styles from "./trace.module.css";
import type { TraceTurn } from "./trace-model";
import type { VisibleRow } from "./visible-rows";

export interface RowStretchProps
  extends Pick<TraceRowProps, "running" | "onToggle" | "onReach" | "onAskWhy" | "onShowInChat" | "onShowInChain"> {
  rows: readonly VisibleRow[];
  /** Place of the first row among those of the turn, from 1. */
  first: number;
  /** The row in the tab order, when it is one of these. */
  reachable: string | null;
  /** The turn and its clock when one of the rows is happening now; null otherwise. */
  live: { turn: TraceTurn; clockOffsetMs: number | null } | null;
  /** The end of a running turn: its rows appear at once. */
  eager: boolean;
}

export const RowStretch = memo(function RowStretch(props: RowStretchProps) {
  const { rows, first, reachable, live, eager, ...common } = props;
  const box = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(() => eager || !canTellNear());
  const [size, setSize] = useState<{ heightPx: number; rows: number } | null>(null);
  const away = useRef(false);
  const count = useRef(rows.length);
  count.current = rows.length;
  const drawn = usePrinting() || near;
  const wasDrawn = useRef(drawn);
  wasDrawn.current = drawn;

  useEffect(() => {
    const element = box.current;
    if (element === null || !canTellNear()) return;
    const draw = () => {
      // Whoever asked goes there; and the blank that goes may have had the focus.
      away.current = false;
      flushSync(() => setNear(true));
    };
    const stopWatching = watchNear(element, (isNear, heightPx) => {
      away.current = !isNear;
      if (isNear) return setNear(true);
      // Most stretches of a stored session are first heard of as blanks, and stay blanks.
      if (!wasDrawn.current) return;
      // The row with the focus stays, so that the next key starts from it.
      if (element.contains(document.activeElement)) return;
      // In a turn that has no layout any more nothing has a height.
      if (heightPx > 0) setSize({ heightPx, rows: count.current });
      setNear(false);
    });
    const onFocusOut = ({ relatedTarget }: FocusEvent) => {
      if (away.current && !element.contains(relatedTarget as Node | null)) setNear(false);
    };
    element.addEventListener(DRAW_ROWS, draw);
    element.addEventListener("focusout", onFocusOut);
    return () => {
      stopWatching();
      element.removeEventListener(DRAW_ROWS, draw);
      element.removeEventListener("focusout", onFocusOut);
    };
  }, []);

  return (
    <div ref={box}>
      {drawn ? (
        rows.map((row, index) => (
          <TraceRow
            key={row.item.key}
            {...row}
            {...common}
            place={first + index}
            reachable={row.item.key === reachable}
            live={live !== null && isHappening(row.item) ? live : null}
          />
        ))
      ) : (
        <Blank
          rows={rows}
          heightPx={size?.rows === rows.length ? size.heightPx : null}
          isStop={reachable !== null}
          onReached={() => {
            box.current?.dispatchEvent(new Event(DRAW_ROWS));
            box.current?.querySelector<HTMLElement>('[data-trace-row][tabindex="0"]')?.focus();
          }}
        />
      )}
    </div>
  );
}, isSame);

interface BlankProps {
  rows: readonly VisibleRow[];
  /** As it was measured when the rows were on the page; null: every row at its usual height. */
  heightPx: number | null;
  /** The row in the tab order is one of these: the blank stands in for it. */
  isStop: boolean;
  onReached: () => void;
}

function Blank({ rows, heightPx, isStop, onReached }: BlankProps) {
  const t = useTranslations("trace");
  const { item } = rows[0]!;
  return (
    // biome-ignore lint/a11y/useSemanticElements: stretches stand between list and items, which an <ol> does not allow
    <div
      className={styles.blank}
      role="listitem"
      data-trace-blank=""
      data-at={item.kind === "event" ? item.atMs : item.startMs}
      style={{ blockSize: heightPx === null ? `calc(${rows.length} * var(--row))` : heightPx }}
      {...(isStop && { tabIndex: 0, onFocus: onReached })}
    >
      <span className="sr-only">{t("moreRows", { count: rows.length })}</span>
      {rows.map(({ item: linked, link }, index) =>
        link === null ? null : (
          <i
            key={link}
            data-link-row={link}
            data-tone={toneOf(linked, false)}
            style={{ top: `calc(${index} * var(--row))` }}
          />
        ),
      )}
    </div>
  );
}

/** Most stretches of a long turn are the same after an event as before it. */
function isSame(before: RowStretchProps, after: RowStretchProps): boolean {
  const { rows: was, ...old } = before;
  const { rows, ...now } = after;
  return was.length === rows.length && shallowEqual(old, now) && rows.every((row, at) => shallowEqual(was[at]!, row));
}

function shallowEqual<T extends object>(a: T, b: T): boolean {
  return (Object.keys(b) as (keyof T)[]).every((key) => Object.is(a[key], b[key]));
}
