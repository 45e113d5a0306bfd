/**
 * A sheet over the page for what has no column of its own: the sessions from the left, the trace from below. The dialog
 * behind it is fetched when one is opened for the first time.
 */
"use client";
import { lazy, type ReactNode, Suspense, useState } from "react";

export interface DrawerProps {
  side: "left" | "bottom";
  title: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  children: ReactNode;
}

const DrawerDialog = lazy(() => import("./drawer-dialog").then((module) => ({ default: module.DrawerDialog })));

export function Drawer(props: DrawerProps) {
  const [wasOpened, setWasOpened] = useState(false);
  if (props.open && !wasOpened) setWasOpened(true);
  if (!wasOpened) return null;
  return (
    <Suspense>
      <DrawerDialog {...props} />
    </Suspense>
  );
}
