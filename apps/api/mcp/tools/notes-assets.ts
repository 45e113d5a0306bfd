/** The pictures of a series (§21.3). Bytes go in and do not come out: whoever wants to see one opens its address. */
import { z } from "zod";
import { LIMITS } from "../../../../shared/limits";
import { PICTURE_TYPES } from "../../../../shared/picture-type";
import type { Database } from "../../database/pool";
import { deleteAsset, listAssets, putAsset } from "../../stores/notes-assets";
import { changed, defineTool, expectedRevision, revision } from "../define-tool";
import { pageInput, pageOutput } from "../paging";
import { advised } from "../store-advice";
import { ToolRefusal, unknownName } from "../tool-refusal";
import { slug } from "./fields";
import { noSeries } from "./notes-chapters";

const asset = z.object({
  seriesSlug: z.string(),
  name: z.string(),
  contentType: z.string(),
  byteSize: z.int(),
  etag: z.string(),
  revision,
});
const name = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,95}$/);
const TYPES = [...new Set(Object.values(PICTURE_TYPES))] as const;

const list = defineTool({
  name: "notes_assets_list",
  title: "List the pictures of a series",
  description:
    "Pictures of a series by name, without their bytes: assets (seriesSlug, name, contentType, byteSize, etag: SHA-256 of the bytes, revision), total, nextCursor. Each is at /notes/<seriesSlug>/<name>.",
  effect: "read",
  input: z.strictObject({ seriesSlug: slug, ...pageInput }),
  output: z.object({ assets: z.array(asset), ...pageOutput }),
  async run({ db, args, page }) {
    const rows = await listAssets(db, args.seriesSlug);
    if (rows === null) throw await noSeries(db);
    const { rows: assets, ...rest } = page(rows, (it) => it.name);
    return { assets, ...rest };
  },
});

const put = defineTool({
  name: "notes_asset_put",
  title: "Store a picture of a series",
  description:
    "Stores a PNG, JPEG, WebP or GIF, in the place of the one of this name. Name, contentType and first bytes must agree; SVG is refused. Chapters show it by /notes/<seriesSlug>/<name>. Returns asset (seriesSlug, name, contentType, byteSize, etag, revision) and changed.",
  effect: "set",
  input: z.strictObject({
    seriesSlug: slug,
    name,
    contentType: z.enum(TYPES),
    dataBase64: z
      .string()
      .max(4 * Math.ceil(LIMITS.noteAssetBytes / 3))
      .describe(`Standard Base64, padded; at most ${LIMITS.noteAssetBytes} bytes decoded.`),
    expectedRevision,
  }),
  output: z.object({ asset, changed }),
  summary: ({ seriesSlug, name }) => `${name} in ${seriesSlug}`,
  async run({ db, args: { seriesSlug, name, contentType, dataBase64, expectedRevision } }) {
    const bytes = decoded(dataBase64);
    const written = await advised(putAsset(db, { seriesSlug, name, contentType, bytes }, { expectedRevision }), {
      invalid: ({ facts }) => (facts.field === "bytes" ? { field: "dataBase64" } : {}),
      missing_reference: () => ({
        cause: "There is no series of that name.",
        retry: "Take one of the allowed, or create it by notes_series_upsert first.",
      }),
    });
    return { asset: written.row, changed: written.changed };
  },
});

const remove = defineTool({
  name: "notes_asset_delete",
  title: "Delete a picture of a series",
  description: "Deletes a picture; chapters that show it show a gap. Returns asset (the row that is gone) and changed.",
  effect: "destroy",
  input: z.strictObject({ seriesSlug: slug, name, expectedRevision }),
  output: z.object({ asset, changed }),
  summary: ({ seriesSlug, name }) => `${name} in ${seriesSlug}`,
  async run({ db, args: { seriesSlug, name, expectedRevision } }) {
    const written = await advised(deleteAsset(db, seriesSlug, name, { expectedRevision }), {
      not_found: async () => (await noAsset(db, seriesSlug)).facts,
    });
    return { asset: written.row, changed: written.changed };
  },
});

export const notesAssetTools = [list, put, remove];

/** The bytes of a Base64 text in its one canonical spelling; a decoder that skips what it does not know hides faults. */
function decoded(base64: string): Uint8Array {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.toString("base64") === base64) return bytes;
  throw new ToolRefusal({
    cause: "This is not Base64 as it is needed here: A-Z, a-z, 0-9, + and /, padded with =, without line breaks.",
    field: "dataBase64",
  });
}

async function noAsset(db: Database, seriesSlug: string): Promise<ToolRefusal> {
  const rows = await listAssets(db, seriesSlug);
  if (rows === null) return noSeries(db);
  return unknownName(
    "name",
    "picture",
    rows.map((it) => it.name),
  );
}
