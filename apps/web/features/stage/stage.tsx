/**
 * The stage: one scroller in which conversation and trace share their rows. Each turn is one row, so its question and
 * its trace begin on the same line; the shorter side leaves paper blank.
 */
"use client";
import { useTranslations } from "next-intl";
import { memo, type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { ChatState, ChatTurn, Step } from "../chat/chat-model";
import { isRunning } from "../chat/chat-model";
import { Turn } from "../chat/turn";
import { Stay } from "../../ui/stay";
import { useFollowEnd } from "../../ui/use-follow-end";
import {
  type Blocked,
  blockedCalls,
  focusChatElement,
  likelyHeight,
  FilterField,
  type Panel,
  PanelHead,
  ReplayBar,
  TraceAxis,
  TraceFill,
  TraceFilm,
  TraceLegend,
  TraceNotice,
  type TraceTurn,
  type TraceView,
  TurnTrace,
  type TurnTraceProps,
  type TraceFilter,
  useTraceFilter,
} from "../trace";
import { Leaders } from "./leaders";
import { Picture, useReplayView } from "./stage-panel";
import styles from "./stage.module.css";
import { useView } from "./use-view";

export interface StageProps {
  chat: ChatState;
  trace: TraceView;
  panel: Panel;
  /** Phone: the trace is not beside the chat but in a sheet. */
  narrow: boolean;
  title: ReactNode;
  /** Stands in place of the turns: the landing, or why there is nothing. */
  empty: ReactNode | null;
  composer: ReactNode;
  scroller: RefObject<HTMLElement | null>;
  /** Where the reader wants to be instead of at the end: a link of the chat. Told once it was reached. */
  goal: string | null;
  onGoal: () => void;
  onAskAgain: (prompt: string) => void;
  onAskWhyStep: (turn: ChatTurn, step: Step, ended: "failed" | "blocked") => void;
  onAskWhyRow: (question: string) => void;
  onShowInTrace: (turnSeq: number, toolCallId: string) => void;
}

export function Stage(props: StageProps) {
  const { chat, trace, panel, narrow, title, empty, composer, scroller, goal, onGoal } = props;
  const shown = empty === null;
  const foot = useRef<HTMLDivElement>(null);
  const { atEnd, goToEnd, leaveEnd, hold } = useFollowEnd(scroller, shown);
  useView(scroller, foot);
  useReplayView(scroller, panel);
  const running = isRunning(chat);
  // What is beside the chat changes: the turn that is read stays. Whoever watches a running one goes on watching it.
  const watching = running && atEnd;
  const keepPlace = useCallback(() => {
    const words = scroller.current && turnInView(scroller.current)?.querySelector("[data-stay]");
    if (words && !watching) hold(words);
  }, [scroller, hold, watching]);
  const filter = useTraceFilter(keepPlace);
  const { view, runningTurnSeq, replay } = panel;
  const timeline = panel.shown === "timeline";
  // Where in the rows the reader was, for the way back from another picture to the same turn.
  const left = useRef<{ turn: Element; topPx: number } | null>(null);
  const keepPlaceInRows = useCallback(() => {
    const turn = scroller.current && turnInView(scroller.current);
    if (!timeline && turn && left.current?.turn === turn) return hold(turn, left.current.topPx);
    if (timeline && turn) left.current = { turn, topPx: turn.getBoundingClientRect().top };
    keepPlace();
  }, [scroller, hold, keepPlace, timeline]);
  // A question of one's own and a session just opened are read from the end.
  // biome-ignore lint/correctness/useExhaustiveDependencies: these two are when that happens
  useEffect(() => {
    if (shown) goToEnd();
    else scroller.current?.scrollTo({ top: 0 });
  }, [chat.turns.length, chat.sessionId, shown]);
  // After the effect above, which goes to the end of a session just opened.
  useEffect(() => {
    if (goal === null || !shown || scroller.current === null) return;
    leaveEnd();
    focusChatElement(scroller.current, goal);
    onGoal();
  }, [goal, onGoal, shown, leaveEnd, scroller]);

  return (
    <main className={styles.stage} ref={scroller} data-trace-rows="" data-empty={shown ? undefined : ""}>
      <div className={`${styles.row} ${styles.heads}`}>
        <div className={styles.chatHead}>{title}</div>
        {!narrow && (
          <div className={styles.panelCell}>
            <PanelHead panel={panel} running={running} beforeChoice={keepPlaceInRows} />
          </div>
        )}
      </div>
      {shown && !narrow && !timeline && (
        <div className={`${styles.row} ${styles.strip}`}>
          <div className={`${styles.panelCell} ${styles.view}`}>
            {replay !== null && <ReplayBar replay={replay} />}
            <Picture panel={panel} scroller={scroller} className={styles.picture} />
          </div>
        </div>
      )}
      {shown && !narrow && timeline && (
        <div className={`${styles.row} ${styles.strip}`}>
          <div className={styles.panelCell}>
            {replay === null ? (
              <TraceFilm key={chat.sessionId} turns={view.turns} runningTurnSeq={runningTurnSeq} root={scroller} />
            ) : (
              <ReplayBar replay={replay} />
            )}
            <TraceAxis
              turns={view.turns}
              runningTurnSeq={runningTurnSeq}
              clockOffsetMs={view.clockOffsetMs}
              root={scroller}
            >
              <FilterField {...filter} turns={view.turns} />
            </TraceAxis>
          </div>
        </div>
      )}
      <div className={styles.content}>
        {shown ? (
          <Turns {...props} filter={filter.filter} following={atEnd} />
        ) : (
          <EmptyRow empty={empty} panel={narrow ? null : panel} scroller={scroller} />
        )}
      </div>
      <div className={`${styles.row} ${styles.fill}`}>
        {!narrow && (
          <div className={styles.panelCell}>{shown && timeline && view.turns.length > 0 && <TraceFill />}</div>
        )}
      </div>
      <div ref={foot} className={`${styles.row} ${styles.foot}`}>
        <div className={styles.composer}>
          {shown && !atEnd && <MoreBelow events={trace.eventCount} onGo={goToEnd} />}
          {composer}
        </div>
        {!narrow && (
          <div className={styles.panelCell}>
            <TraceLegend
              counts={shown && view.turns.length > 0 ? view.countsByMode : null}
              decided={view.decidedByMode}
              control={shown && timeline ? filter : undefined}
            />
          </div>
        )}
      </div>
      {shown && !narrow && timeline && <Leaders root={scroller} />}
    </main>
  );
}

function Turns(props: StageProps & { filter: TraceFilter; following: boolean }) {
  const { chat, trace, panel, narrow, filter, following, onAskAgain, onAskWhyStep, onAskWhyRow, onShowInTrace } = props;
  const { view, runningTurnSeq } = panel;
  const present = new Map(trace.turns.map((turn) => [turn.turnSeq, turn]));
  const drawn = new Map(view.turns.map((turn) => [turn.turnSeq, turn]));
  const side = narrow ? "none" : panel.shown === "timeline" ? "timeline" : "blank";
  const outside = drawn.get(null);
  const last = chat.turns.at(-1);
  return (
    <>
      {outside && side === "timeline" && (
        <section className={`${styles.row} ${styles.outside}`}>
          <div className={styles.panelCell}>
            <TurnTrace
              turn={outside}
              running={false}
              clockOffsetMs={null}
              onAskWhy={onAskWhyRow}
              onShowInChain={panel.showChain}
              filter={filter}
            />
          </div>
        </section>
      )}
      {chat.turns.map((turn) => {
        const { turnSeq } = turn;
        const running = turnSeq !== null && turnSeq === runningTurnSeq;
        const isLast = turn === last;
        return (
          <StageTurn
            key={turn.number}
            turn={turn}
            traced={turnSeq === null ? undefined : drawn.get(turnSeq)}
            blocked={blockedCalls(turnSeq === null ? undefined : present.get(turnSeq))}
            side={side}
            filter={filter}
            running={running}
            // Known better with every event, and nobody's business but the running turn's.
            clockOffsetMs={running ? view.clockOffsetMs : null}
            following={following || !isLast}
            last={isLast ? { link: chat.link, notice: <TraceNotice {...trace} /> } : null}
            onShowInChain={panel.showChain}
            {...{ onAskAgain, onAskWhyStep, onAskWhyRow, onShowInTrace }}
          />
        );
      })}
    </>
  );
}

interface StageTurnProps
  extends Pick<StageProps, "onAskAgain" | "onAskWhyStep" | "onAskWhyRow" | "onShowInTrace">,
    Pick<TurnTraceProps, "running" | "clockOffsetMs" | "following" | "onShowInChain"> {
  turn: ChatTurn;
  traced: TraceTurn | undefined;
  blocked: ReadonlyMap<string, Blocked>;
  /** What stands beside the chat: the timeline, paper under another picture, or, on a phone, nothing. */
  side: "timeline" | "blank" | "none";
  filter: TraceFilter;
  /** What the last turn says about the two connections; null for every other. */
  last: { link: ChatState["link"]; notice: ReactNode } | null;
}

/** One row of the stage. An event of one turn draws no other. */
const StageTurn = memo(function StageTurn(props: StageTurnProps) {
  const { turn, traced, blocked, side, filter, running, clockOffsetMs, following, last } = props;
  const { onAskAgain, onAskWhyStep, onAskWhyRow, onShowInTrace, onShowInChain } = props;
  return (
    <section
      {...(side === "timeline" && traced
        ? { className: `${styles.row} ${styles.traced}`, style: { containIntrinsicBlockSize: likelyHeight(traced) } }
        : { className: styles.row })}
      data-turn={turn.number}
    >
      <div className={styles.chatCell}>
        <Stay className={styles.chat}>
          <Turn
            turn={turn}
            last={last !== null}
            blocked={blocked}
            onAskAgain={onAskAgain}
            onAskWhy={onAskWhyStep}
            onShowInTrace={onShowInTrace}
          />
          {last && <LinkState link={last.link} />}
        </Stay>
      </div>
      {side !== "none" && (
        <div className={styles.panelCell}>
          {side === "timeline" &&
            (traced ? (
              <TurnTrace
                turn={traced}
                running={running}
                clockOffsetMs={clockOffsetMs}
                onAskWhy={onAskWhyRow}
                onShowInChain={onShowInChain}
                filter={filter}
                following={following}
              >
                {last?.notice}
              </TurnTrace>
            ) : (
              last && <Stay>{last.notice}</Stay>
            ))}
        </div>
      )}
    </section>
  );
});

/** The first turn that can be seen below the heads. */
function turnInView(stage: HTMLElement): Element | null {
  const topPx = stage.getBoundingClientRect().top + HEADS_PX;
  const turns = [...stage.querySelectorAll("[data-turn]")];
  return turns.find((turn) => turn.getBoundingClientRect().bottom > topPx) ?? null;
}
/** Title, film and axis, as `stage.module.css` has them. */
const HEADS_PX = 97;

function EmptyRow({ empty, panel, scroller }: Pick<StageProps, "empty" | "scroller"> & { panel: Panel | null }) {
  return (
    <section className={styles.row}>
      <div className={styles.emptyCell}>{empty}</div>
      {panel !== null && (
        <div className={styles.panelCell}>
          <Picture panel={panel} scroller={scroller} />
        </div>
      )}
    </section>
  );
}

function LinkState({ link }: { link: ChatState["link"] }) {
  const t = useTranslations("chat");
  if (link !== "reconnecting" && link !== "rejoined") return null;
  return (
    <p className={styles.link}>
      <i className={link === "rejoined" ? "lamp is-on" : "lamp"} />
      {t(link)}
    </p>
  );
}

/** How much has come since the reader left the end. */
function MoreBelow({ events, onGo }: { events: number; onGo: () => void }) {
  const t = useTranslations("chat");
  const [left] = useState(events);
  const fresh = events - left;
  return (
    <button type="button" className={`btn ${styles.more}`} onClick={onGo}>
      {fresh > 0 ? t("newEvents", { n: fresh }) : t("toEnd")}
    </button>
  );
}
