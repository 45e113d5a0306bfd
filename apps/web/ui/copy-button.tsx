/** Copies a text and says so until the button is left. Hidden where no script runs. */
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
      className={`${className} needs-script`}
      onClick={async () => setCopied(await copyText(text))}
      onBlur={() => setCopied(false)}
    >
      {copied ? done : label}
    </button>
  );
}
