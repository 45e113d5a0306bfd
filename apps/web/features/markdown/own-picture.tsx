/**
 * The pictures that a reply may show: those that the agent made, and those published with the notes. Both are paths of
 * this site, so showing one tells nobody else who reads; every other picture is a link.
 */
"use client";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { agentImagePath } from "../../../../shared/agent-image";
import { pictureTypeOfName } from "../../../../shared/picture-type";
import styles from "./markdown.module.css";

const NOTE_PICTURE = /^\/notes\/[a-z0-9][a-z0-9-]*\/[a-z0-9][a-z0-9._-]*$/;

/** Judges the address as it is written: what would have to be resolved or decoded first is none of ours. */
export function isOwnPicture(src: string): boolean {
  return agentImagePath.test(src) || (NOTE_PICTURE.test(src) && pictureTypeOfName(src) !== null);
}

/** In a box of fixed size, so that nothing moves when it comes; its words take its place when it does not. */
export function OwnPicture({ src, alt }: { src: string; alt: string }) {
  const t = useTranslations("chat");
  const [isGone, setIsGone] = useState(false);
  if (isGone) return <span>{t("imageGone", { alt: alt || src })}</span>;
  return (
    // biome-ignore lint/performance/noImgElement: the picture is sent as it was stored; nothing resizes it.
    <img
      className={styles.picture}
      src={src}
      alt={alt}
      width={1024}
      height={1024}
      loading="lazy"
      decoding="async"
      onError={() => setIsGone(true)}
    />
  );
}
