/** The page's one polite live region: what the turn and the two connections do, in a sentence. Never a token. */
"use client";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import type { ChatState } from "../chat/chat-model";
import { type TraceView, useTraceSentence } from "../trace";

export function Announcer({ chat, trace }: { chat: ChatState; trace: TraceView }) {
  const t = useTranslations("live");
  const [said, setSaid] = useState("");
  const key = chatKey(chat);
  useEffect(() => {
    setSaid(key === null ? "" : t(key));
  }, [key, t]);
  const traceSentence = useTraceSentence(trace);
  // When both are cut, what matters is the answer.
  const quiet = key === "reconnecting";
  useEffect(() => {
    if (traceSentence !== null && !quiet) setSaid(traceSentence);
  }, [traceSentence, quiet]);
  return (
    <div className="sr-only" role="status" aria-live="polite">
      {said}
    </div>
  );
}

function chatKey({ turns, link }: ChatState) {
  const answer = turns.at(-1)?.answer;
  if (answer === undefined || answer.watchedFromMs === null) return null;
  if (answer.status !== "running") return answer.status;
  return link === "reconnecting" ? "reconnecting" : "started";
}
