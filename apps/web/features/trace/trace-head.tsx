/**
 * Head of the panel: its four pictures as tabs, the way into the past, and one lamp. Green only while a turn runs and
 * its events arrive. Arrow keys move between the tabs and choose; a picture that has nothing yet cannot be chosen.
 */
import { useTranslations } from "next-intl";
import { type KeyboardEvent, useRef } from "react";
import styles from "./trace-head.module.css";
import type { TraceConnection } from "./trace-model";
import type { Panel } from "./use-panel";
import { PANEL_VIEWS, type PanelView } from "./use-panel-view";

interface PanelHeadProps {
  panel: Panel;
  /** A turn is, now. */
  running: boolean;
  /** Called while the chosen picture still stands. */
  beforeChoice?: () => void;
}

/** The head of a panel, wherever that stands. */
export function PanelHead({ panel, running, beforeChoice }: PanelHeadProps) {
  const { shown, choose, empty, view, startReplay, replay } = panel;
  return (
    <TraceHead
      view={shown}
      onView={(next) => {
        beforeChoice?.();
        choose(next);
      }}
      empty={empty}
      connection={view.connection}
      running={running && replay === null}
      onReplay={startReplay}
    />
  );
}

export interface TraceHeadProps {
  view: PanelView;
  onView: (view: PanelView) => void;
  /** Nothing is recorded: only the road at zero and the tools can be shown. */
  empty: boolean;
  connection: TraceConnection;
  running: boolean;
  /** Into the past; absent while there or where there is none. */
  onReplay?: () => void;
}

/** The element that shows the chosen picture, named by its tab. */
export const panelProps = (view: PanelView) => ({ role: "tabpanel", "aria-labelledby": `trace-tab-${view}` }) as const;

export function TraceHead({ view, onView, empty, connection, running, onReplay }: TraceHeadProps) {
  const t = useTranslations("trace");
  const tPanel = useTranslations("panel");
  const tabs = useRef<HTMLDivElement>(null);
  const state = lampState(connection, running);
  const open = PANEL_VIEWS.filter((name) => !empty || name === "lifecycle" || name === "tools");

  const onKeyDown = (event: KeyboardEvent) => {
    const at = open.indexOf(view);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key];
    const next = to === undefined ? undefined : open.at(to % open.length);
    if (next === undefined) return;
    event.preventDefault();
    onView(next);
    tabs.current?.querySelector<HTMLElement>(`#trace-tab-${next}`)?.focus();
  };

  return (
    <div className={styles.head}>
      <h2 className="sr-only">{tPanel(`view.${view}`)}</h2>
      <div ref={tabs} role="tablist" aria-label={tPanel("views")} className={styles.tabs} onKeyDown={onKeyDown}>
        {PANEL_VIEWS.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`trace-tab-${name}`}
            aria-selected={name === view}
            tabIndex={name === view ? 0 : -1}
            disabled={!open.includes(name)}
            onClick={() => onView(name)}
          >
            {tPanel(`view.${name}`)}
          </button>
        ))}
      </div>
      {onReplay === undefined ? null : (
        <button type="button" className={`act ${styles.replay}`} onClick={onReplay} data-replay-start="">
          {tPanel("replay.name")}
        </button>
      )}
      <span className={styles.state}>
        <i className={`lamp ${state === "live" ? "is-on" : state === "failed" ? "is-bad" : ""}`} />
        <span>{t(`state.${state}`)}</span>
      </span>
    </div>
  );
}

function lampState(connection: TraceConnection, running: boolean) {
  if (connection === "live") return running ? "live" : "waiting";
  if (connection === "idle") return "waiting";
  return connection;
}
