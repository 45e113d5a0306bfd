/** The dialog of a drawer: focus goes in, stays in and comes back; Escape, the veil and a drag close it. */
"use client";
import { useTranslations } from "next-intl";
import { Dialog } from "radix-ui";
import { useRef } from "react";
import { useFocusReturn } from "../../ui/use-focus-return";
import type { DrawerProps } from "./drawer";
import styles from "./stage.module.css";
import { useDragDown } from "./use-drag-down";

export function DrawerDialog({ side, title, open, onOpenChange, children }: DrawerProps) {
  const t = useTranslations("shell");
  const content = useRef<HTMLDivElement>(null);
  const drag = useDragDown(content, () => onOpenChange(false));
  const returnFocus = useFocusReturn(open);
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.veil} />
        <Dialog.Content
          ref={content}
          className={side === "left" ? styles.drawer : styles.sheet}
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
        >
          <Dialog.Title className="sr-only">{title}</Dialog.Title>
          {side === "bottom" && (
            <Dialog.Close className={styles.grab} aria-label={t("close")} {...drag}>
              <i />
            </Dialog.Close>
          )}
          {children}
          {side === "left" && <Dialog.Close className="sr-only">{t("close")}</Dialog.Close>}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
