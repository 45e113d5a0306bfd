/**
 * From the text of a fence to a card, or to nothing (§24.2). The text is a model's: it is read field by field, what is
 * not known is left out, and one thing out of bounds makes the whole of it an ordinary block of code. Only a link that
 * must not be followed goes alone. Never throws.
 */
import { LIMITS } from "../limits";
import type { Card, CardAction, CardLink, LeafCard } from "./card";
import { longestMessageChars } from "./compose";
import { type Fields, fieldsOf, flag, lines, list, optionalText, text, Violation } from "./fields";
import { askingOf, leafOf } from "./kinds";
import { linkAddress } from "./links";

/** `messageChars` bounds what a choice or a form could ever send. */
export function parseCard(source: string, messageChars: number = LIMITS.cardMessageChars): Card | null {
  // A UTF-16 unit is at least one byte, so a longer text need not be encoded to be refused.
  if (source.length > LIMITS.cardSourceBytes) return null;
  if (new TextEncoder().encode(source).length > LIMITS.cardSourceBytes) return null;
  try {
    const card = cardOf(fieldsOf(JSON.parse(source)));
    const asks = card.kind === "choice" || card.kind === "form";
    return asks && longestMessageChars(card) > messageChars ? null : card;
  } catch {
    return null;
  }
}

function cardOf(fields: Fields): Card {
  switch (fields.kind) {
    case "choice":
    case "form":
      return { ...headOf(fields), ...askingOf(fields) };
    case "tabs": {
      const tabs = list(fields.tabs, 1, LIMITS.cardTabs, (value) => {
        const tab = fieldsOf(value);
        return { label: text(tab.label), card: leafCardOf(fieldsOf(tab.card)) };
      });
      return { ...headOf(fields), kind: "tabs", tabs, action: actionOf(fields.action) };
    }
    default:
      return leafCardOf(fields);
  }
}

function leafCardOf(fields: Fields): LeafCard {
  return { ...headOf(fields), ...leafOf(fields), action: actionOf(fields.action) };
}

function headOf(fields: Fields): Pick<Card, "title" | "collapsed" | "links"> {
  if (fields.v !== 1) throw new Violation();
  const title = optionalText(fields.title, LIMITS.cardTitleChars);
  const collapsed = flag(fields.collapsed);
  if (collapsed && title === undefined) throw new Violation();
  const links = fields.links === undefined ? [] : list(fields.links, 0, LIMITS.cardLinks, linkOf);
  return { title, collapsed, links: links.filter((link) => link !== null) };
}

function linkOf(value: unknown): CardLink | null {
  const link = fieldsOf(value);
  const shown = text(link.text);
  const href = linkAddress(link.href);
  return href === undefined ? null : { text: shown, href };
}

function actionOf(value: unknown): CardAction | undefined {
  if (value === undefined) return undefined;
  const { label, ask } = fieldsOf(value);
  return { label: text(label), ask: lines(ask, LIMITS.cardAskChars) };
}
