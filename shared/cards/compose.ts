/**
 * The message that a choice or a form becomes (§24.4). It is made of nothing but what can be read on the card: its
 * prompt, the labels and what the visitor chose or typed. The separators are fixed.
 */
import { LIMITS } from "../limits";
import { oneLine } from "../text/clean";
import type { AskingCard, ChoiceCard, FormCard } from "./card";

/** `picked` are indexes of options; they are named in the order of the card. Empty when none is picked. */
export function choiceMessage({ prompt, options }: ChoiceCard, picked: ReadonlySet<number>): string {
  const labels = options.filter((_, index) => picked.has(index)).map(({ label }) => label);
  if (labels.length === 0) return "";
  return (prompt === undefined ? "" : `${prompt}: `) + labels.join("、");
}

/** `values` stand in the order of the fields. Empty when every field is. */
export function formMessage({ prompt, fields }: FormCard, values: readonly string[]): string {
  const filled = fields.flatMap(({ label }, index) => {
    const value = formValue(values[index] ?? "");
    return value === "" ? [] : [`${label}: ${value}`];
  });
  if (filled.length === 0) return "";
  return (prompt === undefined ? "" : `${prompt} `) + filled.join("; ");
}

/** A value as it is sent. */
export function formValue(typed: string): string {
  return oneLine(typed.slice(0, LIMITS.cardValueChars));
}

/** Whether a form has all that it asks for, and anything to send at all. */
export function isFormReady(card: FormCard, values: readonly string[]): boolean {
  const isWhole = card.fields.every(({ required }, index) => !required || formValue(values[index] ?? "") !== "");
  return isWhole && formMessage(card, values) !== "";
}

/** UTF-16 units of the longest message that the card can become, whatever is chosen and typed. */
export function longestMessageChars(card: AskingCard): number {
  if (card.kind === "form") {
    const longest = card.fields.map(({ options }) =>
      options === undefined ? "x".repeat(LIMITS.cardValueChars) : longestOf(options),
    );
    return formMessage(card, longest).length;
  }
  const all = card.options.map((_, index) => index);
  const longest = card.multiple ? [all] : all.map((index) => [index]);
  return Math.max(...longest.map((picked) => choiceMessage(card, new Set(picked)).length));
}

function longestOf(options: readonly string[]): string {
  return options.reduce((longest, option) => (option.length > longest.length ? option : longest), "");
}
