/**
 * The pictures of a series (§16.1, §16.3): one row is one file. A name, its declared type and its first bytes must say
 * the same of the four types; nothing else is stored, so nothing on our origin can run. Refusals are `StoreRefusal`s.
 */
import { createHash } from "node:crypto";
import { LIMITS } from "../../../shared/limits";
import { PICTURE_TYPES, pictureTypeOfBytes, pictureTypeOfName } from "../../../shared/picture-type";
import type { Database, Tx } from "../database/pool";
import { invalid, parentField } from "./owner-fields";
import { changeRow, deleteRow, type Expected, type Written } from "./owner-write";
import { type Revised, revised } from "./revision";

export interface AssetRow {
  seriesSlug: string;
  name: string;
  contentType: string;
  byteSize: number;
  /** SHA-256 of the bytes, in hex. */
  etag: string;
}
export interface AssetWrite {
  seriesSlug: string;
  name: string;
  contentType: string;
  bytes: Uint8Array;
}

const NAME = /^[a-z0-9][a-z0-9._-]{0,95}$/;
const TYPES = [...new Set(Object.values(PICTURE_TYPES))];
const ASSET = `SELECT series_slug AS "seriesSlug", name, content_type AS "contentType", byte_size AS "byteSize", etag
  FROM notes_assets`;

/** One picture as the pages show it; null when there is none. */
export async function readAsset(
  db: Database,
  seriesSlug: string,
  name: string,
): Promise<{ contentType: string; bytes: Uint8Array; etag: string } | null> {
  const [asset] = await db.queryAs<{ contentType: string; bytes: Uint8Array; etag: string }>(
    "content_ro",
    `SELECT content_type AS "contentType", bytes, etag FROM notes_assets WHERE series_slug = $1 AND name = $2`,
    [seriesSlug, name],
  );
  return asset ?? null;
}

/** The pictures of a series by name, without their bytes; null when there is no such series. */
export async function listAssets(db: Database, seriesSlug: string): Promise<Revised<AssetRow>[] | null> {
  return db.asRole("admin_rw", async (tx) => {
    const [[series], rows] = await Promise.all([
      tx.query("SELECT slug FROM notes_series WHERE slug = $1", [seriesSlug]),
      tx.query<AssetRow>(`${ASSET} WHERE series_slug = $1 ORDER BY name`, [seriesSlug]),
    ]);
    return series ? rows.map(revised) : null;
  });
}

/** Stores a picture, in the place of the one that has this name. */
export async function putAsset(db: Database, asset: AssetWrite, expected: Expected = {}): Promise<Written<AssetRow>> {
  const { seriesSlug, name, contentType, bytes } = pictureOf(asset);
  const etag = createHash("sha256").update(bytes).digest("hex");
  return changeRow<AssetRow>(db, {
    ...expected,
    key: ["notes_assets", seriesSlug, name],
    read: (tx) => readRow(tx, seriesSlug, name),
    async write(tx, current) {
      if (current?.etag === etag && current.contentType === contentType) return false;
      await parentField(tx, "seriesSlug", "notes_series", seriesSlug);
      await tx.query(
        `INSERT INTO notes_assets (series_slug, name, content_type, bytes, byte_size, etag)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (series_slug, name) DO UPDATE SET content_type = excluded.content_type, bytes = excluded.bytes,
           byte_size = excluded.byte_size, etag = excluded.etag`,
        [seriesSlug, name, contentType, bytes, bytes.length, etag],
      );
      return true;
    },
  });
}

/** What is given, when it may be stored; throws `invalid` otherwise. Asks no database. */
export function pictureOf<Asset extends AssetWrite>(asset: Asset): Asset {
  const { name, contentType, bytes } = asset;
  if (!NAME.test(name))
    throw invalid("name", "It is 1 to 96 of a-z, 0-9, ., _ and -, and begins with a letter or digit.");
  const ofName = pictureTypeOfName(name);
  if (ofName === null) {
    throw invalid("name", "It ends with the extension of a picture.", Object.keys(PICTURE_TYPES));
  }
  if (contentType !== ofName) throw invalid("contentType", "It is not the type of the name's extension.", [ofName]);
  if (bytes.length === 0 || bytes.length > LIMITS.noteAssetBytes) {
    throw invalid("bytes", `A picture is 1 to ${LIMITS.noteAssetBytes} bytes.`);
  }
  if (pictureTypeOfBytes(bytes) !== ofName) {
    throw invalid("bytes", "They do not begin as a picture of the declared type does.", TYPES);
  }
  return asset;
}

export async function deleteAsset(
  db: Database,
  seriesSlug: string,
  name: string,
  expected: Expected = {},
): Promise<Written<AssetRow>> {
  return deleteRow<AssetRow>(db, {
    ...expected,
    key: ["notes_assets", seriesSlug, name],
    read: (tx) => readRow(tx, seriesSlug, name),
    async remove(tx) {
      await tx.query("DELETE FROM notes_assets WHERE series_slug = $1 AND name = $2", [seriesSlug, name]);
    },
  });
}

async function readRow(tx: Tx, seriesSlug: string, name: string): Promise<AssetRow | null> {
  const [row] = await tx.query<AssetRow>(`${ASSET} WHERE series_slug = $1 AND name = $2`, [seriesSlug, name]);
  return row ?? null;
}
