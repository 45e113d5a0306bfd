/** One case of a file of HTML fragments: what is written, what must be gone, what must stay, what must not happen. */
import { z } from "zod";
import { caseHead } from "./format.mts";

/** What a browser must not do with the fragment: looked at in Chromium, since only a browser does anything. */
export const DYNAMIC = [
  "no-script",
  "no-request",
  "no-navigation",
  "no-top-navigation",
  "no-popup",
  "no-download",
  "no-form-submit",
  "parent-intact",
  "bounded-time",
] as const;
export type Dynamic = (typeof DYNAMIC)[number];

const names = z.array(z.string()).default([]);

export const htmlCase = z.object({
  ...caseHead,
  html: z.string().nullable(),
  /** How a fragment too long to write down is made. */
  build: z
    .object({
      prefix: z.string(),
      unit: z.string(),
      times: z.int().min(0).max(1_000_000),
      suffix: z.string(),
      close_unit: z.string().default(""),
      close_times: z.int().min(0).max(1_000_000).default(0),
    })
    .optional(),
  /** Elements and attributes by name, values by regular expression. */
  gone: z.object({ elements: names, attrs: names, values: names }),
  /** Texts, elements, and attributes as element, name and value. */
  stays: z.object({ text: names, elements: names, attrs: z.array(z.tuple([z.string(), z.string(), z.string()])) }),
  dynamic: z.array(z.enum(DYNAMIC)),
});
export type HtmlCase = z.infer<typeof htmlCase>;

/** The fragment itself. */
export function fragmentOf({ html, build }: HtmlCase): string {
  if (html !== null || build === undefined) return html ?? "";
  const units = Array.from({ length: build.times }, (_, index) => build.unit.replaceAll("{i}", String(index)));
  return build.prefix + units.join("") + build.suffix + build.close_unit.repeat(build.close_times);
}
