/** `--sheet` of both themes, for what CSS variables do not reach: the browser's own bars. A test compares them to the tokens. */
import type { Theme } from "../lib/preference";

export const SHEET_COLORS: Readonly<Record<Theme, string>> = { light: "#f8fbf9", dark: "#11181d" };
