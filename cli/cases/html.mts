/**
 * Fragments of HTML, judged as a frame of a reply shows them (§25): the size gate first, then what the cleaner leaves, then
 * what Chromium does with it. A fragment that is refused is shown as code, and is safe.
 */
import { existsSync } from "node:fs";
import { z } from "zod";
import { fitsFrame } from "../../shared/frames/frame-bounds.ts";
import { chromiumPath } from "../prerequisites.mts";
import { type CaseFormat, type Judged, judged, shown } from "./format.mts";
import { type Dynamic, fragmentOf, type HtmlCase, htmlCase } from "./html-case.mts";
import type { Happening } from "./html-browser.mts";

/** What each thing that must not happen looks like in the log. Whoever goes elsewhere has to ask for it first. */
const MEANS: Record<Dynamic, readonly Happening["what"][]> = {
  "no-script": ["script"],
  "no-request": ["request"],
  "no-navigation": ["request", "navigation", "top-navigation"],
  "no-top-navigation": ["request", "top-navigation"],
  "no-popup": ["popup"],
  "no-download": ["request", "download"],
  "no-form-submit": ["request", "navigation", "top-navigation"],
  "parent-intact": ["parent", "top-navigation"],
  "bounded-time": ["slow"],
};

export const htmlFormat: CaseFormat = {
  name: "html",
  recognises: ({ cases }) => Array.isArray(cases) && cases.length > 0 && htmlCase.safeParse(cases[0]).success,
  async judge({ cases }) {
    const all = z.array(htmlCase).parse(cases);
    // Both are for a developer's machine; a site that only runs has neither.
    const { staticFault } = await import("./html-static.mts");
    const fragments = new Map(all.map((one) => [one, fragmentOf(one)]));
    const drawn = all.filter((one) => fitsFrame(fragments.get(one)!));
    const happened = existsSync(chromiumPath()) ? await watched(drawn, fragments) : undefined;
    return all.map((one): Judged => {
      if (!drawn.includes(one)) return { id: one.id, level: one.level, fault: null };
      const verdict = judged(one, () => staticFault(one, fragments.get(one)!) ?? dynamicFault(one, happened));
      if (verdict.fault !== null || one.dynamic.length === 0 || happened) return verdict;
      return { ...verdict, skipped: "what a browser does with a fragment needs Chromium" };
    });
  },
};

/** Every fragment twice: as the product shows it, and in a frame without the sandbox, where scripts must not run either. */
async function watched(cases: readonly HtmlCase[], fragments: ReadonlyMap<HtmlCase, string>): Promise<Happening[]> {
  const { ALL_WALLS, watchFragments } = await import("./html-browser.mts");
  return await watchFragments(
    cases.flatMap((one) => {
      const source = fragments.get(one)!;
      const shownAs = { id: one.id, source, walls: ALL_WALLS };
      const isOpen = one.dynamic.includes("no-script");
      return isOpen ? [shownAs, { id: openId(one), source, walls: { ...ALL_WALLS, sandbox: false } }] : [shownAs];
    }),
  );
}

const openId = ({ id }: HtmlCase) => `${id} without its sandbox`;

function dynamicFault(one: HtmlCase, happened: readonly Happening[] | undefined): string | null {
  // No fragment may ask for anything, and one that asks late may be found under its neighbour's name.
  for (const claim of new Set<Dynamic>([...one.dynamic, "no-request"])) {
    const ids = claim === "no-script" ? [one.id, openId(one)] : [one.id];
    const against = happened?.find(({ id, what }) => ids.includes(id) && MEANS[claim].includes(what));
    if (against) return `${claim} does not hold: ${against.what} ${shown(against.detail)}`;
  }
  return null;
}
