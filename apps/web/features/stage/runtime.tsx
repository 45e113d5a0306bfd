/** The Runtime page: sessions, conversation, trace, and the one place where they meet. */
"use client";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import { BottomBar } from "../../ui/bottom-bar";
import { BrandMark, MenuLines } from "../../ui/icons";
import { LanguageSwitch } from "../../ui/language-switch";
import { ThemeSwitch } from "../../ui/theme-switch";
import { TopBar } from "../../ui/top-bar";
import { type ChatTurn, isRunning, type Refusal, type RefusalCode, type Step } from "../chat/chat-model";
import { Composer } from "../chat/composer";
import { Landing } from "../chat/landing";
import { readPrefill } from "../chat/prefill";
import { SessionList } from "../chat/session-list";
import { useChat } from "../chat/use-chat";
import { useSessions } from "../chat/use-sessions";
import { focusTraceRow, TraceHead, TraceLine, TraceSheet, useTrace, whyCallText } from "../trace";
import { recallSession, rememberSession } from "./current-session";
import { Drawer } from "./drawer";
import { Announcer } from "./announcer";
import { Readouts } from "./readouts";
import { Stage } from "./stage";
import styles from "./stage.module.css";
import { useMedia } from "./use-media";

export interface RuntimeProps {
  /** Answers come from the offline demo, and the page says so. */
  demo: boolean;
}

export function Runtime({ demo }: RuntimeProps) {
  const t = useTranslations();
  const tTrace = useTranslations("trace");
  const sessions = useSessions();
  const chat = useChat(sessions.refresh);
  const { state, opening } = chat;
  const trace = useTrace(state.sessionId, isRunning(state));
  const [text, setText] = useState("");
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [drawer, setDrawer] = useState(false);
  const [sheet, setSheet] = useState<{ open: boolean; link: string | null }>({ open: false, link: null });
  const field = useRef<HTMLTextAreaElement>(null);
  const scroller = useRef<HTMLElement>(null);
  const narrow = useMedia("(max-width: 768px)");
  const running = isRunning(state);
  const currentId = state.sessionId ?? opening?.sessionId ?? null;
  const runningTurnSeq = running ? (state.turns.at(-1)?.turnSeq ?? null) : null;

  const prefill = useCallback((question: string) => {
    setText(question);
    setSheet({ open: false, link: null });
    requestAnimationFrame(() => field.current?.focus());
  }, []);

  const { open, clear } = chat;
  useEffect(() => {
    const { text: question, address } = readPrefill(window.location);
    if (address !== null) window.history.replaceState(window.history.state, "", address);
    if (question !== "") prefill(question);
    const recalled = recallSession();
    if (recalled !== null) open(recalled);
    delete document.documentElement.dataset.resume;
  }, [open, prefill]);

  useEffect(() => {
    if (state.sessionId !== null) rememberSession(state.sessionId);
    else if (opening?.problem === "not_found") rememberSession(null);
  }, [state.sessionId, opening]);

  const send = async (prompt: string) => {
    setRefusal(null);
    setText("");
    const refused = await chat.send(prompt);
    if (refused === null) return;
    setRefusal(refused);
    // What was written meanwhile stays too.
    setText((typed) => (typed === "" ? prompt : `${prompt}\n${typed}`));
  };

  const startNew = (keepText = false) => {
    setRefusal(null);
    if (!keepText) setText("");
    rememberSession(null);
    clear();
    setDrawer(false);
    requestAnimationFrame(() => field.current?.focus());
  };

  const openSession = (id: string) => {
    setDrawer(false);
    setRefusal(null);
    if (id !== currentId) open(id);
  };

  const askWhy = useCallback(
    ({ number }: ChatTurn, { name, inputPreview, state: end }: Step) =>
      prefill(whyCallText({ number, tool: name, inputPreview, failed: end === "failed" }, tTrace)),
    [prefill, tTrace],
  );

  const showInTrace = useCallback(
    (turnSeq: number, toolCallId: string) => {
      const link = `${turnSeq}:${toolCallId}`;
      if (narrow) setSheet({ open: true, link });
      else if (scroller.current !== null) focusTraceRow(scroller.current, link);
    },
    [narrow],
  );

  const current = sessions.list?.find(({ id }) => id === state.sessionId);
  const landing = state.turns.length === 0 && opening === null;
  const title = landing ? t("sessions.new") : current?.title || state.turns[0]?.prompt || t("sessions.untitled");
  const refused = refusal ?? (opening?.problem ? { code: opening.problem } : null);
  const list = (
    <SessionList
      sessions={sessions}
      currentId={currentId}
      running={running}
      onOpen={openSession}
      onNew={() => startNew()}
      onDeleted={(id) => id === currentId && startNew(true)}
    />
  );

  return (
    <div className={styles.frame}>
      <TopBar>
        {!landing && (
          <Readouts totalTokens={state.totalTokens} ctxPercent={state.ctxPercent} events={trace.eventCount} />
        )}
      </TopBar>
      <header className={styles.phoneBar}>
        <button
          type="button"
          className={styles.menu}
          aria-label={t("sessions.open")}
          aria-haspopup="dialog"
          onClick={() => setDrawer(true)}
        >
          <MenuLines />
        </button>
        {landing ? (
          <h1 className={styles.phoneBrand}>
            <BrandMark /> Agent X-Ray
          </h1>
        ) : (
          <h1 className={`${styles.phoneTitle} cut`}>{title}</h1>
        )}
        {landing && <LanguageSwitch />}
        <ThemeSwitch />
      </header>
      <div className={styles.runtime}>
        <aside className={styles.sessions} aria-label={t("sessions.label")}>
          {list}
        </aside>
        <Stage
          chat={state}
          trace={trace}
          narrow={narrow === true}
          scroller={scroller}
          title={
            <>
              <button
                type="button"
                className={`btn ${styles.drawerButton}`}
                aria-haspopup="dialog"
                onClick={() => setDrawer(true)}
              >
                {t("sessions.label")}
              </button>
              <h1 className="cut">{title}</h1>
            </>
          }
          empty={
            state.turns.length > 0 ? null : opening === null ? (
              <Landing onAsk={send} />
            ) : (
              <Opening problem={opening.problem} onRetry={() => open(opening.sessionId)} />
            )
          }
          composer={
            <>
              {narrow !== false && (
                <TraceLine
                  view={trace}
                  runningTurnSeq={runningTurnSeq}
                  onOpen={() => setSheet({ open: true, link: null })}
                />
              )}
              <Composer
                text={text}
                onTextChange={setText}
                running={running}
                stopping={chat.stopping}
                narrow={narrow === true}
                refusal={refused}
                demo={demo}
                onSend={() => send(text.trim())}
                onStop={chat.stop}
                onNewSession={startNew}
                field={field}
              />
            </>
          }
          onAskAgain={prefill}
          onAskWhyStep={askWhy}
          onAskWhyRow={prefill}
          onShowInTrace={showInTrace}
        />
      </div>
      <BottomBar />
      <Drawer side="left" title={t("sessions.label")} open={drawer} onOpenChange={setDrawer}>
        {list}
        <div className={styles.drawerFoot}>
          <LanguageSwitch />
        </div>
      </Drawer>
      <Drawer
        side="bottom"
        title={t("phone.sheet")}
        open={narrow === true && sheet.open}
        onOpenChange={(isOpen) => setSheet({ open: isOpen, link: null })}
      >
        <div className={styles.sheetHead}>
          <TraceHead
            view={trace.turns.length > 0 ? "timeline" : "lifecycle"}
            connection={trace.connection}
            running={running}
          />
        </div>
        <TraceSheet
          view={trace}
          runningTurnSeq={runningTurnSeq}
          focusLink={sheet.link}
          onAskWhy={prefill}
          onLeave={() => setSheet({ open: false, link: null })}
        />
      </Drawer>
      <Announcer chat={state} trace={trace} />
    </div>
  );
}

function Opening({ problem, onRetry }: { problem: RefusalCode | null; onRetry: () => void }) {
  const t = useTranslations("chat");
  return (
    <p className={styles.opening}>
      {problem === null ? (
        <>
          <i className="lamp" /> {t("loading")}
        </>
      ) : (
        <>
          {t("loadFailed")}{" "}
          {problem !== "not_found" && (
            <button type="button" className="act" onClick={onRetry}>
              {t("retry")}
            </button>
          )}
        </>
      )}
    </p>
  );
}
