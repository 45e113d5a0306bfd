/**
 * Judges `tests/cases/ssrf.json` by the whole chain of web-fetch: the field's schema as `skill_run` applies it, then the
 * rules of the script itself, which is Python and is run as such (architecture §14 "web-fetch").
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { SKILL_MANIFEST } from "../../apps/api/tools/sandbox/skill-manifest.ts";
import { checkSkillInput } from "../../shared/skill-manifest.ts";
import { findPython, isPython } from "../python.mts";

interface Case {
  id: string;
  level?: "must" | "should";
  /** `either`: a refusal is fine, and so is an acceptance that reads the case as it says. */
  verdict: "accept" | "reject" | "either";
}

export interface SsrfFile {
  url_cases: (Case & {
    url: string;
    href?: string;
    href_if_accepted_by_whatwg?: string;
    resolves_to?: string[];
    final?: "accept" | "reject";
  })[];
  ip_cases: (Case & { ip: string })[];
  resolution_sets: (Case & { answers: string[]; answers_second_lookup?: string[] })[];
  redirect_chains: (Case & { hops: string[]; loop?: boolean })[];
}

/** `problem` is absent where the product does what the case says. */
export interface SsrfVerdict {
  id: string;
  level: "must" | "should";
  problem?: string;
}

/** What `ssrf.py` answers: null is a refusal. */
interface Judged {
  urls: (string | null)[];
  addresses: (true | null)[];
  answers: (string[] | null)[];
  chains: (string | null)[];
}

const ROOT = join(import.meta.dirname, "..", "..");
const SCRIPTS = join(ROOT, "runner/skills/web-fetch/scripts");

/** One verdict a case, in the order of the file. Rejects where no Python can be found, or its rules fail. */
export async function judgeSsrf(file: SsrfFile): Promise<SsrfVerdict[]> {
  const spelled = file.url_cases.map(({ url }) => asTheScriptGetsIt(url));
  const named = file.url_cases.filter(({ resolves_to }) => resolves_to);
  const judged = await askTheScript({
    urls: spelled.map((href) => href ?? ""),
    addresses: file.ip_cases.map(({ ip }) => ip),
    answers: [
      ...file.resolution_sets.map(({ answers, answers_second_lookup: second }) =>
        second ? [answers, second] : [answers],
      ),
      ...named.map(({ resolves_to }) => [resolves_to!]),
    ],
    chains: file.redirect_chains.map(({ hops, loop = false }) => ({ hops, loop })),
  });
  const names = new Map(
    named.map(({ id }, index) => [id, judged.answers[file.resolution_sets.length + index] ?? null]),
  );
  return [
    ...file.url_cases.map((one, index) => {
      const got = judged.urls[index] ?? null;
      const problem = problemOf(one, got) ?? otherAddress(one, got) ?? finalProblem(one, names.get(one.id) ?? null);
      return verdict(one, problem);
    }),
    ...file.ip_cases.map((one, index) => verdict(one, problemOf(one, judged.addresses[index] ?? null))),
    ...file.resolution_sets.map((one, index) => {
      const got = judged.answers[index] ?? null;
      const elsewhere = got && String(got) !== String(one.answers) ? `connects to ${got}` : undefined;
      return verdict(one, problemOf(one, got) ?? elsewhere);
    }),
    ...file.redirect_chains.map((one, index) => verdict(one, problemOf(one, judged.chains[index] ?? null))),
  ];
}

/** The address as `skill_run` hands it on; undefined when its schema refuses it. */
function asTheScriptGetsIt(url: string): string | undefined {
  const skill = SKILL_MANIFEST.skills.find(({ name }) => name === "web-fetch")!;
  const script = skill.scripts.find(({ file }) => file === "fetch_page.py")!;
  const checked = checkSkillInput(script.input, JSON.stringify({ url }));
  return "input" in checked ? String(checked.input.url) : undefined;
}

function verdict({ id, level = "must" }: Case, problem: string | undefined): SsrfVerdict {
  return problem === undefined ? { id, level } : { id, level, problem };
}

function problemOf({ verdict }: Case, got: unknown): string | undefined {
  if (verdict === "accept" && got === null) return "is refused";
  return verdict === "reject" && got !== null ? `is accepted as ${got}` : undefined;
}

/** An accepted address must be read as the case reads it; a fragment is not sent. */
function otherAddress(one: SsrfFile["url_cases"][number], got: string | null): string | undefined {
  const href = (one.href ?? one.href_if_accepted_by_whatwg)?.split("#")[0];
  return got !== null && href !== undefined && got !== href ? `is read as ${got}` : undefined;
}

function finalProblem({ final }: SsrfFile["url_cases"][number], connected: string[] | null): string | undefined {
  if (final === "reject" && connected) return `is connected to at ${connected}`;
  return final === "accept" && !connected ? "is refused by its addresses" : undefined;
}

async function askTheScript(given: object): Promise<Judged> {
  const python = await findPython();
  if (!isPython(python)) throw new Error("The rules of web-fetch are Python, and no Python 3.11 or newer was found.");
  const child = spawn(python.path, ["-I", join(import.meta.dirname, "ssrf.py"), SCRIPTS], {
    env: { LANG: "C.UTF-8" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(JSON.stringify(given));
  let said = "";
  for await (const part of child.stdout.setEncoding("utf8")) said += part;
  const status = child.exitCode ?? (await new Promise<number | null>((resolve) => child.once("exit", resolve)));
  if (status !== 0) throw new Error("The rules of web-fetch could not be run.");
  return JSON.parse(said) as Judged;
}
