/**
 * Markdown of a conversation, whose parser the first paint does not wait for. Until it is there, and for good if it
 * never comes, the text stands as it was written. A long text is drawn in slices, so that the page stays responsive.
 */
"use client";
import { lazy, Suspense, useDeferredValue } from "react";
import type { MarkdownProps } from "./markdown";
import styles from "./markdown.module.css";

/** Begins to fetch the parser; called again it costs nothing. */
export function loadMarkdown(): Promise<unknown> {
  return import("./markdown").catch(() => null);
}

const Parsed = lazy(() =>
  import("./markdown").then(({ Markdown }) => ({ default: Markdown })).catch(() => ({ default: AsWritten })),
);

export function LazyMarkdown(props: MarkdownProps) {
  // What a deferred render draws, React draws block by block and lets everything urgent pass.
  const isParsed = useDeferredValue(true, false);
  if (!isParsed) return <AsWritten {...props} />;
  return (
    <Suspense fallback={<AsWritten {...props} />}>
      <Parsed {...props} />
    </Suspense>
  );
}

function AsWritten({ text, end }: MarkdownProps) {
  return (
    <div className={styles.markdown}>
      <div className={styles.block} data-end={end}>
        <p className={styles.asWritten}>{text}</p>
      </div>
    </div>
  );
}
