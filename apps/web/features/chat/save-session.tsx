/** Saves the open session as a file. What writes it is fetched on the first use. */
"use client";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useState } from "react";
import styles from "./sessions.module.css";
import type { ExportFormat } from "./export";

const FORMATS = [
  ["markdown", "Markdown"],
  ["json", "JSON"],
] as const satisfies [ExportFormat, string][];

export function SaveSession({ sessionId }: { sessionId: string }) {
  const t = useTranslations("extras");
  const tChat = useTranslations("chat");
  const tSessions = useTranslations("sessions");
  const tLive = useTranslations("live");
  const [failed, setFailed] = useState(false);
  const save = async (format: ExportFormat) => {
    const words = {
      untitled: tSessions("untitled"),
      you: tChat("you"),
      agent: tChat("agent"),
      outcomes: { stopped: tLive("stopped"), failed: tLive("failed"), interrupted: tLive("interrupted") },
      failed: tChat("failed"),
    };
    const saved = await import("./write-session")
      .then(({ writeSession }) => writeSession(sessionId, format, words))
      .catch(() => false);
    setFailed(!saved);
  };
  return (
    <span className={`${styles.save} needs-script`}>
      <span role="status">{failed ? t("saveFailed") : t("save")}</span>
      {FORMATS.map(([format, name]) => (
        <button
          key={format}
          type="button"
          className="act"
          aria-label={t("saveAs", { format: name })}
          onClick={() => void save(format)}
        >
          {name}
        </button>
      ))}
      <Link className="act" href="/report" prefetch={false}>
        {t("onPaper")}
      </Link>
    </span>
  );
}
