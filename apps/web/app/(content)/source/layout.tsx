/** Source: the commit, a search and the tree of files stay on the left; the chosen file changes beside them. */
import type { ReactNode } from "react";
import source from "../../../features/source/source.module.css";
import { SourceRail } from "../../../features/source/source-rail";
import { isHere, readSourceIndex } from "../../../lib/api";

export default async function SourceLayout({ children }: { children: ReactNode }) {
  const index = await readSourceIndex();
  if (!isHere(index)) return children;
  return (
    <div className={source.columns}>
      <SourceRail index={index} />
      {children}
    </div>
  );
}
