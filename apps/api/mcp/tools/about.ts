/** The owner's public card (§17, §21.3): one row, there from the beginning and empty. */
import { z } from "zod";
import { LIMITS } from "../../../../shared/limits";
import { getAbout, setAbout } from "../../stores/about";
import { changed, defineTool, expectedRevision, revision } from "../define-tool";
import { patchOf } from "../partial-update";
import { dot } from "./fields";

const line = z.string().max(LIMITS.aboutRepoFieldChars);
const named = line.min(1);
const repo = z.strictObject({
  name: named,
  lang: line,
  dot: z
    .string()
    .regex(/^(#[0-9A-Fa-f]{6})?$/)
    .describe("Colour of the language, or empty."),
  stars: z.int().min(0).max(LIMITS.aboutStars),
  desc: line,
  pushed: line.describe("When it was last pushed to, as it is to be read."),
});
const language = z.strictObject({ name: named, pct: z.number().min(0).max(100), color: dot });

const about = z.object({
  githubUser: z.string(),
  originUrl: z.string(),
  intro: z.string(),
  buildPoints: z.array(z.string()),
  repos: z.array(repo),
  langBar: z.array(language),
  revision,
});

const fields = {
  githubUser: z.string().max(LIMITS.aboutUserChars).nullable().optional(),
  originUrl: z.string().max(LIMITS.webUrlChars).nullable().optional().describe("http or https."),
  intro: z.string().max(LIMITS.aboutIntroChars).nullable().optional(),
  buildPoints: z.array(z.string().min(1).max(LIMITS.aboutPointChars)).max(LIMITS.aboutPoints).optional(),
  repos: z.array(repo).max(LIMITS.aboutRepos).optional(),
  langBar: z.array(language).max(LIMITS.aboutLanguages).optional(),
};

const get = defineTool({
  name: "about_get",
  title: "Read the owner's card",
  description:
    "The owner's public card: about (githubUser, originUrl, intro, buildPoints, repos: name, lang, dot, stars, desc, pushed; langBar: name, pct, color; revision). Fields that were never set are empty.",
  effect: "read",
  input: z.strictObject({}),
  output: z.object({ about }),
  async run({ db }) {
    return { about: await getAbout(db) };
  },
});

const set = defineTool({
  name: "about_set",
  title: "Write the owner's card",
  description:
    "Changes the given fields of the owner's public card. A list that is given takes the place of the old one; null or an empty list clears. All of it is public. Returns about (as about_get gives it) and changed.",
  effect: "set",
  input: z.strictObject({ ...fields, expectedRevision }),
  output: z.object({ about, changed }),
  summary: (args) =>
    Object.keys(args)
      .filter((name) => Object.hasOwn(fields, name))
      .join(", "),
  async run({ db, args }) {
    const { githubUser, originUrl, intro, ...lists } = patchOf(args, fields);
    const texts = { githubUser: textOf(githubUser), originUrl: textOf(originUrl), intro: textOf(intro) };
    const written = await setAbout(db, { ...texts, ...lists }, args);
    return { about: written.row, changed: written.changed };
  },
});

export const aboutTools = [get, set];

function textOf(value: string | null | undefined): string | undefined {
  return value === null ? "" : value;
}
