/**
 * The address of a picture that the agent made (§11.3, §11.4): written by the tool that stores one, and the only address
 * outside of the site's own files from which a reply may show a picture. It names no host, so no visitor's browser is
 * ever sent anywhere else.
 */
import type { PictureType } from "./picture-type";

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

/** One extension a type: a picture has exactly one address. */
export const AGENT_IMAGE_EXTENSIONS = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
  "image/gif": "gif",
} as const satisfies Record<PictureType, string>;

/** Matches the whole address as it stands in a reply; groups are the picture's id and its extension. */
export const agentImagePath = new RegExp(
  `^/api/agent/images/(${UUID})\\.(${Object.values(AGENT_IMAGE_EXTENSIONS).join("|")})$`,
);

/** The last segment of the endpoint's path, with any extension: which one it has to be is known to the database. */
export const agentImageFile = new RegExp(`^${UUID}\\.[a-z]{3,4}$`);

/** `id` is a lower-case UUID. */
export function agentImageAddress(id: string, type: PictureType): string {
  return `/api/agent/images/${id}.${AGENT_IMAGE_EXTENSIONS[type]}`;
}
