/**
 * A page that threw. Says so in a fixed sentence; the exception stays in the server's log. Every page carries this one
 * with it, so the bars around the sentence are fetched when it is shown; without them it stands alone.
 */
"use client";
import { useTranslations } from "next-intl";
import { type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { StatePage } from "../ui/state-page";

const Frame = lazy<ComponentType<{ children: ReactNode }>>(() =>
  import("../ui/reading-frame")
    .then(({ ReadingFrame }) => ({ default: ReadingFrame }))
    .catch(() => ({ default: Bare })),
);

function Bare({ children }: { children: ReactNode }) {
  return <>{children}</>;
}

export default function PageError({ reset }: { reset: () => void }) {
  const t = useTranslations("errors");
  const fact = (
    <StatePage title="500" fact={t("broken")} note={t("brokenNote")}>
      <button type="button" className="btn" onClick={reset}>
        {t("retry")}
      </button>
    </StatePage>
  );
  return (
    <Suspense fallback={fact}>
      <Frame>{fact}</Frame>
    </Suspense>
  );
}
