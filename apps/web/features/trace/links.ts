/**
 * The two halves of one moment: an element of the chat carries `data-link`, its trace row the same value in
 * `data-link-row`. These helpers walk from one to the other; both halves flash so that the eye finds them.
 */

import { bringIntoView } from "../../ui/stay";

const FLASH_MS = 900;

/** Focuses the trace row of a link within `root`. False when the row is not on the page. */
export function focusTraceRow(root: ParentNode, link: string): boolean {
  return reveal(halfOf(root, "linkRow", link));
}

/** Focuses the chat element of a link. False when it is not on the page. */
export function focusChatElement(root: ParentNode, link: string): boolean {
  return reveal(halfOf(root, "link", link));
}

/** Compared as plain text: a tool call's id comes from a provider and may hold anything. */
function halfOf(root: ParentNode, kind: "link" | "linkRow", link: string): HTMLElement | undefined {
  const selector = kind === "link" ? "[data-link]" : "[data-link-row]";
  return [...root.querySelectorAll<HTMLElement>(selector)].find((element) => element.dataset[kind] === link);
}

function reveal(element: HTMLElement | undefined): boolean {
  if (element === undefined) return false;
  const focusable = element.matches("button, a[href], [tabindex]");
  if (!focusable) element.tabIndex = -1;
  bringIntoView(element, "center");
  element.focus({ preventScroll: true });
  element.dataset.found = "";
  setTimeout(() => delete element.dataset.found, FLASH_MS);
  return true;
}

/** Moves the focus along the rows of the panel; false when the key is none of its keys. */
export function moveBetweenRows(row: HTMLElement, key: string): boolean {
  const root = row.closest("[data-trace-rows]") ?? document;
  const rows = [...root.querySelectorAll<HTMLElement>("[data-trace-row]")];
  const at = rows.indexOf(row);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[key];
  if (to === undefined) return false;
  rows[to]?.focus();
  return true;
}
