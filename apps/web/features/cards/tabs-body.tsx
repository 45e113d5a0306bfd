/** `tabs`: up to five cards of which one is shown. Arrow keys, Home and End move between them. */
"use client";
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import type { LeafCard, TabsCard } from "../../../../shared/cards/card";
import styles from "./bodies.module.css";

export interface TabsBodyProps {
  card: TabsCard;
  /** Draws the card in a tab. */
  draw: (card: LeafCard) => ReactNode;
}

export function TabsBody({ card: { tabs }, draw }: TabsBodyProps) {
  const [chosen, setChosen] = useState(0);
  const strip = useRef<HTMLDivElement>(null);
  const id = useId();

  const onKeyDown = (event: KeyboardEvent) => {
    const to = goal(event.key, chosen, tabs.length);
    if (to === null) return;
    event.preventDefault();
    setChosen(to);
    strip.current?.querySelectorAll<HTMLElement>("[role=tab]")[to]?.focus();
  };

  return (
    <>
      <div ref={strip} className={styles.strip} role="tablist" onKeyDown={onKeyDown}>
        {tabs.map(({ label }, index) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: a card never changes
            key={index}
            type="button"
            role="tab"
            id={`${id}tab${index}`}
            aria-selected={index === chosen}
            aria-controls={`${id}panel${index}`}
            tabIndex={index === chosen ? 0 : -1}
            dir="auto"
            onClick={() => setChosen(index)}
          >
            {label}
          </button>
        ))}
      </div>
      {tabs.map(({ card }, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: a card never changes
          key={index}
          role="tabpanel"
          id={`${id}panel${index}`}
          aria-labelledby={`${id}tab${index}`}
          hidden={index !== chosen}
        >
          {draw(card)}
        </div>
      ))}
    </>
  );
}

/** Which tab a key leads to; null for a key that leads nowhere. */
function goal(key: string, from: number, count: number): number | null {
  switch (key) {
    case "ArrowRight":
      return (from + 1) % count;
    case "ArrowLeft":
      return (from + count - 1) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}
