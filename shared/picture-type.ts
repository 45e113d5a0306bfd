/**
 * The four kinds of picture that may live on our own origin (§16.3), and how each is told by its first bytes. SVG is
 * none of them and never becomes one: it is a page that runs scripts.
 */

export const PICTURE_TYPES = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif",
} as const;

export type PictureType = (typeof PICTURE_TYPES)[keyof typeof PICTURE_TYPES];

/** The type that a name's extension stands for, whatever its case; null for any other name. */
export function pictureTypeOfName(name: string): PictureType | null {
  const extension = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(PICTURE_TYPES, extension) ? PICTURE_TYPES[extension as keyof typeof PICTURE_TYPES] : null;
}

/** The type that the bytes themselves begin as; null for anything else. */
export function pictureTypeOfBytes(bytes: Uint8Array): PictureType | null {
  const begins = (signature: string, at = 0) =>
    [...signature].every((character, index) => bytes[at + index] === character.charCodeAt(0));
  if (begins("\x89PNG\r\n\x1a\n")) return "image/png";
  if (begins("\xff\xd8\xff")) return "image/jpeg";
  if (begins("GIF87a") || begins("GIF89a")) return "image/gif";
  if (begins("RIFF") && begins("WEBP", 8)) return "image/webp";
  return null;
}
