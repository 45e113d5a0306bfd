/**
 * Pictures that the agent made (§11): appended by a role that can do nothing else and not even read them, and read only
 * through the session they belong to, by its visitor. They are deleted with their session and in no other way.
 */
import type { PictureType } from "../../../shared/picture-type";
import type { Database } from "../database/pool";

export interface StoredImage {
  contentType: PictureType;
  bytes: Uint8Array;
  /** SHA-256 of the bytes, in hex. */
  etag: string;
}

/** Stores a picture of a session under a fresh id. Rejects with a `DatabaseError`, also when the session is gone. */
export async function addImage(
  db: Database,
  { id, sessionId, contentType, bytes, etag }: StoredImage & { id: string; sessionId: string },
): Promise<void> {
  await db.queryAs(
    "agent_image",
    `INSERT INTO generated_images (id, session_id, content_type, bytes, byte_size, etag)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [id, sessionId, contentType, bytes, bytes.length, etag],
  );
}

/** A picture of one of the visitor's own sessions; null for every other, whether or not it exists. */
export async function readOwnImage(db: Database, visitorId: string, id: string): Promise<StoredImage | null> {
  const [image] = await db.queryAs<StoredImage>(
    "visitor_rw",
    `SELECT i.content_type AS "contentType", i.bytes, i.etag
     FROM generated_images i JOIN sessions s ON s.id = i.session_id WHERE i.id = $1 AND s.visitor_id = $2`,
    [id, visitorId],
  );
  return image ?? null;
}
