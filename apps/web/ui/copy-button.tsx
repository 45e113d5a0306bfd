/**
 * Copies a text and says so until the button is left. Both words have the same place, so that what stands beside the
 * button does not move away from the pointer. Hidden where no script runs.
 */
"use client";
import { useState } from "react";
import { copyText } from "./copy-text";

export interface CopyButtonProps {
  text: string;
  label: string;
  /** Its words once the text is copied. */
  done: string;
  className?: string;
}

export function CopyButton({ text, label, done, className = "act" }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  return (
    <button
      type="button"
      className={`${className} two-words needs-script`}
      onClick={async () => setCopied(await copyText(text))}
      onBlur={() => setCopied(false)}
    >
      <span data-shown={!copied}>{label}</span>
      <span data-shown={copied}>{done}</span>
    </button>
  );
}
