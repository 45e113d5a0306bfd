/**
 * Markdown as a person or a model sent it: GFM, no raw HTML, only our own pictures, outside links without the
 * page's authority. A text that still grows re-renders its last block only. Whoever shows it may draw a fenced block
 * differently.
 */
"use client";
import type { Element } from "hast";
import { type ComponentProps, createContext, memo, useContext, useMemo, useState } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { cjkFriendly } from "./cjk";
import { blockSplitter, drawnPart } from "./blocks";
import { ELEMENTS, Pre } from "./elements";
import { type FenceRenderer, fenceOf } from "./fence";
import styles from "./markdown.module.css";
import { closeOpenMarks } from "./open-marks";
import { isTooHeavy } from "./too-heavy";

const PLUGINS = [remarkGfm, cjkFriendly];
const NOTHING_YET = [""];

export interface MarkdownProps {
  text: string;
  /** Not all of it is there: what its last block has opened is closed for display. */
  partial?: boolean;
  /** Drawn after the last character: the caret of an answer being written, the mark of a stopped one. */
  end?: "caret" | "stop";
  /** Asked for each fenced block; a new function draws every block anew. */
  renderFence?: FenceRenderer;
}

export function Markdown({ text, partial = false, end, renderFence }: MarkdownProps) {
  // Remembers the text before, which the next one usually continues; what it answers depends on the text alone.
  const [split] = useState(blockSplitter);
  // Without a word there is still a place for the caret.
  const blocks = text === "" ? NOTHING_YET : split(text);
  let start = 0;
  return (
    <div className={styles.markdown}>
      {blocks.map((block, index) => {
        const blockStart = start;
        start += block.length;
        const isLast = index === blocks.length - 1;
        return (
          // Blocks are only ever appended, so their position is who they are. What is drawn after the last character is
          // the last block's own: said of the whole text, it would cost the style of every element when it changes.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <div key={index} className={styles.block} data-end={isLast ? end : undefined}>
            <Block
              text={isLast && end === "caret" ? drawnPart(block) : block}
              start={blockStart}
              isPartial={partial && isLast}
              renderFence={renderFence}
            />
          </div>
        );
      })}
    </div>
  );
}

interface BlockProps {
  text: string;
  /** Where it stands in the whole text. */
  start: number;
  isPartial: boolean;
  renderFence: FenceRenderer | undefined;
}

/** What a fence must know of the block that is being drawn. */
const Drawing = createContext<{ text: string; start: number; renderFence: FenceRenderer | undefined } | null>(null);

const Block = memo(function Block({ text, start, isPartial, renderFence }: BlockProps) {
  const isDrawn = !isTooHeavy(text);
  const shown = isDrawn && isPartial ? closeOpenMarks(text) : text;
  const drawing = useMemo(() => ({ text: shown, start, renderFence }), [shown, start, renderFence]);
  if (!isDrawn) return <p className={styles.asWritten}>{text}</p>;
  return (
    <Drawing value={drawing}>
      <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS}>
        {shown}
      </ReactMarkdown>
    </Drawing>
  );
});

// One component for all blocks and all texts: what it draws stays while the text grows.
const COMPONENTS: Components = { ...ELEMENTS, pre: FencedOrPre };

function FencedOrPre({ node, children }: ComponentProps<"pre"> & { node?: Element }) {
  const drawing = useContext(Drawing);
  if (drawing?.renderFence && node) {
    const fence = fenceOf(node, drawing.text, drawing.start);
    const drawn = fence && drawing.renderFence(fence);
    if (drawn !== undefined) return drawn;
  }
  return <Pre>{children}</Pre>;
}
