/** Contracts of the skills library: packages of text files, shown and offered for download (§12.3). */
import { z } from "zod";
import { contract } from "./contract";

export const skillName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/);

export const SKILL_FILE_KINDS = [
  "markdown",
  "python",
  "shell",
  "typescript",
  "javascript",
  "json",
  "yaml",
  "toml",
  "text",
] as const;
export type SkillFileKind = (typeof SKILL_FILE_KINDS)[number];

export const skillCard = z.object({
  name: z.string(),
  summary: z.string(),
  sourceType: z.enum(["own", "curated"]),
  /** `owner/repo`, or empty: the install command is made of it and the name. */
  repo: z.string(),
  repoUrl: z.string().nullable(),
  version: z.string(),
  fileCount: z.number().int(),
  zipBytes: z.number().int(),
  /** Whether the agent of this site may run it. */
  agentEnabled: z.boolean(),
  updatedAt: z.iso.datetime(),
});
export type SkillCard = z.infer<typeof skillCard>;

export const skillsIndex = z.object({
  categories: z.array(z.object({ slug: z.string(), name: z.string(), dot: z.string(), skills: z.array(skillCard) })),
  total: z.number().int(),
  /** When the newest change was made; null while the library is empty. */
  latest: z.iso.datetime().nullable(),
});
export type SkillsIndex = z.infer<typeof skillsIndex>;

export const skillView = skillCard.extend({
  category: z.object({ slug: z.string(), name: z.string(), dot: z.string() }),
  contentHash: z.string(),
  createdAt: z.iso.datetime(),
  /** SKILL.md first, then as the pack orders them. */
  files: z.array(
    z.object({
      path: z.string(),
      kind: z.enum(SKILL_FILE_KINDS),
      content: z.string(),
      bytes: z.number().int(),
      lines: z.number().int(),
    }),
  ),
});
export type SkillView = z.infer<typeof skillView>;

export const skillsIndexContract = contract({
  method: "GET",
  path: "/skills",
  summary: "Every category with its skills.",
  answer: skillsIndex,
  refusals: ["internal"],
});

export const skillContract = contract({
  method: "GET",
  path: "/skills/:name",
  summary: "One skill with all its files, read as of one moment.",
  params: z.object({ name: skillName }),
  answer: skillView,
  refusals: ["bad_request", "not_found", "internal"],
});

export const skillZipContract = contract({
  method: "GET",
  path: "/assets/skills/:file",
  summary: "A skill as a zip archive, the bytes made when it was published; the file is `<name>.zip`.",
  params: z.object({ file: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}\.zip$/) }),
  answer: "bytes",
  media: ["application/zip"],
  refusals: ["bad_request", "not_found", "internal"],
});
