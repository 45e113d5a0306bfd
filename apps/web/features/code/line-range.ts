/** Lines of a file in an address: `#L10` and `#L10-L20`, and what a person may type for them. */
export interface LineRange {
  first: number;
  last: number;
}

/** From an address's fragment; null when it names no lines. Turned-round ends are put right. */
export function parseRange(hash: string): LineRange | null {
  const match = /^#L(\d{1,7})(?:-L?(\d{1,7}))?$/.exec(hash);
  return match === null ? null : ordered(Number(match[1]), Number(match[2] ?? match[1]));
}

/** From what was typed: `24`, `24-31`, `L24 - L31`. */
export function typedRange(text: string): LineRange | null {
  return parseRange(
    `#L${text
      .replace(/\s/g, "")
      .replace(/^L/i, "")
      .replace(/[-–]L?/i, "-L")}`,
  );
}

export function formatRange({ first, last }: LineRange): string {
  return first === last ? `#L${first}` : `#L${first}-L${last}`;
}

/** A click chooses a line; with Shift it stretches what is chosen to that line; on the one chosen line it lets go. */
export function clickedRange(current: LineRange | null, line: number, extend: boolean): LineRange | null {
  if (extend && current !== null) {
    return line < current.first ? { ...current, first: line } : { ...current, last: line };
  }
  return current?.first === line && current.last === line ? null : { first: line, last: line };
}

function ordered(a: number, b: number): LineRange | null {
  return a < 1 || b < 1 ? null : { first: Math.min(a, b), last: Math.max(a, b) };
}
