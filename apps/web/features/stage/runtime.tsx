/** The Runtime page: sessions, conversation, trace, and the one place where they meet. */
"use client";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { BottomBar } from "../../ui/bottom-bar";
import { BrandMark, MenuLines } from "../../ui/icons";
import { LanguageSwitch } from "../../ui/language-switch";
import { ThemeSwitch } from "../../ui/theme-switch";
import { TopBar } from "../../ui/top-bar";
import { CardActionsContext } from "../cards/card-actions";
import { type ChatTurn, isRunning, type Refusal, type RefusalCode, type Step } from "../chat/chat-model";
import { Composer } from "../chat/composer";
import { keepDraft } from "../chat/drafts";
import { Landing } from "../chat/landing";
import { readPrefill } from "../chat/prefill";
import { SaveSession } from "../chat/save-session";
import type { MessageHit } from "../chat/search";
import { SessionList } from "../chat/session-list";
import { useChat } from "../chat/use-chat";
import { useDraft } from "../chat/use-draft";
import { useOpened } from "../chat/use-opened";
import { useSessions } from "../chat/use-sessions";
import { KeptChoices, TraceLine, TraceSheet, usePanel, useTrace, whyCallText } from "../trace";
import { recallSession, rememberSession } from "../../lib/current-session";
import { Drawer } from "./drawer";
import { Announcer } from "./announcer";
import { Help } from "./help";
import { Readouts } from "./readouts";
import type { Shortcut } from "./shortcuts";
import { Stage } from "./stage";
import styles from "./stage.module.css";
import { useKeyboardInset } from "./use-keyboard-inset";
import { useMedia } from "./use-media";
import { useShortcuts } from "./use-shortcuts";

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
  const [refusal, setRefusal] = useState<(Refusal & { pressed?: true }) | null>(null);
  const [drawer, setDrawer] = useState<"closed" | "open" | "searching">("closed");
  const [help, setHelp] = useState(false);
  const [goal, setGoal] = useState<{ sessionId: string; link: string } | null>(null);
  const [sheet, setSheet] = useState<{ open: boolean; link: string | null }>({ open: false, link: null });
  const field = useRef<HTMLTextAreaElement>(null);
  const scroller = useRef<HTMLElement>(null);
  const column = useRef<HTMLElement>(null);
  const openedTurns = useOpened(state);
  useKeyboardInset();
  const narrow = useMedia("(max-width: 768px)");
  const running = isRunning(state);
  const currentId = state.sessionId ?? opening?.sessionId ?? null;
  const draft = useDraft({ currentId, sessionId: state.sessionId, running });
  const { put, recall } = draft;
  const runningTurnSeq = running ? (state.turns.at(-1)?.turnSeq ?? null) : null;
  const panel = usePanel({ trace, sessionId: state.sessionId, runningTurnSeq, empty: state.turns.length === 0 });
  const { choose, showLink } = panel;

  const prefill = useCallback(
    (question: string, again = false) => {
      put(question, again);
      setSheet({ open: false, link: null });
      requestAnimationFrame(() => field.current?.focus({ preventScroll: true }));
    },
    [put],
  );
  const askWith = useCallback((question: string) => prefill(question), [prefill]);
  const askAgain = useCallback((question: string) => prefill(question, true), [prefill]);

  const { open, clear, send: deliver } = chat;
  useEffect(() => {
    const { text: question, address } = readPrefill(window.location);
    if (address !== null) window.history.replaceState(window.history.state, "", address);
    const recalled = recallSession();
    if (question !== "") prefill(question);
    else recall(recalled);
    if (recalled !== null) open(recalled);
    delete document.documentElement.dataset.resume;
  }, [open, prefill, recall]);

  // Already while it is being opened, so that a reload goes on with it.
  useEffect(() => {
    if (opening?.problem === "not_found") rememberSession(null);
    else if (currentId !== null) rememberSession(currentId);
  }, [currentId, opening]);

  const send = async (prompt: string) => {
    setRefusal(null);
    draft.write("");
    const refused = await deliver(prompt);
    if (refused === null) return;
    setRefusal(refused);
    draft.giveBack(prompt);
  };

  /** What a press on a card or a first question sends; what stands in the composer is not its business. */
  const sendPressed = useCallback(
    async (prompt: string) => {
      setRefusal(null);
      const refused = await deliver(prompt);
      if (refused !== null) setRefusal({ ...refused, pressed: true });
      return refused === null;
    },
    [deliver],
  );
  const cardActions = useMemo(
    () => ({ running, send: sendPressed, prefill: askWith }),
    [running, sendPressed, askWith],
  );

  const startNew = (keepText = false) => {
    setRefusal(null);
    if (keepText) draft.carry();
    else recall(null);
    rememberSession(null);
    clear();
    setDrawer("closed");
    requestAnimationFrame(() => field.current?.focus({ preventScroll: true }));
  };

  const openSession = (id: string, message?: MessageHit) => {
    setDrawer("closed");
    setRefusal(null);
    setGoal(message ? { sessionId: id, link: `${message.turnSeq}:${message.half}` } : null);
    if (id === currentId) return;
    recall(id);
    open(id);
  };
  const reachedGoal = useCallback(() => setGoal(null), []);

  const search = () => {
    // Beside the page the field is there as soon as there is a session to find.
    if (column.current?.checkVisibility()) column.current.querySelector("input")?.focus();
    else setDrawer("searching");
    return true;
  };
  const lastPrompt = running ? undefined : state.turns.at(-1)?.prompt;
  const singleKeys = useShortcuts((shortcut: Shortcut) => {
    switch (shortcut) {
      case "help":
        setHelp(true);
        return true;
      case "write":
        field.current?.focus();
        return true;
      case "search":
        return search();
      case "new":
        startNew();
        return true;
      case "again":
        if (lastPrompt !== undefined) askAgain(lastPrompt);
        return lastPrompt !== undefined;
      case "stop":
        if (running) chat.stop();
        return running;
      case "end":
        scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
        return true;
    }
  });

  const askWhy = useCallback(
    ({ number }: ChatTurn, { name, inputPreview }: Step, ended: "failed" | "blocked") =>
      prefill(whyCallText({ number, tool: name, inputPreview, ended }, tTrace)),
    [prefill, tTrace],
  );

  const showInTrace = useCallback(
    (turnSeq: number, toolCallId: string) => {
      const link = `${turnSeq}:${toolCallId}`;
      if (narrow) {
        choose("timeline");
        setSheet({ open: true, link });
      } else if (scroller.current !== null) showLink(scroller.current, link);
    },
    [narrow, choose, showLink],
  );

  const current = sessions.list?.find(({ id }) => id === state.sessionId);
  const landing = state.turns.length === 0 && opening === null;
  const title = landing ? t("sessions.new") : current?.title || state.turns[0]?.prompt || t("sessions.untitled");
  const refused = refusal ?? (opening?.problem ? { code: opening.problem } : null);
  const list = (searching: boolean) => (
    <SessionList
      sessions={sessions}
      currentId={currentId}
      running={running}
      openedTurns={openedTurns}
      searching={searching}
      onOpen={openSession}
      onNew={() => startNew()}
      onDeleted={(id) => {
        keepDraft(id, "");
        if (id === currentId) startNew(true);
      }}
      onHelp={() => setHelp(true)}
    />
  );
  const { totalTokens, ctxPercent } = state;
  // The same until a number changes, so that the bar is not drawn with every token.
  const events = trace.connection !== "live" && trace.eventCount === 0 ? null : trace.eventCount;
  const readouts = useMemo(
    () => !landing && <Readouts totalTokens={totalTokens} ctxPercent={ctxPercent} events={events} />,
    [landing, totalTokens, ctxPercent, events],
  );
  const save = state.sessionId !== null && !landing && (
    <SaveSession key={state.sessionId} sessionId={state.sessionId} />
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: another session begins with nothing opened
  const kept = useMemo(() => new Map(), [state.sessionId]);
  return (
    <KeptChoices value={kept}>
      <div className={styles.frame}>
        <TopBar>{readouts}</TopBar>
        <header className={styles.phoneBar}>
          <button
            type="button"
            className={styles.menu}
            aria-label={t("sessions.open")}
            aria-haspopup="dialog"
            onClick={() => setDrawer("open")}
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
          <aside ref={column} className={styles.sessions} aria-label={t("sessions.label")}>
            {list(false)}
          </aside>
          <CardActionsContext value={cardActions}>
            <Stage
              chat={state}
              trace={trace}
              panel={panel}
              narrow={narrow === true}
              scroller={scroller}
              goal={goal !== null && goal.sessionId === state.sessionId ? goal.link : null}
              onGoal={reachedGoal}
              title={
                <>
                  <button
                    type="button"
                    className={`btn ${styles.drawerButton}`}
                    aria-haspopup="dialog"
                    onClick={() => setDrawer("open")}
                  >
                    {t("sessions.label")}
                  </button>
                  <h1 className="cut">{title}</h1>
                  {save}
                </>
              }
              empty={
                state.turns.length > 0 ? null : opening === null ? (
                  <Landing onAsk={sendPressed} />
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
                    text={draft.text}
                    onTextChange={draft.write}
                    running={running}
                    stopping={chat.stopping}
                    narrow={narrow === true}
                    refusal={refused}
                    refusedText={refusal?.pressed !== true}
                    again={draft.again}
                    demo={demo}
                    onSend={() => send(draft.text.trim())}
                    onStop={chat.stop}
                    onNewSession={startNew}
                    field={field}
                  />
                </>
              }
              onAskAgain={askAgain}
              onAskWhyStep={askWhy}
              onAskWhyRow={askWith}
              onShowInTrace={showInTrace}
            />
          </CardActionsContext>
        </div>
        <BottomBar />
        <Drawer
          side="left"
          title={t("sessions.label")}
          open={drawer !== "closed"}
          onOpenChange={(isOpen) => setDrawer(isOpen ? "open" : "closed")}
        >
          {list(drawer === "searching")}
          <div className={styles.drawerFoot}>
            <LanguageSwitch />
            {save}
          </div>
        </Drawer>
        <Drawer
          side="bottom"
          title={t("phone.sheet")}
          open={narrow === true && sheet.open}
          onOpenChange={(isOpen) => setSheet({ open: isOpen, link: null })}
        >
          <TraceSheet
            panel={panel}
            running={running}
            focusLink={sheet.link}
            onAskWhy={askWith}
            onLeave={() => setSheet({ open: false, link: null })}
          />
        </Drawer>
        <Help open={help} onOpenChange={setHelp} singleKeys={singleKeys} />
        <Announcer chat={state} trace={trace} />
      </div>
    </KeptChoices>
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
