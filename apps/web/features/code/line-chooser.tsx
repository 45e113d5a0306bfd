/**
 * Chooses lines of the file on the page: by a click on a number, with Shift up to another, or typed. The choice is the
 * address (`#L10-L20`), so that it can be handed on, and it is marked in the code.
 */
"use client";
import { useTranslations } from "next-intl";
import { type FormEvent, useCallback, useEffect, useState } from "react";
import { CopyButton } from "../../ui/copy-button";
import styles from "./file.module.css";
import { clickedRange, formatRange, type LineRange, parseRange, typedRange } from "./line-range";

export function LineChooser() {
  const t = useTranslations("source");
  const [range, setRange] = useState<LineRange | null>(null);
  const [address, setAddress] = useState("");

  const show = useCallback((next: LineRange | null) => {
    mark(next);
    setRange(next);
    setAddress(location.href);
  }, []);
  const choose = useCallback(
    (next: LineRange | null) => {
      history.replaceState(history.state, "", next === null ? location.pathname + location.search : formatRange(next));
      show(next);
    },
    [show],
  );

  useEffect(() => {
    const read = () => show(parseRange(location.hash));
    const onClick = (event: MouseEvent) => {
      const line = clickedNumber(event);
      if (line !== null) choose(clickedRange(parseRange(location.hash), line, event.shiftKey));
    };
    read();
    const code = document.querySelector<HTMLElement>("[data-code]");
    const first = parseRange(location.hash)?.first;
    document.getElementById(`L${first}`)?.scrollIntoView({ block: "center" });
    code?.addEventListener("click", onClick);
    addEventListener("hashchange", read);
    return () => {
      code?.removeEventListener("click", onClick);
      removeEventListener("hashchange", read);
    };
  }, [show, choose]);

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const next = typedRange(String(new FormData(event.currentTarget).get("lines")));
    if (next === null) return;
    choose(next);
    document.getElementById(`L${next.first}`)?.scrollIntoView({ block: "center" });
  };
  return (
    <div className={`${styles.chooser} needs-script`}>
      {range !== null && (
        <>
          <span className="num">
            {range.first === range.last ? t("chosenOne", { first: range.first }) : t("chosen", { ...range })}
          </span>
          <CopyButton key={address} text={address} label={t("copyLink")} done={t("copied")} />
          <button type="button" className="act" onClick={() => choose(null)}>
            {t("clear")}
          </button>
        </>
      )}
      <form onSubmit={onSubmit}>
        <input
          name="lines"
          aria-label={t("goToHint")}
          placeholder={t("goTo")}
          title={t("goToHint")}
          autoComplete="off"
        />
      </form>
    </div>
  );
}

function mark(range: LineRange | null): void {
  for (const line of document.querySelectorAll("[data-code] [data-hit]")) line.removeAttribute("data-hit");
  if (range === null) return;
  for (let line = range.first; line <= range.last; line++) {
    const element = document.getElementById(`L${line}`);
    if (element === null) break;
    element.dataset.hit = "";
  }
}

/** The number whose gutter was clicked; null for a click into the text, or one that ends a selection. */
function clickedNumber({ target, clientX }: MouseEvent): number | null {
  const line = target instanceof Element ? target.closest<HTMLElement>("span[id^=L]") : null;
  if (line === null) return null;
  const gutter = line.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(line).paddingLeft);
  return clientX < gutter ? Number(line.id.slice(1)) : null;
}
