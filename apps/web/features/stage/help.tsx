/** The help sheet, fetched when it is opened for the first time. */
"use client";
import { lazy, Suspense, useState } from "react";
import type { HelpSheetProps } from "./help-sheet";

const HelpSheet = lazy(() => import("./help-sheet").then((module) => ({ default: module.HelpSheet })));

export function Help(props: HelpSheetProps) {
  const [wasOpened, setWasOpened] = useState(false);
  if (props.open && !wasOpened) setWasOpened(true);
  if (!wasOpened && !props.open) return null;
  return (
    <Suspense>
      <HelpSheet {...props} />
    </Suspense>
  );
}
