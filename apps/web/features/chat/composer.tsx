/**
 * Where a message is written. Enter sends, Shift+Enter breaks the line, and an input method that is composing keeps its
 * Enter. A refused text stays where it was; while a turn runs the next message can be written, and Stop takes the
 * place of Send.
 */
"use client";
import { useTranslations } from "next-intl";
import type { KeyboardEvent, Ref } from "react";
import { LIMITS } from "../../../../shared/limits";
import { loadMarkdown } from "../markdown/lazy-markdown";
import styles from "./chat.module.css";
import type { Refusal } from "./chat-model";

export interface ComposerProps {
  text: string;
  onTextChange: (text: string) => void;
  running: boolean;
  stopping: boolean;
  /** Phone: short words. */
  narrow: boolean;
  refusal: Refusal | null;
  /** It is this text that was refused, and not a card of the conversation. */
  refusedText: boolean;
  /** What stands here was asked before. */
  again: boolean;
  demo: boolean;
  onSend: () => void;
  onStop: () => void;
  onNewSession: (keepText: boolean) => void;
  field: Ref<HTMLTextAreaElement>;
}

/** The counter appears only when the end is near. */
const NEAR_CHARS = LIMITS.promptChars / 10;

export function Composer(props: ComposerProps) {
  const {
    text,
    onTextChange,
    running,
    stopping,
    narrow,
    refusal,
    refusedText,
    again,
    demo,
    onSend,
    onStop,
    onNewSession,
    field,
  } = props;
  const t = useTranslations("composer");
  const left = LIMITS.promptChars - text.trim().length;
  const sendable = text.trim() !== "" && left >= 0;

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // 229 is how Safari reports the Enter that ends a composition.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    if (sendable) onSend();
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (sendable) onSend();
      }}
    >
      {demo && (
        <p className={styles.demo}>
          <b>{t("demo")}</b>
          <span>{t("demoNote")}</span>
        </p>
      )}
      <div role="alert">
        {refusal !== null && (
          <RefusalNote refusal={refusal} onRetry={refusedText ? onSend : undefined} onNewSession={onNewSession} />
        )}
      </div>
      <div className={styles.field}>
        <textarea
          ref={field}
          rows={1}
          value={text}
          aria-label={t("label")}
          placeholder={t(!running ? "ask" : narrow ? "runningShort" : "running")}
          aria-invalid={left < 0}
          aria-describedby="composer-note"
          onChange={(event) => onTextChange(event.target.value)}
          onKeyDown={onKeyDown}
          onFocus={() => void loadMarkdown()}
        />
        <div className={styles.row}>
          <ComposerNote left={left} kept={refusal !== null && refusedText} again={again} />
          {running ? (
            <button type="button" className="btn" onClick={onStop} disabled={stopping} aria-label={t("stop")}>
              <i className={styles.square} />
              <span className={styles.long}>{t(stopping ? "stopping" : "stop")}</span>
            </button>
          ) : (
            <button type="submit" className={sendable ? "btn solid" : "btn"} disabled={!sendable}>
              {t("send")}
            </button>
          )}
        </div>
      </div>
    </form>
  );
}

function ComposerNote({ left, kept, again }: { left: number; kept: boolean; again: boolean }) {
  const t = useTranslations("composer");
  const tExtras = useTranslations("extras");
  const near = left <= NEAR_CHARS;
  return (
    <span id="composer-note" className={left < 0 ? styles.over : near ? styles.near : undefined}>
      {left < 0
        ? t("over", { n: -left })
        : near
          ? t("left", { n: left })
          : kept
            ? t("kept")
            : again
              ? tExtras("againNote")
              : t("hint")}
      {/* A phone has no room for both numbers beside the text. */}
      {left < 0 && <span className={styles.long}>{t("most", { most: LIMITS.promptChars })}</span>}
    </span>
  );
}

interface RefusalNoteProps {
  refusal: Refusal;
  /** Sends the text again; a card is pressed again instead. */
  onRetry: (() => void) | undefined;
  onNewSession: (keepText: boolean) => void;
}

/** One sentence a code, and a way on where there is one. */
function RefusalNote({ refusal: { code, minutes }, onRetry, onNewSession }: RefusalNoteProps) {
  const t = useTranslations("refusals");
  return (
    <p className={styles.refusal}>
      <span>{t(code, { minutes: minutes ?? 1, most: LIMITS.promptChars })}</span>
      {onRetry && (code === "slots_full" || code === "internal" || code === "unreachable") && (
        <button type="button" className="act" onClick={onRetry}>
          {t("retry")}
        </button>
      )}
      {code === "turn_limit" && (
        <button type="button" className="act" onClick={() => onNewSession(true)}>
          {t("newWithText")}
        </button>
      )}
      {code === "not_found" && (
        <button type="button" className="act" onClick={() => onNewSession(true)}>
          {t("new")}
        </button>
      )}
    </p>
  );
}
