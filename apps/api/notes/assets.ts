/** GET /assets/notes/:series/:file: one picture of a series, with the type it was stored as. */
import { api } from "encore.dev/api";
import { noteAssetContract } from "../../../shared/contracts/notes";
import { LIMITS } from "../../../shared/limits";
import { publicRoute } from "../lib/public-route";
import { found } from "../lib/refusal";
import { readAsset } from "../stores/notes-assets";
import { db } from "./db";

export const asset = api.raw(
  { expose: true, sensitive: true, method: ["GET", "HEAD"], path: "/assets/notes/:series/:file" },
  publicRoute(noteAssetContract, async ({ params }) => {
    const { contentType, bytes, etag } = found(await readAsset(db, params.series, params.file));
    return { type: contentType, bytes, etag, cacheSeconds: LIMITS.noteAssetCacheSeconds };
  }),
);
