/**
 * The document of a frame: the page's policy before anything else, the page's look, then the cleaned fragment. The
 * policy is the second of three layers and does not lean on the other two (§25): nothing is fetched, nothing runs.
 */
import { FRAME_INKS, type FrameTheme } from "./frame-theme";

export const FRAME_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/** `fragment` is what the cleaner gave. Tags in it that would close the body close nothing: the parser drops them. */
export function frameDocument(fragment: string, theme: FrameTheme): string {
  return [
    "<!doctype html>",
    '<html><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${FRAME_POLICY}">`,
    `<style>${inks("light")}${theme === "dark" ? `@media not print{${inks("dark")}}` : ""}${BASE_STYLE}</style>`,
    `</head><body>${fragment}</body></html>`,
  ].join("");
}

function inks(theme: FrameTheme): string {
  const values = Object.entries(FRAME_INKS[theme]).map(([name, value]) => `--${name}:${value}`);
  return `:root{color-scheme:${theme};${values.join(";")}}`;
}

/** Faces of the reader's own machine: a frame loads none. Whatever the fragment says of itself comes later and wins. */
const BASE_STYLE = `
:root{--font-text:"Inter","PingFang SC","Microsoft YaHei","Noto Sans CJK SC",system-ui,sans-serif;
--font-code:"JetBrains Mono","Noto Sans Mono CJK SC",ui-monospace,monospace}
*{box-sizing:border-box}
html{background:var(--sheet);color:var(--ink);font:400 13px/1.5 var(--font-text);text-autospace:normal;
overflow-wrap:anywhere;-webkit-text-size-adjust:100%}
body{margin:0;padding:14px 16px}
h1,h2,h3,h4,h5,h6{margin:0 0 8px;font-size:15px;line-height:1.3;font-weight:600}
p,ul,ol,dl,pre,table,figure,blockquote,details{margin:0 0 10px}
ul,ol{padding-left:20px}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th{padding:5px 10px;border-bottom:1px solid var(--hair);color:var(--ink-3);font-size:12px;font-weight:500;text-align:left}
td{padding:5px 10px;border-bottom:1px solid var(--hair-2);vertical-align:top}
code,kbd,pre,samp{font:400 11px/1.6 var(--font-code)}
pre{padding:9px 10px;background:var(--chart);overflow-x:auto}
hr{height:1px;border:0;background:var(--hair)}
summary{cursor:pointer}
summary:focus-visible{outline:2px solid var(--ink);outline-offset:2px}
svg{max-width:100%;height:auto}
`.replaceAll("\n", "");
