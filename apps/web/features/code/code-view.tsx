/**
 * A whole file as code: a number for each line, which is also its address (`#L10`). Long files come in pieces, so that
 * the browser lays out only what is near the view. No script is needed to read it or to follow a link to a line.
 */
import type { CSSProperties } from "react";
import { CodeTokens } from "./code-tokens";
import styles from "./code.module.css";
import { highlightLines } from "./highlight";

const PIECE_LINES = 100;

export function CodeView({ source, language, label }: { source: string; language: string; label: string }) {
  // The line feed that ends a file begins no line.
  const lines = highlightLines(source.replace(/\n$/, ""), language);
  const pieces = Array.from({ length: Math.ceil(lines.length / PIECE_LINES) }, (_, index) => index * PIECE_LINES);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, and the keyboard must reach them.
    <section className={`${styles.ink} ${styles.view}`} aria-label={label} tabIndex={0} data-code="">
      <pre>
        {pieces.map((first) => {
          const piece = lines.slice(first, first + PIECE_LINES);
          return (
            <code key={first} style={{ counterReset: `line ${first}`, "--lines": piece.length } as CSSProperties}>
              {piece.map((tokens, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number.
                <span key={index} id={`L${first + index + 1}`}>
                  <CodeTokens tokens={tokens} />
                  {"\n"}
                </span>
              ))}
            </code>
          );
        })}
      </pre>
    </section>
  );
}
