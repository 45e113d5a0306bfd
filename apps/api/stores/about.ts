/**
 * The owner's public card (§17): one row, or none while nothing was said; then every field is empty. A write changes
 * what it names. An address that is none of http or https is refused here, and one that came into the row in another
 * way is not shown. Refusals are `StoreRefusal`s.
 */
import type { AboutView } from "../../../shared/contracts/about";
import { LIMITS } from "../../../shared/limits";
import { stripInvisible } from "../../../shared/text/clean";
import { isWebUrl } from "../../../shared/text/web-url";
import type { Database, Tx } from "../database/pool";
import { colourField, integerField, invalid, lineField, urlField } from "./owner-fields";
import { changeRow, type Expected, patched, type Written } from "./owner-write";
import { type Revised, revised, revisionOf } from "./revision";
import { StoreRefusal } from "./store-refusal";

const EMPTY: AboutView = { githubUser: "", originUrl: "", intro: "", buildPoints: [], repos: [], langBar: [] };
const ABOUT = `SELECT github_user AS "githubUser", origin_url AS "originUrl", intro, build_points AS "buildPoints", repos,
  lang_bar AS "langBar" FROM about_content`;

/** The card as the page shows it. */
export async function readAbout(db: Database): Promise<AboutView> {
  const [row = EMPTY] = await db.queryAs<AboutView>("content_ro", ABOUT);
  return { ...row, originUrl: isWebUrl(row.originUrl) ? row.originUrl : "" };
}

/** The card as it is stored. */
export async function getAbout(db: Database): Promise<Revised<AboutView>> {
  const [row = EMPTY] = await db.queryAs<AboutView>("admin_rw", ABOUT);
  return revised(row);
}

/** Changes the fields that are given. An empty text or list clears. */
export async function setAbout(
  db: Database,
  patch: Partial<AboutView>,
  expected: Expected = {},
): Promise<Written<AboutView>> {
  return changeRow<AboutView>(db, {
    ...expected,
    key: ["about_content"],
    read: readRow,
    async write(tx, current) {
      const row = checked(patched(current ?? EMPTY, patch));
      refuseLarger(row);
      if (current && revisionOf(current) === revisionOf(row)) return false;
      await tx.query(
        `INSERT INTO about_content (github_user, origin_url, intro, build_points, repos, lang_bar)
         VALUES ($1, $2, $3, $4::jsonb, $5::jsonb, $6::jsonb)
         ON CONFLICT (id) DO UPDATE SET github_user = excluded.github_user, origin_url = excluded.origin_url,
           intro = excluded.intro, build_points = excluded.build_points, repos = excluded.repos,
           lang_bar = excluded.lang_bar, updated_at = now()`,
        [
          row.githubUser,
          row.originUrl,
          row.intro,
          ...[row.buildPoints, row.repos, row.langBar].map((list) => JSON.stringify(list)),
        ],
      );
      return true;
    },
  });
}

/** Before the first write the card is there and empty, so that its revision can be expected. */
async function readRow(tx: Tx): Promise<AboutView> {
  const [row = EMPTY] = await tx.query<AboutView>(ABOUT);
  return row;
}

/** The card is read, changed and written as one; whoever does so through a model gets it in one answer. */
function refuseLarger(row: AboutView): void {
  if (Buffer.byteLength(JSON.stringify(row)) <= LIMITS.mcpPageBytes) return;
  throw new StoreRefusal("invalid", { reason: `The whole card is at most ${LIMITS.mcpPageBytes} bytes.` });
}

function checked(row: AboutView): AboutView {
  const { githubUser, originUrl } = row;
  if (githubUser !== "" && !/^[A-Za-z0-9][A-Za-z0-9-]{0,38}$/.test(githubUser)) {
    throw invalid("githubUser", "It is 1 to 39 letters, digits and -, and does not begin with -.");
  }
  const intro = stripInvisible(row.intro, { keep: "\n\t" });
  if (intro.length > LIMITS.aboutIntroChars) {
    throw invalid("intro", `It is at most ${LIMITS.aboutIntroChars} characters.`);
  }
  return {
    githubUser,
    originUrl: originUrl === "" ? "" : urlField("originUrl", originUrl),
    intro,
    buildPoints: items("buildPoints", row.buildPoints, LIMITS.aboutPoints, (point, field) =>
      lineField(field, point, LIMITS.aboutPointChars, 1),
    ),
    repos: items("repos", row.repos, LIMITS.aboutRepos, (repo, field) => ({
      name: lineField(`${field}.name`, repo.name, LIMITS.aboutRepoFieldChars, 1),
      lang: lineField(`${field}.lang`, repo.lang, LIMITS.aboutRepoFieldChars),
      dot: repo.dot === "" ? "" : colourField(`${field}.dot`, repo.dot),
      stars: integerField(`${field}.stars`, repo.stars, LIMITS.aboutStars),
      desc: lineField(`${field}.desc`, repo.desc, LIMITS.aboutRepoFieldChars),
      pushed: lineField(`${field}.pushed`, repo.pushed, LIMITS.aboutRepoFieldChars),
    })),
    langBar: items("langBar", row.langBar, LIMITS.aboutLanguages, (language, field) => {
      if (!(language.pct >= 0 && language.pct <= 100)) throw invalid(`${field}.pct`, "It is from 0 to 100.");
      return {
        name: lineField(`${field}.name`, language.name, LIMITS.aboutRepoFieldChars, 1),
        pct: language.pct,
        color: colourField(`${field}.color`, language.color),
      };
    }),
  };
}

function items<T>(field: string, list: readonly T[], max: number, check: (item: T, field: string) => T): T[] {
  if (list.length > max) throw invalid(field, `It has at most ${max} items.`);
  return list.map((item, index) => check(item, `${field}[${index}]`));
}
