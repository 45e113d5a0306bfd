/**
 * What moves while a chapter is read: a line under the bar as long as what was read, the mark of the current heading in
 * the contents, the arrow keys, and the copied anchor. Without it the page reads the same.
 */
"use client";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { copyText } from "../../ui/copy-text";
import styles from "./notes.module.css";
import { currentHeading, shareRead } from "./reading-place";

export function ReadingProgress() {
  const t = useTranslations("shell");
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const end = new AbortController();
    const { signal } = end;
    let frame = 0;
    const measure = () => {
      frame = 0;
      const text = document.querySelector("main")!.getBoundingClientRect();
      line.current?.style.setProperty("--read", String(shareRead(text, innerHeight)));
      markHeading();
    };
    const soon = () => {
      if (frame === 0) frame = requestAnimationFrame(measure);
    };
    measure();
    addEventListener("scroll", soon, { passive: true, signal });
    addEventListener("resize", soon, { passive: true, signal });
    addEventListener("keydown", turnPage, { signal });
    const done = t("copied");
    document.querySelector("main")!.addEventListener("click", (event) => copyAnchor(event, done), { signal });
    return () => {
      end.abort();
      cancelAnimationFrame(frame);
    };
  }, [t]);
  return <div ref={line} className={styles.progress} aria-hidden="true" />;
}

function markHeading(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>("[data-contents] a")];
  const tops = links.map((link) => document.getElementById(idOf(link))?.getBoundingClientRect().top ?? 0);
  const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
  const current = currentHeading(tops, { atEnd, viewHeight: innerHeight });
  for (const [index, link] of links.entries()) {
    if (index === current) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

const idOf = (link: HTMLAnchorElement): string => decodeURIComponent(link.hash.slice(1));

/** The arrow keys belong to whatever is scrolled or typed in; otherwise they turn the page. */
function turnPage(event: KeyboardEvent): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
  if (event.target instanceof Element && event.target.closest("input, textarea, pre, section[tabindex]")) return;
  const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  if (rel !== undefined) document.querySelector<HTMLAnchorElement>(`main a[rel="${rel}"]`)?.click();
}

async function copyAnchor({ target }: Event, done: string): Promise<void> {
  const anchor = target instanceof Element ? target.closest<HTMLAnchorElement>("[data-anchor]") : null;
  if (anchor === null || !(await copyText(anchor.href))) return;
  anchor.dataset.copied = done;
  anchor.addEventListener("blur", () => delete anchor.dataset.copied, { once: true });
}
