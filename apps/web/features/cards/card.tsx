/** A card: one frame, a caption where there is a title, the body of its kind, and its links below. */
"use client";
import Link from "next/link";
import { type ReactNode, useContext, useId, useState } from "react";
import type { CardAction, CardLink, Card as CardData } from "../../../../shared/cards/card";
import { CardActionsContext } from "./card-actions";
import { ChoiceBody } from "./choice-body";
import { CompareBody } from "./compare-body";
import { FormBody } from "./form-body";
import { KeyValueBody } from "./key-value-body";
import { ListBody } from "./list-body";
import { StatBody } from "./stat-body";
import { TableBody } from "./table-body";
import { TabsBody } from "./tabs-body";
import styles from "./card.module.css";

/** `inner`: it stands in a tab, which is its frame. */
export function Card({ card, inner = false }: { card: CardData; inner?: boolean }) {
  const [open, setOpen] = useState(!card.collapsed);
  const bodyId = useId();
  const prompt = card.kind === "choice" || card.kind === "form" ? card.prompt : undefined;
  const action = "action" in card ? card.action : undefined;
  const caption = card.title ?? prompt;
  return (
    <figure className={inner ? styles.inner : styles.card} aria-label={caption} data-card={card.kind}>
      {(caption !== undefined || action) && (
        <figcaption>
          {card.collapsed ? (
            <button
              type="button"
              className={styles.fold}
              aria-expanded={open}
              aria-controls={bodyId}
              onClick={() => setOpen(!open)}
            >
              <i aria-hidden="true" />
              <span dir="auto">{caption}</span>
            </button>
          ) : (
            <span dir="auto">{caption}</span>
          )}
          {action && <Ask action={action} />}
        </figcaption>
      )}
      <div id={bodyId} hidden={!open}>
        {prompt !== undefined && card.title !== undefined && (
          <p className={styles.prompt} dir="auto">
            {prompt}
          </p>
        )}
        <Body card={card} />
        {card.links.length > 0 && <Links links={card.links} />}
      </div>
    </figure>
  );
}

function Body({ card }: { card: CardData }): ReactNode {
  switch (card.kind) {
    case "kv":
      return <KeyValueBody card={card} />;
    case "table":
      return <TableBody card={card} />;
    case "list":
      return <ListBody card={card} />;
    case "stat":
      return <StatBody card={card} />;
    case "compare":
      return <CompareBody card={card} />;
    case "tabs":
      return <TabsBody card={card} draw={(inner) => <Card card={inner} inner />} />;
    case "choice":
      return <ChoiceBody card={card} />;
    case "form":
      return <FormBody card={card} />;
  }
}

/** Fills the composer and sends nothing, so it may also be used while a turn runs. */
function Ask({ action }: { action: CardAction }) {
  const { prefill } = useContext(CardActionsContext);
  return (
    <button type="button" className={`act ${styles.ask}`} dir="auto" onClick={() => prefill(action.ask)}>
      {action.label}
    </button>
  );
}

function Links({ links }: { links: CardLink[] }) {
  return (
    <p className={styles.links}>
      {links.map(({ text, href }, index) =>
        href.startsWith("/") ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a card never changes
          <Link key={index} href={href} prefetch={false} dir="auto">
            {text}
          </Link>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a card never changes
          <a key={index} href={href} target="_blank" rel="noopener noreferrer nofollow ugc" dir="auto">
            {text}
          </a>
        ),
      )}
    </p>
  );
}
