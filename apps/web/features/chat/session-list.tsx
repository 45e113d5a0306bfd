/** The visitor's sessions: open one, search them, delete one after a second look, begin a new one. */
"use client";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import type { SessionSummary } from "../../../../shared/contracts/agent";
import { LIMITS } from "../../../../shared/limits";
import { timeAgo } from "../../lib/time";
import type { ChatTurn } from "./chat-model";
import { type MessageHit, searchSessions } from "./search";
import { SessionHits, walkHits } from "./session-hits";
import styles from "./sessions.module.css";
import { useNow } from "./use-now";
import type { Sessions } from "./use-sessions";

export interface SessionListProps {
  sessions: Sessions;
  currentId: string | null;
  running: boolean;
  /** The turns of a session that was opened in this tab. */
  openedTurns: (id: string) => readonly ChatTurn[];
  /** The search has the focus from the beginning. */
  searching: boolean;
  /** `message`: where in the session. */
  onOpen: (id: string, message?: MessageHit) => void;
  onNew: () => void;
  onDeleted: (id: string) => void;
  onHelp: () => void;
}

export function SessionList(props: SessionListProps) {
  const { sessions, currentId, openedTurns, searching, onOpen, onNew } = props;
  const t = useTranslations("sessions");
  const tExtras = useTranslations("extras");
  const [query, setQuery] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (searching) field.current?.focus();
  }, [searching]);
  const isSearch = query.trim() !== "";
  const searched = isSearch
    ? (sessions.list ?? []).map(({ id, title }) => ({ id, title, turns: openedTurns(id) }))
    : [];
  const hits = searchSessions(query, searched);
  const isSearchable = searching || (sessions.list !== null && sessions.list.length > 0);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears the keys of what is in it.
    <div className={styles.column} onKeyDown={walkHits}>
      <button type="button" className={`btn ${styles.new}`} onClick={onNew}>
        {t("new")}
      </button>
      {isSearchable && (
        <search className={styles.search}>
          <input
            ref={field}
            type="search"
            value={query}
            maxLength={LIMITS.searchChars}
            placeholder={tExtras("search")}
            aria-label={tExtras("searchLabel")}
            title={tExtras("searchScope")}
            autoComplete="off"
            onChange={(event) => setQuery(event.target.value)}
            onKeyDown={(event) => {
              if (event.nativeEvent.isComposing || event.keyCode === 229) return;
              const [first] = hits;
              if (event.key === "Enter" && first)
                onOpen(first.sessionId, first.title.length > 1 ? undefined : first.messages[0]);
              if (event.key !== "Escape" || query === "") return;
              // The first Escape empties the field; what lies around it keeps the next one.
              event.stopPropagation();
              setQuery("");
            }}
          />
        </search>
      )}
      {isSearch ? <SessionHits hits={hits} currentId={currentId} onOpen={onOpen} /> : <AllSessions {...props} />}
    </div>
  );
}

function AllSessions({ sessions, currentId, running, onOpen, onDeleted, onHelp }: SessionListProps) {
  const t = useTranslations("sessions");
  const tExtras = useTranslations("extras");
  const [asking, setAsking] = useState<string | null>(null);
  const nowMs = useNow(30_000);
  const { list, failed } = sessions;
  return (
    <>
      {failed ? (
        <p className={styles.note} role="status">
          {t("failed")}{" "}
          <button type="button" className="act" onClick={sessions.refresh}>
            {t("retry")}
          </button>
        </p>
      ) : (
        list?.length === 0 && <p className={styles.note}>{t("none")}</p>
      )}
      <ul className={styles.list}>
        {list?.map((session) => (
          <li key={session.id} className={styles.item} data-current={session.id === currentId || undefined}>
            {asking === session.id ? (
              <DeleteQuestion
                session={session}
                onKeep={() => setAsking(null)}
                onDelete={async () => {
                  const result = await sessions.remove(session.id);
                  if (result !== "gone") return result;
                  setAsking(null);
                  onDeleted(session.id);
                  return null;
                }}
              />
            ) : (
              <SessionRow
                session={session}
                current={session.id === currentId}
                running={running && session.id === currentId}
                nowMs={nowMs}
                onOpen={() => onOpen(session.id)}
                onDelete={() => setAsking(session.id)}
              />
            )}
          </li>
        ))}
      </ul>
      <p className={styles.foot}>
        {t("private")}{" "}
        <button type="button" className={`act ${styles.keys}`} aria-haspopup="dialog" onClick={onHelp}>
          {tExtras("keys")}
        </button>
      </p>
    </>
  );
}

interface SessionRowProps {
  session: SessionSummary;
  current: boolean;
  running: boolean;
  nowMs: number | null;
  onOpen: () => void;
  onDelete: () => void;
}

function SessionRow({ session, current, running, nowMs, onOpen, onDelete }: SessionRowProps) {
  const t = useTranslations("sessions");
  const title = session.title || t("untitled");
  const ago = nowMs === null ? null : timeAgo(session.lastActiveAt, nowMs);
  return (
    <>
      <button type="button" className={styles.session} aria-current={current || undefined} onClick={onOpen}>
        <span className={`${styles.title} cut`}>{title}</span>
        <span className={styles.meta}>
          {running && <i className="lamp is-on" />}
          {ago && t(ago.key, "n" in ago ? { n: ago.n } : {})}
        </span>
      </button>
      <button type="button" className={styles.delete} aria-label={t("delete", { title })} onClick={onDelete}>
        {t("deleteShort")}
      </button>
    </>
  );
}

interface DeleteQuestionProps {
  session: SessionSummary;
  onKeep: () => void;
  /** Resolves with why it could not be deleted, or null. */
  onDelete: () => Promise<"busy" | "failed" | null>;
}

function DeleteQuestion({ session, onKeep, onDelete }: DeleteQuestionProps) {
  const t = useTranslations("sessions");
  const [problem, setProblem] = useState<"busy" | "failed" | null>(null);
  const keep = useRef<HTMLButtonElement>(null);
  // The safe answer has the focus, so that a second Enter deletes nothing.
  useEffect(() => keep.current?.focus(), []);
  return (
    <div
      role="alertdialog"
      aria-label={t("confirm")}
      className={styles.session}
      onKeyDown={(event) => event.key === "Escape" && onKeep()}
    >
      <span className={`${styles.title} cut`}>{session.title || t("untitled")}</span>
      <span className={styles.ask}>
        {problem === null ? t("confirm") : t(problem === "busy" ? "busy" : "deleteFailed")}
        <button type="button" className="act" onClick={async () => setProblem(await onDelete())}>
          {t("confirmYes")}
        </button>
        <button type="button" className="act" ref={keep} onClick={onKeep}>
          {t("confirmNo")}
        </button>
      </span>
    </div>
  );
}
