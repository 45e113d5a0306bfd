/**
 * The last guard before a row: Postgres text holds no NUL and no half of a surrogate pair, and one such character from
 * a model would lose the whole reply. They become U+FFFD. Visitors' text is refused earlier and never needs this.
 */

export function storableText(text: string): string {
  return text.replaceAll("\0", "\ufffd").toWellFormed();
}

/** JSON text for a `json` or `jsonb` parameter, with every string and property name made storable. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === "string") return storableText(part);
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [storableText(name), inner]));
  });
}
