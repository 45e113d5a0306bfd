/** A page that threw. Says so in a fixed sentence; the exception stays in the server's log. */
"use client";
import { useTranslations } from "next-intl";
import { ReadingFrame } from "../ui/reading-frame";
import { StatePage } from "../ui/state-page";

export default function PageError({ reset }: { reset: () => void }) {
  const t = useTranslations("errors");
  return (
    <ReadingFrame>
      <StatePage title="500" fact={t("broken")} note={t("brokenNote")}>
        <button type="button" className="btn" onClick={reset}>
          {t("retry")}
        </button>
      </StatePage>
    </ReadingFrame>
  );
}
