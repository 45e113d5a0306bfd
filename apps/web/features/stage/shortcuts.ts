/**
 * Which key does what on the Runtime page. Keys without a modifier work only where nothing is typed, and a visitor can
 * turn them off, because speech input types letters too. Pure.
 */
export type Shortcut = "help" | "write" | "search" | "new" | "again" | "stop" | "end";

/** In the order of the help sheet. */
export const SINGLE_KEYS = {
  "/": "write",
  e: "again",
  s: "stop",
  n: "new",
  f: "search",
  b: "end",
  "?": "help",
} as const satisfies Record<string, Shortcut>;

export interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  isComposing: boolean;
}

export interface KeyPlace {
  /** The focus is where text is typed. */
  typing: boolean;
  /** Something lies over the page and has its own keys. */
  covered: boolean;
  singleKeys: boolean;
}

export function shortcutFor(press: KeyPress, place: KeyPlace): Shortcut | null {
  if (press.isComposing || press.altKey || place.covered) return null;
  if (press.ctrlKey || press.metaKey) return press.key.toLowerCase() === "k" ? "search" : null;
  if (place.typing || !place.singleKeys || !Object.hasOwn(SINGLE_KEYS, press.key)) return null;
  return SINGLE_KEYS[press.key as keyof typeof SINGLE_KEYS];
}
