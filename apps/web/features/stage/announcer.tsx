/** The page's one polite live region: what the turn and its connection do, in a sentence. Never a token. */
"use client";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import type { ChatState } from "../chat/chat-model";

export function Announcer({ chat }: { chat: ChatState }) {
  const t = useTranslations("live");
  const [said, setSaid] = useState("");
  const answer = chat.turns.at(-1)?.answer;
  const watched = answer !== undefined && answer.watchedFromMs !== null;
  const key = !watched
    ? null
    : answer.status === "running"
      ? chat.link === "reconnecting"
        ? "reconnecting"
        : "started"
      : answer.status;
  useEffect(() => {
    setSaid(key === null ? "" : t(key));
  }, [key, t]);
  return (
    <div className="sr-only" role="status" aria-live="polite">
      {said}
    </div>
  );
}
