/** The mark of a row: shape and hue say the same thing, so colour is never the only carrier. Decorative; the word for it stands beside it as text. */
import type { TraceMode } from "../../../../shared/trace-events";

export type GlyphName = TraceMode | "blocked" | "failed" | "tool";

const SHAPES = {
  notify: <circle cx="5" cy="5" r="3.4" fill="none" />,
  veto: <path d="M5 .6 9.4 5 5 9.4.6 5z" stroke="none" />,
  chain: <path d="M.8.8 9.4 5 .8 9.2z" stroke="none" />,
  takeover: <path d="M1 1h8v8H1z" stroke="none" />,
  blocked: <path d="M5 0 10 5 5 10 0 5zM2.4 4.2v1.6h5.2V4.2z" fillRule="evenodd" stroke="none" />,
  failed: <path d="M1 1l8 8M9 1 1 9" fill="none" strokeWidth="2" />,
  tool: <path d="M0 3.4h10v3.2H0z" stroke="none" />,
} as const satisfies Record<GlyphName, React.ReactNode>;

export function ModeGlyph({ name }: { name: GlyphName }) {
  const hue = name === "blocked" || name === "failed" ? "text-danger" : name === "tool" ? "" : name;
  return (
    <svg className={`glyph ${hue}`} viewBox="0 0 10 10" aria-hidden="true">
      {SHAPES[name]}
    </svg>
  );
}

/** The triangle of a fold; points down when open. */
export function FoldMark({ open, className }: { open: boolean; className?: string }) {
  const style = { transform: open ? "rotate(90deg)" : undefined, transition: "transform var(--m-move) var(--ease)" };
  return (
    <svg
      className={className}
      width="7"
      height="7"
      viewBox="0 0 8 8"
      fill="currentColor"
      aria-hidden="true"
      style={style}
    >
      <path d="M1 0l6 4-6 4z" />
    </svg>
  );
}
