/** The formats of case files that `./xray cases` knows; one line here adds one. */
import type { CaseFormat } from "./format.mts";
import { markdownFormat } from "./markdown.mts";
import { htmlFormat } from "./html.mts";
import { pathsFormat } from "./paths.mts";
import { ssrfFormat } from "./ssrf.mts";
import { unicodeFormat } from "./unicode.mts";

export const FORMATS: readonly CaseFormat[] = [htmlFormat, pathsFormat, ssrfFormat, unicodeFormat, markdownFormat];
