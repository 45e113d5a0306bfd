/** Seeding of skills: written once, brought up to date while nobody else has changed them, and opened once. */
import { afterAll, beforeEach, describe, expect, it } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseForFile } from "../tests/support/database-for-file.mts";
import {
  deleteSkill,
  getSkillFile,
  listSkills,
  setSkillAgentEnabled,
  upsertSkill,
} from "../apps/api/stores/skills-admin.ts";
import { enabledTools, writeToolSwitch } from "../apps/api/stores/tool-config.ts";
import { openSkills, seedSkills } from "./seed-skills.mts";

const opened = databaseForFile();
const root = mkdtempSync(join(tmpdir(), "xray-seed-skills-"));
const folder = join(root, "runner/skills");
const ledger = join(root, "skills.json");
const log = () => {};
afterAll(() => rmSync(root, { recursive: true, force: true }));

beforeEach(async () => {
  await opened.admin.query("DELETE FROM skills; DELETE FROM skills_categories");
  await opened.admin.query("UPDATE tool_config SET enabled = FALSE, note = NULL WHERE name LIKE 'skill%'");
  rmSync(ledger, { force: true });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ["text-tools", "calc", "web-fetch"]) {
    cpSync(join("runner/skills", name), join(folder, name), { recursive: true });
  }
});

const seed = () => seedSkills({ db: opened.db, root, ledger, repo: "owner/repo", log });
const open = () => openSkills({ db: opened.db, ledger, log });
const forAgent = async () =>
  (await listSkills(opened.db)).flatMap(({ name, agentEnabled }) => (agentEnabled ? [name] : []));
const switchedOn = async () => [...(await enabledTools(opened.db)).keys()].filter((name) => name.startsWith("skill"));
const change = (name: string, text: string) => writeFileSync(join(folder, name, "scripts/added.py"), text);
const addedIn = async (name: string) => (await getSkillFile(opened.db, name, "scripts/added.py"))?.content;

describe("the first start", () => {
  it("writes every skill once, none of them for the agent yet", async () => {
    expect(await seed()).toEqual(["calc", "text-tools", "web-fetch"]);
    expect(await seed()).toEqual([]);
    expect((await listSkills(opened.db)).map(({ name, repo, agentEnabled }) => [name, repo, agentEnabled])).toEqual([
      ["calc", "owner/repo", false],
      ["text-tools", "owner/repo", false],
      ["web-fetch", "owner/repo", false],
    ]);
    expect(await switchedOn()).toEqual([]);
  });

  it("opens tools and skills only when it is told that scripts are walled in, the network never", async () => {
    await seed();
    await open();
    expect([await forAgent(), await switchedOn()]).toEqual([
      ["calc", "text-tools"],
      ["skill_load", "skill_run"],
    ]);
  });
});

describe("what the owner has decided", () => {
  it("stays: a switch, a deletion, a change of their own", async () => {
    await seed();
    await open();
    await writeToolSwitch(opened.db, { name: "skill_run", enabled: false });
    await setSkillAgentEnabled(opened.db, "calc", false);
    await deleteSkill(opened.db, "text-tools");
    const own = [{ path: "SKILL.md", content: "---\nname: web-fetch\ndescription: mine\n---\n" }];
    await upsertSkill(opened.db, { name: "web-fetch", files: own });
    for (const name of ["calc", "text-tools", "web-fetch"]) change(name, "print(2)\n");

    expect(await seed()).toEqual(["calc"]);
    await open();
    expect([await forAgent(), await switchedOn()]).toEqual([[], ["skill_load"]]);
    expect((await listSkills(opened.db)).map(({ name, fileCount }) => [name, fileCount > 1])).toEqual([
      ["calc", true],
      ["web-fetch", false],
    ]);
  });

  it("stays also where the state folder is new and the database is not", async () => {
    await seed();
    await open();
    await writeToolSwitch(opened.db, { name: "skill_run", enabled: false });
    await setSkillAgentEnabled(opened.db, "calc", false);
    rmSync(ledger);
    change("calc", "print(3)\n");
    expect(await seed()).toEqual([]);
    await open();
    expect([await forAgent(), await switchedOn(), await addedIn("calc")]).toEqual([
      ["text-tools"],
      ["skill_load"],
      undefined,
    ]);
  });
});

describe("a later version", () => {
  it("brings its skills up to date and keeps their switches", async () => {
    await seed();
    await open();
    change("calc", "print(1)\n");
    expect(await seed()).toEqual(["calc"]);
    expect([await addedIn("calc"), await forAgent()]).toEqual(["print(1)\n", ["calc", "text-tools"]]);
  });

  it("gives the agent a skill that is new, and only then", async () => {
    rmSync(join(folder, "calc"), { recursive: true });
    await seed();
    await open();
    cpSync("runner/skills/calc", join(folder, "calc"), { recursive: true });
    expect(await seed()).toEqual(["calc"]);
    expect(await forAgent()).toEqual(["text-tools"]);
    await open();
    expect(await forAgent()).toEqual(["calc", "text-tools"]);
  });
});
