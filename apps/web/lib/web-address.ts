/** Checked at write and again here: whatever is in a table, only a web address becomes a link. */
export function isWebAddress(value: string): boolean {
  return URL.canParse(value) && ["http:", "https:"].includes(new URL(value).protocol);
}
