/** One fence of an answer as what it says it is: a card or a frame, and a block of code when it cannot be that. */
"use client";
import { useTranslations } from "next-intl";
import { useContext, useMemo } from "react";
import { CARD_LANGUAGE } from "../../../../shared/cards/card";
import { parseCard } from "../../../../shared/cards/parse-card";
import { LIMITS } from "../../../../shared/limits";
import { HtmlFrame } from "../frames/html-frame";
import type { Fence } from "../markdown/fence";
import { CodeBox } from "../markdown/elements";
import { AnswerGrows } from "./answer-grows";
import { Card } from "./card";
import { Writing } from "./writing";

/** `isOver`: the answer has as many cards and frames as it may have. */
export default function ReplyFence({ fence, isOver = false }: { fence: Fence; isOver?: boolean }) {
  const t = useTranslations("cards");
  const { language, meta, source, closed } = fence;
  const mayClose = useContext(AnswerGrows);
  if (!closed && mayClose && !isOver) return <Writing />;
  const code = (
    <CodeBox language={isOver ? t("over", { language, most: LIMITS.cardFences }) : language} source={source}>
      {source}
    </CodeBox>
  );
  if (!closed || isOver) return code;
  return language === CARD_LANGUAGE ? (
    <ParsedCard source={source} />
  ) : (
    <HtmlFrame source={source} meta={meta} fallback={code} />
  );
}

function ParsedCard({ source }: { source: string }) {
  const t = useTranslations("cards");
  const card = useMemo(() => parseCard(source), [source]);
  if (card !== null) return <Card card={card} />;
  return (
    <CodeBox language={t("invalid", { language: CARD_LANGUAGE })} source={source}>
      {source}
    </CodeBox>
  );
}
