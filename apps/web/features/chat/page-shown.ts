/**
 * Whether the visitor sees the page. A hidden page gives its stream back: a browser has six connections to a site for
 * all its tabs together, and the answer waits on the server.
 */

/** Aborted as soon as the page is hidden, at once when it is. `forget` ends the watch. */
export function whenHidden(): { signal: AbortSignal; forget(): void } {
  const hidden = new AbortController();
  const look = () => {
    if (document.visibilityState === "hidden") hidden.abort();
  };
  document.addEventListener("visibilitychange", look);
  look();
  return { signal: hidden.signal, forget: () => document.removeEventListener("visibilitychange", look) };
}

/** Resolves when the page is seen, or when the signal fires. */
export function whenShown(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState === "hidden" && !signal.aborted) return;
      document.removeEventListener("visibilitychange", look);
      signal.removeEventListener("abort", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    signal.addEventListener("abort", look);
    look();
  });
}
