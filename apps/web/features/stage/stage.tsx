/**
 * The stage: one scroller in which conversation and trace share their rows. Each turn is one row, so its question and
 * its trace begin on the same line; the shorter side leaves paper blank.
 */
"use client";
import { useTranslations } from "next-intl";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import type { ChatState, ChatTurn, Step } from "../chat/chat-model";
import { isRunning } from "../chat/chat-model";
import { Turn } from "../chat/turn";
import { Stay } from "../../ui/stay";
import { useFollowEnd } from "../../ui/use-follow-end";
import {
  blockedCalls,
  focusChatElement,
  FilterField,
  type Panel,
  ReplayBar,
  TraceAxis,
  TraceFill,
  TraceFilm,
  TraceLegend,
  TraceNotice,
  type TraceView,
  TurnTrace,
  type TraceFilter,
  useTraceFilter,
} from "../trace";
import { Leaders } from "./leaders";
import { PanelHead, Picture, useReplayView } from "./stage-panel";
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
  onAskWhyStep: (turn: ChatTurn, step: Step) => void;
  onAskWhyRow: (question: string) => void;
  onShowInTrace: (turnSeq: number, toolCallId: string) => void;
}

export function Stage(props: StageProps) {
  const { chat, trace, panel, narrow, title, empty, composer, scroller, goal, onGoal } = props;
  const shown = empty === null;
  const foot = useRef<HTMLDivElement>(null);
  const { atEnd, goToEnd, leaveEnd } = useFollowEnd(scroller, shown);
  useView(scroller, foot);
  useReplayView(scroller, panel);
  const filter = useTraceFilter();
  const running = isRunning(chat);
  const { view, runningTurnSeq, replay } = panel;
  const timeline = panel.shown === "timeline";
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
            <PanelHead panel={panel} running={running} />
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
              <TraceFilm turns={view.turns} runningTurnSeq={runningTurnSeq} root={scroller} />
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
        {!narrow && <div className={styles.panelCell}>{shown && timeline && <TraceFill />}</div>}
      </div>
      <div ref={foot} className={`${styles.row} ${styles.foot}`}>
        <div className={styles.composer}>
          {shown && !atEnd && <MoreBelow events={trace.eventCount} onGo={goToEnd} />}
          {composer}
        </div>
        {!narrow && (
          <div className={styles.panelCell}>
            <TraceLegend
              counts={shown ? view.countsByMode : null}
              blockedCount={view.blockedCount}
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
  const timeline = !narrow && panel.shown === "timeline";
  const outside = drawn.get(null);
  const last = chat.turns.at(-1);
  const notice = <TraceNotice {...trace} />;
  return (
    <>
      {outside && timeline && (
        <section className={`${styles.row} ${styles.outside}`}>
          <div className={styles.panelCell}>
            <TurnTrace
              turn={outside}
              running={false}
              clockOffsetMs={view.clockOffsetMs}
              onAskWhy={onAskWhyRow}
              filter={filter}
            />
          </div>
        </section>
      )}
      {chat.turns.map((turn) => {
        const traced = turn.turnSeq === null ? undefined : drawn.get(turn.turnSeq);
        const isLast = turn === last;
        return (
          <section key={turn.number} className={styles.row} data-turn={turn.number}>
            <div className={styles.chatCell}>
              <Stay className={styles.chat}>
                <Turn
                  turn={turn}
                  last={isLast}
                  blocked={blockedCalls(turn.turnSeq === null ? undefined : present.get(turn.turnSeq))}
                  onAskAgain={onAskAgain}
                  onAskWhy={onAskWhyStep}
                  onShowInTrace={onShowInTrace}
                />
                {isLast && <LinkState link={chat.link} />}
              </Stay>
            </div>
            {!narrow && (
              <div className={styles.panelCell}>
                {!timeline ? null : traced ? (
                  <TurnTrace
                    turn={traced}
                    running={turn.turnSeq !== null && turn.turnSeq === runningTurnSeq}
                    clockOffsetMs={view.clockOffsetMs}
                    onAskWhy={onAskWhyRow}
                    filter={filter}
                    following={following || !isLast}
                  >
                    {isLast && notice}
                  </TurnTrace>
                ) : (
                  isLast && notice
                )}
              </div>
            )}
          </section>
        );
      })}
    </>
  );
}

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
