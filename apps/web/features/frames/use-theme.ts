/** The theme that the page shows now, and each change of it, whoever makes it; null where there is no page yet. */
"use client";
import { useSyncExternalStore } from "react";
import type { Theme } from "../../lib/preference";

export function useTheme(): Theme | null {
  return useSyncExternalStore(watch, current, () => null);
}

function current(): Theme {
  return document.documentElement.dataset.theme === "dark" ? "dark" : "light";
}

function watch(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}
