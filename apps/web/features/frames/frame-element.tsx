/**
 * The frame itself: cleaned HTML in a document of its own that can run nothing, fetch nothing and reach nothing. The
 * empty `sandbox` is the first of its three layers and does not lean on the other two (§25). Browser only.
 */
"use client";
import { useMemo } from "react";
import { frameDocument } from "../../../../shared/frames/frame-document";
import type { FrameTheme } from "../../../../shared/frames/frame-theme";
import { fragmentCleaner } from "./clean-fragment";

export interface FrameElementProps {
  /** HTML as a model wrote it. */
  source: string;
  theme: FrameTheme;
  /** What the frame is called by a screen reader. */
  title: string;
  /** CSS pixels. */
  height: number;
}

/** One cleaner a page, made when the first frame is drawn. */
let clean: ((fragment: string) => string) | undefined;

export function FrameElement({ source, theme, title, height }: FrameElementProps) {
  const fragment = useMemo(() => {
    clean ??= fragmentCleaner(window);
    return clean(source);
  }, [source]);
  const document = useMemo(() => frameDocument(fragment, theme), [fragment, theme]);
  return (
    <iframe sandbox="" referrerPolicy="no-referrer" loading="lazy" title={title} height={height} srcDoc={document} />
  );
}
