/**
 * What a card is once its text was accepted (§24). Every string is plain text on one line without anything invisible,
 * so that what is shown, what is sent and what was checked are the same characters.
 */

/** Language of a fence that holds a card. */
export const CARD_LANGUAGE = "xray-card";

export type LeafCard = Head &
  (KeyValueCard | TableCard | ListCard | StatCard | CompareCard) & {
    /** Puts a question into the composer. */
    action?: CardAction;
  };
export type Card = LeafCard | (Head & TabsCard & { action?: CardAction }) | (Head & AskingCard);
/** A card that becomes the visitor's next message. */
export type AskingCard = ChoiceCard | FormCard;

interface Head {
  title?: string;
  /** Starts folded to its title. */
  collapsed: boolean;
  links: CardLink[];
}
export interface CardLink {
  text: string;
  /** An `http` or `https` address, or a path of this site that begins with one slash. */
  href: string;
}
export interface CardAction {
  label: string;
  ask: string;
}

export interface KeyValueCard {
  kind: "kv";
  rows: { k: string; v: string }[];
}
export interface TableCard {
  kind: "table";
  columns: string[];
  /** As many cells as columns; a cell may be empty. */
  rows: string[][];
  sortable: boolean;
}
export interface ListCard {
  kind: "list";
  items: { text: string; note?: string }[];
  ordered: boolean;
}
export interface StatCard {
  kind: "stat";
  items: { label: string; value: string; unit?: string; note?: string }[];
}
export interface CompareCard {
  kind: "compare";
  columns: [string, string];
  /** `a` and `b` may be empty. */
  rows: { k: string; a: string; b: string }[];
}
export interface TabsCard {
  kind: "tabs";
  tabs: { label: string; card: LeafCard }[];
}
export interface ChoiceCard {
  kind: "choice";
  prompt?: string;
  options: { label: string; note?: string }[];
  multiple: boolean;
  /** Words of the button that sends several. */
  submit?: string;
}
export interface FormCard {
  kind: "form";
  prompt?: string;
  fields: FormField[];
  submit?: string;
}
export interface FormField {
  label: string;
  /** Only of a select; a field without them is typed in. */
  options?: string[];
  placeholder?: string;
  required: boolean;
}
