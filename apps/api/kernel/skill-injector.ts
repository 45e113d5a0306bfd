/**
 * Tells the model which skills there are (§13.3): a catalogue behind the system prompt of every run, made from the
 * compiled manifest. The same skills give the same text, so that a provider's cache of the prompt stays warm.
 */
import type { ManifestScript, ManifestSkill, SkillField } from "../../../shared/skill-manifest";
import type { KernelExtension } from "./extension";
import type { SessionSkills } from "./kernel-types";

export function skillInjector(session: SessionSkills): KernelExtension {
  const catalogue = skillCatalogue(session);
  const skills = session.skills.map(({ name }) => name);
  return {
    name: "xray-skills",
    handlers: {
      before_agent_start: ({ systemPrompt }) => ({ systemPrompt: `${systemPrompt}\n\n${catalogue}`, skills }),
    },
  };
}

/** One skill an entry; its scripts with their inputs only where they can run. */
export function skillCatalogue({ skills, canRun }: Pick<SessionSkills, "skills" | "canRun">): string {
  const entries = skills.map((skill) => skillEntry(skill, canRun));
  return ["<available_skills>", ...entries, "</available_skills>"].join("\n");
}

function skillEntry({ name, description, scripts }: ManifestSkill, canRun: boolean): string {
  const lines = [`${name}: ${description}`];
  if (canRun) for (const script of scripts) lines.push(`- ${scriptEntry(script)}`);
  return lines.join("\n");
}

function scriptEntry({ file, description, input }: ManifestScript): string {
  const fields = Object.entries(input).map(
    ([name, field]) => `"${name}"${field.optional ? "?" : ""}: ${kindOf(field)} (${field.description})`,
  );
  return `${file}: ${description} Input {${fields.join(", ")}}`;
}

function kindOf(field: SkillField): string {
  switch (field.type) {
    case "boolean":
      return "true or false";
    case "integer":
      return field.minimum !== undefined && field.maximum !== undefined
        ? `integer ${field.minimum} to ${field.maximum}`
        : "integer";
    case "string":
      if (field.enum) return field.enum.map((value) => JSON.stringify(value)).join(" or ");
      return field.maxLength === undefined ? "string" : `string up to ${field.maxLength}`;
  }
}
