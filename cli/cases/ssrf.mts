/**
 * Addresses, names and redirects, judged by the whole chain of web-fetch: the field's schema as `skill_run` applies it,
 * then the rules of the script itself, which is Python and is run as such (architecture §14 "web-fetch").
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { z } from "zod";
import { SKILL_MANIFEST } from "../../apps/api/tools/sandbox/skill-manifest.ts";
import { checkSkillInput } from "../../shared/skill-manifest.ts";
import { findPython, isPython } from "../python.mts";
import { Refusal } from "../refusal.mts";
import { type CaseFormat, caseHead, type Judged, shown } from "./format.mts";

const SCRIPTS = join(import.meta.dirname, "..", "..", "runner/skills/web-fetch/scripts");

/** With `either` a refusal is fine, and so is an acceptance that reads the case as it says. */
const head = { ...caseHead, verdict: z.enum(["accept", "reject", "either"]) };
const urlCase = z.object({
  ...head,
  url: z.string(),
  href: z.string().optional(),
  href_if_accepted_by_whatwg: z.string().optional(),
  resolves_to: z.array(z.string()).optional(),
  final: z.enum(["accept", "reject"]).optional(),
});
const file = z.object({
  url_cases: z.array(urlCase).default([]),
  ip_cases: z.array(z.object({ ...head, ip: z.string() })).default([]),
  resolution_sets: z
    .array(z.object({ ...head, answers: z.array(z.string()), answers_second_lookup: z.array(z.string()).optional() }))
    .default([]),
  redirect_chains: z
    .array(z.object({ ...head, hops: z.array(z.string()).min(1), loop: z.boolean().default(false) }))
    .default([]),
});

/** What `ssrf.py` says of a case: null is a refusal, an object a rule that failed. */
type Said = null | true | string | string[] | { threw: string };

/** Throws a `Refusal` where there is no Python to run the rules with. */
export const ssrfFormat: CaseFormat = {
  name: "ssrf",
  recognises: (content) =>
    ["url_cases", "ip_cases", "resolution_sets", "redirect_chains"].some((key) => key in content),
  async judge(content) {
    const cases = file.parse(content);
    const named = cases.url_cases.filter((one) => one.resolves_to !== undefined);
    const said = await askTheScript({
      // What the schema refuses never reaches the script; it refuses an empty address too.
      urls: cases.url_cases.map(({ url }) => asTheScriptGetsIt(url) ?? ""),
      addresses: cases.ip_cases.map(({ ip }) => ip),
      answers: cases.resolution_sets.map((one) => [one.answers, one.answers_second_lookup ?? one.answers]),
      finals: named.map((one) => [one.resolves_to!]),
      chains: cases.redirect_chains.map(({ hops, loop }) => ({ hops, loop })),
    });
    const connected = new Map(named.map((one, index) => [one, said.finals[index]!]));
    return [
      ...cases.url_cases.map((one, index) => {
        const got = said.urls[index]!;
        return judgement(
          one,
          faultOf(one.verdict, got) ?? otherAddress(one, got) ?? finalFault(one, connected.get(one)),
        );
      }),
      ...cases.ip_cases.map((one, index) => judgement(one, faultOf(one.verdict, said.addresses[index]!))),
      ...cases.resolution_sets.map((one, index) => {
        const got = said.answers[index]!;
        return judgement(one, faultOf(one.verdict, got) ?? otherPlace(one.answers, got));
      }),
      ...cases.redirect_chains.map((one, index) => judgement(one, faultOf(one.verdict, said.chains[index]!))),
    ];
  },
};

/** The address as `skill_run` hands it on; undefined when its schema refuses it. */
function asTheScriptGetsIt(url: string): string | undefined {
  const skill = SKILL_MANIFEST.skills.find(({ name }) => name === "web-fetch")!;
  const script = skill.scripts.find((one) => one.file === "fetch_page.py")!;
  const checked = checkSkillInput(script.input, JSON.stringify({ url }));
  return "input" in checked ? String(checked.input.url) : undefined;
}

function judgement({ id, level }: Pick<Judged, "id" | "level">, fault: string | null): Judged {
  return { id, level, fault };
}

function faultOf(verdict: "accept" | "reject" | "either", got: Said): string | null {
  if (got !== null && typeof got === "object" && "threw" in got) return `the rule threw ${got.threw}`;
  if (got === null) return verdict === "accept" ? "refused, and should not be" : null;
  return verdict === "reject" ? `accepted, and should not be: ${shown(String(got))}` : null;
}

/** An accepted address must be read as the case reads it. A fragment is not sent. */
function otherAddress(one: z.infer<typeof urlCase>, got: Said): string | null {
  const href = (one.href ?? one.href_if_accepted_by_whatwg)?.split("#")[0];
  return got !== null && href !== undefined && got !== href ? `read as ${shown(String(got))}` : null;
}

/** A name that has changed its mind is connected to where it was when it was checked. */
function otherPlace(checked: string[], got: Said): string | null {
  return got !== null && String(got) !== String(checked) ? `connected to at ${shown(String(got))}` : null;
}

function finalFault({ final }: z.infer<typeof urlCase>, connected: Said | undefined): string | null {
  return final === undefined || connected === undefined ? null : faultOf(final, connected);
}

async function askTheScript<Lists extends string>(
  given: Record<Lists, unknown[]>,
): Promise<Record<Lists, readonly Said[]>> {
  const python = await findPython();
  if (!isPython(python)) throw new Refusal("The rules of web-fetch need Python 3.11 or newer.", "See ./xray doctor.");
  const child = spawn(python.path, ["-I", join(import.meta.dirname, "ssrf.py"), SCRIPTS], {
    env: { LANG: "C.UTF-8" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  child.stdin.end(JSON.stringify(given));
  let said = "";
  for await (const part of child.stdout.setEncoding("utf8")) said += part;
  if ((await ended) !== 0) throw new Refusal("The rules of web-fetch could not be run.");
  return JSON.parse(said) as Record<Lists, readonly Said[]>;
}
