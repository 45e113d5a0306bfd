/** Where a reader is in a text, from what the browser measures. Pure; lengths are pixels of the view. */

/** A heading is being read once it is in the upper third. */
const READ_AT = 0.3;

/** How much of a text has passed, 0 to 1; a text that fits into the view is read as soon as it is there. */
export function shareRead({ top, height }: { top: number; height: number }, viewHeight: number): number {
  const toScroll = height - viewHeight;
  if (toScroll <= 0) return 1;
  return Math.min(1, Math.max(0, -top / toScroll));
}

/** Index of the heading that is being read, -1 before the first; at the end of the page the last in view. */
export function currentHeading(
  tops: readonly number[],
  { atEnd, viewHeight }: { atEnd: boolean; viewHeight: number },
): number {
  return tops.findLastIndex((top) => top < viewHeight * (atEnd ? 1 : READ_AT));
}
