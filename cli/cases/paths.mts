/** Paths of packs, one by one and as sets, judged by the rules of a skill's pack (§12.2). */
import { z } from "zod";
import { pathRefusal, pathsRefusal } from "../../shared/pack-rules.ts";
import { type CaseFormat, caseHead, judged, shown } from "./format.mts";

const verdict = z.enum(["accept", "reject", "either"]);
const file = z.object({
  path_cases: z.array(z.object({ ...caseHead, path: z.string(), verdict })).default([]),
  set_cases: z.array(z.object({ ...caseHead, paths: z.array(z.string()), verdict })).default([]),
  zip_cases: z.array(z.object(caseHead)).default([]),
});

export const pathsFormat: CaseFormat = {
  name: "paths",
  recognises: (content) => "path_cases" in content || "set_cases" in content,
  judge(content) {
    const { path_cases, set_cases, zip_cases } = file.parse(content);
    return [
      ...path_cases.map((one) =>
        judged(one, () => faultOf(one.verdict, pathRefusal(one.path, "skill"), shown(one.path))),
      ),
      ...set_cases.map((one) =>
        judged(one, () => faultOf(one.verdict, pathsRefusal(one.paths, "skill"), `${one.paths.length} paths`)),
      ),
      ...zip_cases.map(({ id, level }) => ({ id, level, fault: null, skipped: "no archive is ever imported" })),
    ];
  },
};

function faultOf(verdict: string, refusal: { reason: string } | null, what: string): string | null {
  if (refusal === null) return verdict === "reject" ? `accepted, and should not be: ${what}` : null;
  return verdict === "accept" ? `refused, and should not be: ${refusal.reason}` : null;
}
