/** Whether a media query holds; null on the server and before hydration, where nobody knows and the style sheet decides. */
"use client";
import { useSyncExternalStore } from "react";

export function useMedia(query: string): boolean | null {
  return useSyncExternalStore(
    (onChange) => {
      const media = matchMedia(query);
      media.addEventListener("change", onChange);
      return () => media.removeEventListener("change", onChange);
    },
    () => matchMedia(query).matches,
    () => null,
  );
}
