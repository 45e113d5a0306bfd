/** A frame as it stands in a reply, with its caption below. Loaded on demand, together with what cleans; browser only. */
"use client";
import { useTranslations } from "next-intl";
import type { CSSProperties } from "react";
import { frameHeight } from "../../../../shared/frames/frame-bounds";
import type { FrameTheme } from "../../../../shared/frames/frame-theme";
import { LIMITS } from "../../../../shared/limits";
import { CopyButton } from "../../ui/copy-button";
import { FrameElement } from "./frame-element";
import styles from "./frames.module.css";
import type { HtmlFrameProps } from "./html-frame";

const BOUND = { "--phone-height": `${LIMITS.framePhoneHeightMax}px` } as CSSProperties;

export default function FramePlate({ source, meta, theme }: HtmlFrameProps & { theme: FrameTheme }) {
  const t = useTranslations("frames");
  return (
    <figure className={styles.plate} style={BOUND}>
      <FrameElement source={source} theme={theme} title={t("title")} height={frameHeight(meta)} />
      <figcaption>
        <span>{t("caption")}</span>
        <CopyButton text={source} label={t("copy")} done={t("copied")} />
      </figcaption>
    </figure>
  );
}
