/** The skills library: the index, one skill with its files, its archive. Text only; nothing of it is executed here. */
import { api } from "encore.dev/api";
import { skillContract, skillsIndexContract, skillZipContract } from "../../../shared/contracts/skills";
import { LIMITS } from "../../../shared/limits";
import { publicRoute } from "../lib/public-route";
import { found } from "../lib/refusal";
import { readSkill, readSkillZip, skillsIndex } from "../stores/skills";
import { db } from "./db";

/** GET /skills: every category with its skills. */
export const index = api.raw(
  { expose: true, sensitive: true, method: "GET", path: "/skills" },
  publicRoute(skillsIndexContract, async () => skillsIndex(db)),
);

/** GET /skills/:name: one skill with all its files. */
export const skill = api.raw(
  { expose: true, sensitive: true, method: "GET", path: "/skills/:name" },
  publicRoute(skillContract, async ({ params }) => found(await readSkill(db, params.name))),
);

/** GET /assets/skills/:file: the archive, as it was built when the skill was written. */
export const zip = api.raw(
  { expose: true, sensitive: true, method: ["GET", "HEAD"], path: "/assets/skills/:file" },
  publicRoute(skillZipContract, async ({ params }) => {
    const archive = found(await readSkillZip(db, params.file.slice(0, -".zip".length)));
    return {
      ...archive,
      type: "application/zip",
      filename: params.file,
      cacheSeconds: LIMITS.skillZipCacheSeconds,
    };
  }),
);
