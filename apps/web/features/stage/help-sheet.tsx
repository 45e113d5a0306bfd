/** The keys of the Runtime page, over the page. The dialog takes the focus and gives it back. */
"use client";
import { useTranslations } from "next-intl";
import { Dialog } from "radix-ui";
import { Fragment } from "react";
import { useFocusReturn } from "../../ui/use-focus-return";
import styles from "./help-sheet.module.css";
import { SINGLE_KEYS } from "./shortcuts";
import type { SingleKeys } from "./use-shortcuts";

export interface HelpSheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  singleKeys: SingleKeys;
}

type Row = [words: HelpWord, keys: readonly string[]];
type HelpWord =
  | (typeof SINGLE_KEYS)[keyof typeof SINGLE_KEYS]
  | "send"
  | "line"
  | "rows"
  | "ends"
  | "open"
  | "jump"
  | "why";

const PAGE: readonly Row[] = Object.entries(SINGLE_KEYS).map(([key, words]) => [
  words,
  words === "search" ? [key.toUpperCase(), "Ctrl K"] : [key.toUpperCase()],
]);
const COMPOSER: readonly Row[] = [
  ["send", ["Enter"]],
  ["line", ["Shift Enter"]],
];
const TRACE: readonly Row[] = [
  ["rows", ["↑", "↓"]],
  ["ends", ["Home", "End"]],
  ["open", ["Enter"]],
  ["jump", ["L"]],
  ["why", ["W"]],
];

export function HelpSheet({ open, onOpenChange, singleKeys }: HelpSheetProps) {
  const t = useTranslations("help");
  const tShell = useTranslations("shell");
  const returnFocus = useFocusReturn(open);
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.veil} />
        <Dialog.Content className={styles.sheet} aria-describedby={undefined} onCloseAutoFocus={returnFocus}>
          <header className={styles.head}>
            <Dialog.Title>{t("title")}</Dialog.Title>
            <Dialog.Close className="act">{tShell("close")}</Dialog.Close>
          </header>
          <div className={styles.groups}>
            <Keys title={t("page")} rows={PAGE} />
            <div>
              <Keys title={t("composer")} rows={COMPOSER} />
              <Keys title={t("trace")} rows={TRACE} />
            </div>
          </div>
          <label className={styles.single}>
            <input type="checkbox" checked={singleKeys.on} onChange={(event) => singleKeys.set(event.target.checked)} />
            {t("single")}
          </label>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Keys({ title, rows }: { title: string; rows: readonly Row[] }) {
  const t = useTranslations("help");
  return (
    <section className={styles.group}>
      <h3>{title}</h3>
      <dl>
        {rows.map(([words, keys]) => (
          <div key={words}>
            <dt>{t(words)}</dt>
            <dd>
              {keys.map((key, index) => (
                <Fragment key={key}>
                  {index > 0 && <span className="sr-only">{t("space")}</span>}
                  <kbd>{key}</kbd>
                </Fragment>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
