/** Which pages the navigation shows, known once for the whole document. */
"use client";
import { createContext, type ReactNode, use } from "react";
import { type Tab, TABS } from "./tabs";

const Tabs = createContext<readonly Tab[]>(TABS);

export function TabsProvider({ tabs, children }: { tabs: readonly Tab[]; children: ReactNode }) {
  return <Tabs value={tabs}>{children}</Tabs>;
}

export const useTabs = (): readonly Tab[] => use(Tabs);
