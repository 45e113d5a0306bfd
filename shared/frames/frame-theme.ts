/**
 * The page's inks inside a frame. A frame cannot read the page's style sheet and follows no theme by itself, so it is
 * given the values; on paper it is light, as the page is. A test compares them to the page's tokens.
 */
export type FrameTheme = "light" | "dark";

export const FRAME_INKS: Readonly<Record<FrameTheme, Readonly<Record<string, string>>>> = {
  light: {
    sheet: "#f8fbf9",
    chart: "#eff6f2",
    press: "#e3ece8",
    ink: "#111d1c",
    "ink-2": "#414d4c",
    "ink-3": "#5d6968",
    hair: "#c4cdcb",
    "hair-2": "#dce3e1",
    edge: "#808c8a",
    notify: "#3b5f8d",
    veto: "#8a5600",
    chain: "#006b74",
    takeover: "#872e78",
    danger: "#b7191c",
    live: "#0c7830",
  },
  dark: {
    sheet: "#11181d",
    chart: "#080f14",
    press: "#1b252c",
    ink: "#e1e9ed",
    "ink-2": "#a9b3b8",
    "ink-3": "#818d93",
    hair: "#2b363c",
    "hair-2": "#1d262c",
    edge: "#62707a",
    notify: "#88aed9",
    veto: "#eab358",
    chain: "#6bd0d6",
    takeover: "#e087ce",
    danger: "#fa6863",
    live: "#5be479",
  },
};
