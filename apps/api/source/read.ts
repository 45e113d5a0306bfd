/** The source's read side: the published commit, one of its files, a search over all. The same for every visitor. */
import { api } from "encore.dev/api";
import {
  SHORT_SHA_CHARS,
  sourceFileContract,
  sourceIndexContract,
  sourceSearchContract,
} from "../../../shared/contracts/source";
import { publicRoute } from "../lib/public-route";
import { Refusal } from "../lib/refusal";
import { listSource, readSourceFile, searchSource } from "../stores/source-read";
import { db } from "./db";
import { repository } from "./repository";

/** GET /source: the commit and the list of its files. */
export const index = api.raw(
  { expose: true, sensitive: true, method: "GET", path: "/source" },
  publicRoute(sourceIndexContract, async () => {
    const { files, ...snapshot } = found(await listSource(db, "content_ro"));
    return { snapshot: { ...snapshot, shortSha: snapshot.sha.slice(0, SHORT_SHA_CHARS), ...repository() }, files };
  }),
);

/** GET /source/file?path=: one file with its text. */
export const file = api.raw(
  { expose: true, sensitive: true, method: "GET", path: "/source/file" },
  publicRoute(sourceFileContract, async ({ query }) => found(await readSourceFile(db, "content_ro", query.path))),
);

/** GET /source/search?query=&prefix=: lines that hold the query. */
export const search = api.raw(
  { expose: true, sensitive: true, method: "GET", path: "/source/search" },
  publicRoute(sourceSearchContract, async ({ query: { query, prefix } }) =>
    found(await searchSource(db, "content_ro", query, prefix)),
  ),
);

function found<T>(value: T | null): T {
  if (value === null) throw new Refusal("not_found");
  return value;
}
