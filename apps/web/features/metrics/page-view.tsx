/**
 * The beacon (§22): tells the site that a page was opened, by its path and nothing else. No cookie goes along, nothing
 * is stored, and a browser that asks not to be counted is not.
 */
"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { mayCount } from "./may-count";

export function PageView() {
  const path = usePathname();
  useEffect(() => {
    if (!mayCount(navigator)) return;
    // It outlives the page, and nobody waits for it.
    fetch("/api/t", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ path }),
      credentials: "omit",
      keepalive: true,
      referrerPolicy: "no-referrer",
    }).catch(() => {});
  }, [path]);
  return null;
}
