/** The manifests of the skills: as the folder is, and nothing that must not run gets into one. */
import { afterAll, describe, expect, it } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  API_MANIFEST_FILE,
  apiManifestText,
  RUNNER_MANIFEST_FILE,
  runnerManifestText,
  SKILLS_FOLDER,
} from "./skill-manifest.mts";
import { readSkills } from "./skills/read-skills.mts";

const SKILL_MD = "---\nname: demo\ndescription: A skill.\n---\n\n# Demo\n";
const FIELD = { type: "string", description: "a text", maxLength: 9 };
const declaration = (more: object = {}) => ({
  network: "none",
  scripts: { "say.py": { description: "says", input: { text: FIELD } } },
  ...more,
});
const withField = (field: object) =>
  declaration({ scripts: { "say.py": { description: "s", input: { text: field } } } });

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder with one skill of these files; JSON for what is no text. */
function folderWith(files: Record<string, unknown>, name = "demo"): string {
  const folder = mkdtempSync(join(tmpdir(), "xray-skills-"));
  folders.push(folder);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name, path)), { recursive: true });
    writeFileSync(join(folder, name, path), typeof content === "string" ? content : JSON.stringify(content));
  }
  return folder;
}

const whole = (more: Record<string, unknown> = {}) => ({
  "SKILL.md": SKILL_MD,
  "xray.json": declaration(),
  "scripts/say.py": "print(1)\n",
  ...more,
});

describe("the manifests", () => {
  it("say what the folder holds (`bun --bun cli/skill-manifest.mts --write` brings them up to date)", () => {
    const skills = readSkills(SKILLS_FOLDER);
    expect(readFileSync(API_MANIFEST_FILE, "utf8")).toBe(apiManifestText(skills));
    expect(readFileSync(RUNNER_MANIFEST_FILE, "utf8")).toBe(runnerManifestText(skills));
  });

  it("change with one byte of any file", () => {
    const text = (more: Record<string, unknown>) => runnerManifestText(readSkills(folderWith(whole(more))));
    expect(text({})).toBe(text({}));
    const changed = [{ "scripts/say.py": "print(2)\n" }, { "scripts/more.py": "" }, { "SKILL.md": `${SKILL_MD} ` }];
    for (const more of changed) expect(text(more)).not.toBe(text({}));
  });

  it("hold a skill that is only read, and leave compiled Python out", () => {
    const [skill] = readSkills(
      folderWith({ "SKILL.md": SKILL_MD, "xray.json": {}, "scripts/__pycache__/say.cpython-311.pyc": "x" }),
    );
    expect([skill!.network, skill!.scripts, skill!.files.map(({ path }) => path)]).toEqual([
      "none",
      [],
      ["SKILL.md", "xray.json"],
    ]);
  });
});

describe("a skill is refused", () => {
  const refusal = (files: Record<string, unknown>, name?: string) => () => readSkills(folderWith(files, name));

  it.each<[string, Record<string, unknown>, string]>([
    ["without SKILL.md", { "SKILL.md": undefined }, "demo has no SKILL.md."],
    ["under another name", { "SKILL.md": SKILL_MD.replace("demo", "other") }, "demo has another name"],
    ["without a description", { "SKILL.md": "---\nname: demo\n---\n" }, "demo has no description"],
    ["with a declaration that is no JSON", { "xray.json": "{" }, "demo has an xray.json that is no JSON."],
    ["with a tier that is none", { "xray.json": declaration({ network: "all" }) }, "demo must say network"],
    ["with a word of no meaning", { "xray.json": declaration({ shell: true }) }, "demo says shell"],
    ["with a script that is absent", { "scripts/say.py": undefined }, "demo lists say.py, which is not in its folder."],
    [
      "with a script of a wild name",
      { "xray.json": declaration({ scripts: { "../x.py": {} } }) },
      "demo lists ../x.py",
    ],
    ["with a file of a wild name", { "scripts/a b.py": "" }, "demo has a file of a name that is not plain"],
    ["with text of no length", { "xray.json": withField({ ...FIELD, maxLength: undefined }) }, "needs a maxLength"],
    [
      "with a whole number of no bounds",
      { "xray.json": withField({ type: "integer", description: "n" }) },
      "needs a min",
    ],
    ["with a field of another type", { "xray.json": withField({ type: "object", description: "o" }) }, "is neither"],
    ["with a field of no description", { "xray.json": withField({ type: "boolean" }) }, "needs a description"],
    ["with an unknown format", { "xray.json": withField({ ...FIELD, format: "url" }) }, "has an unknown format"],
    ["with a rule that no one checks", { "xray.json": withField({ ...FIELD, pattern: "x" }) }, "says pattern"],
  ])("%s", (_, more, sentence) => {
    const files = Object.fromEntries(Object.entries(whole(more)).filter(([, content]) => content !== undefined));
    expect(refusal(files)).toThrow(sentence);
  });

  it("with a link among its scripts, to a file or to a folder", () => {
    for (const target of ["/etc/passwd", "/etc"]) {
      const folder = folderWith(whole());
      expect(readSkills(folder)).toHaveLength(1);
      symlinkSync(target, join(folder, "demo", "scripts", "more.py"));
      expect(() => readSkills(folder)).toThrow("demo has something that is no plain file: scripts/more.py.");
    }
  });

  it("that is a link itself", () => {
    const folder = folderWith(whole());
    symlinkSync(join(folder, "demo"), join(folder, "twin"));
    expect(() => readSkills(folder)).toThrow("twin is no folder.");
  });
});
