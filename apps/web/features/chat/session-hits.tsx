/** What a search found: sessions with their titles, below each the places in its messages. Arrow keys walk over them. */
"use client";
import { useTranslations } from "next-intl";
import type { KeyboardEvent } from "react";
import type { MessageHit, Pieces, SessionHit } from "./search";
import styles from "./sessions.module.css";

export interface SessionHitsProps {
  hits: readonly SessionHit[];
  currentId: string | null;
  onOpen: (sessionId: string, message?: MessageHit) => void;
}

export function SessionHits({ hits, currentId, onOpen }: SessionHitsProps) {
  const t = useTranslations("extras");
  const tSessions = useTranslations("sessions");
  const tChat = useTranslations("chat");
  const places = hits.reduce((sum, { title, messages }) => sum + messages.length + (title.length > 1 ? 1 : 0), 0);
  return (
    <>
      <p className={styles.note} role="status">
        {t("found", { n: places })}
      </p>
      <ul className={styles.list}>
        {hits.map(({ sessionId, title, messages }) => (
          <li key={sessionId} className={styles.item} data-current={sessionId === currentId || undefined}>
            <button type="button" className={styles.session} data-hit="" onClick={() => onOpen(sessionId)}>
              <span className={`${styles.title} cut`}>
                {title.join("") === "" ? tSessions("untitled") : <Marked pieces={title} />}
              </span>
            </button>
            {messages.map((message) => (
              <button
                key={`${message.turnSeq}:${message.half}`}
                type="button"
                className={styles.place}
                data-hit=""
                onClick={() => onOpen(sessionId, message)}
              >
                <span className={styles.speaker}>{tChat(message.half === "user" ? "you" : "agent")}</span>
                <span>
                  <Marked pieces={message.excerpt} />
                </span>
              </button>
            ))}
          </li>
        ))}
      </ul>
      <p className={styles.foot}>{t("searchScope")}</p>
    </>
  );
}

function Marked({ pieces }: { pieces: Pieces }) {
  return pieces.map((piece, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name.
      <mark key={index} className={styles.mark}>
        {piece}
      </mark>
    ) : (
      piece
    ),
  );
}

/** Moves the focus from the field over the hits and back. */
export function walkHits(event: KeyboardEvent<HTMLElement>): void {
  if (event.nativeEvent.isComposing || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("input, [data-hit]")];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  if (at === -1) return;
  event.preventDefault();
  stops[at + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
}
