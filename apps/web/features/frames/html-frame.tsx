/**
 * A fence of the language `xray-html` as a picture. What cleans and draws it is fetched when the first one is shown;
 * until then, and for good if it never comes, `fallback` stands in its place.
 */
"use client";
import { type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { fitsFrame } from "../../../../shared/frames/frame-bounds";
import type { FrameTheme } from "../../../../shared/frames/frame-theme";
import { useTheme } from "./use-theme";

export interface HtmlFrameProps {
  /** HTML as a model wrote it: what stands between the marks of the fence. */
  source: string;
  /** The words behind the fence's language. */
  meta: string;
  /** The ordinary block of code. */
  fallback?: ReactNode;
}

const Plate = lazy<ComponentType<HtmlFrameProps & { theme: FrameTheme }>>(() =>
  import("./frame-plate").catch(() => ({ default: ({ fallback }) => fallback })),
);

/** Stays `fallback` for a source past its bound; where that must be known beforehand, ask `fitsFrame`. */
export function HtmlFrame(props: HtmlFrameProps) {
  const { source, fallback = null } = props;
  const theme = useTheme();
  if (theme === null || !fitsFrame(source)) return fallback;
  return (
    <Suspense fallback={fallback}>
      <Plate {...props} theme={theme} />
    </Suspense>
  );
}
