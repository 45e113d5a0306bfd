/** The reading pages share one frame. */
import type { ReactNode } from "react";
import { ReadingFrame } from "../../ui/reading-frame";

export default function ContentLayout({ children }: { children: ReactNode }) {
  return <ReadingFrame>{children}</ReadingFrame>;
}
