/**
 * Markdown as a person or a model sent it: GFM, no raw HTML, images as labelled links, outside links without the
 * page's authority. A text that still grows re-renders its last block only.
 */
"use client";
import { memo, useMemo } from "react";
import ReactMarkdown from "react-markdown";
import remarkGfm from "remark-gfm";
import { splitBlocks } from "./blocks";
import { ELEMENTS } from "./elements";
import styles from "./markdown.module.css";
import { closeOpenMarks } from "./open-marks";
import { isTooHeavy } from "./too-heavy";

const PLUGINS = [remarkGfm];

export interface MarkdownProps {
  text: string;
  /** Not all of it is there: what its last block has opened is closed for display. */
  partial?: boolean;
  /** Drawn after the last character: the caret of an answer being written, the mark of a stopped one. */
  end?: "caret" | "stop";
}

export function Markdown({ text, partial = false, end }: MarkdownProps) {
  const blocks = useMemo(() => splitBlocks(text), [text]);
  return (
    <div className={styles.markdown} data-end={end}>
      {blocks.map((block, index) => (
        // Blocks are only ever appended, so their position is who they are.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Block key={index} text={block} isGrowing={partial && index === blocks.length - 1} />
      ))}
    </div>
  );
}

const Block = memo(function Block({ text, isGrowing }: { text: string; isGrowing: boolean }) {
  if (isTooHeavy(text)) return <p className={styles.asWritten}>{text}</p>;
  return (
    <ReactMarkdown remarkPlugins={PLUGINS} components={ELEMENTS}>
      {isGrowing ? closeOpenMarks(text) : text}
    </ReactMarkdown>
  );
});
