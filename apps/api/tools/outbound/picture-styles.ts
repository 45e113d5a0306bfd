/**
 * The two ways of asking for a picture (§11.2): how each builds its body, with the prompt in exactly one field, and where
 * in its answer the picture is. Only a picture that lies in the answer itself is one; an address is never followed.
 */
import { LIMITS } from "../../../../shared/limits";
import { type PictureType, pictureTypeOfBytes } from "../../../../shared/picture-type";
import type { ServiceFault } from "./service-call";

export interface PictureStyle {
  path: string;
  body(modelId: string, prompt: string, size: string | null): Record<string, unknown>;
  /** The picture as base64, or why there is none. */
  find(answer: unknown): { base64: string } | { fault: ServiceFault };
}

// biome-ignore lint/suspicious/noExplicitAny: a service's JSON; each part is looked at before it is taken.
type Json = any;

export const PICTURE_STYLES: Readonly<Record<"images" | "chat", PictureStyle>> = {
  images: {
    path: "/images/generations",
    body: (model, prompt, size) => ({ model, prompt, n: 1, ...(size !== null && { size }) }),
    find(answer) {
      const { error, data } = (answer ?? {}) as Json;
      if (error) return { fault: "upstream_failed" };
      const { b64_json: base64, url } = data?.[0] ?? {};
      if (typeof base64 === "string" && base64 !== "") return { base64 };
      return { fault: url === undefined ? "empty" : "address_instead_of_picture" };
    },
  },
  chat: {
    path: "/chat/completions",
    // Gateways of this style draw only for a model that is told it may answer with more than text.
    body: (model, content) => ({ model, messages: [{ role: "user", content }], modalities: ["image", "text"] }),
    find(answer) {
      const { error, choices } = (answer ?? {}) as Json;
      if (error) return { fault: "upstream_failed" };
      const url = choices?.[0]?.message?.images?.[0]?.image_url?.url;
      if (typeof url !== "string") return { fault: "empty" };
      const comma = /^data:[^,]{0,128};base64,/i.exec(url);
      return comma ? { base64: url.slice(comma[0].length) } : { fault: "address_instead_of_picture" };
    },
  },
};

/** A picture by its own first bytes, whatever it was said to be; or why it is none. */
export function pictureOf(base64: string): { type: PictureType; bytes: Buffer } | { fault: ServiceFault } {
  // Before anything is decoded: three bytes are four characters.
  if (base64.length > 4 * Math.ceil(LIMITS.imageBytes / 3)) return { fault: "oversize" };
  const bytes = Buffer.from(base64, "base64");
  // The decoder passes over what is no base64; only what it would write again was all of it.
  if (bytes.toString("base64") !== base64) return { fault: "not_a_picture" };
  if (bytes.length > LIMITS.imageBytes) return { fault: "oversize" };
  const type = pictureTypeOfBytes(bytes);
  return type === null ? { fault: "not_a_picture" } : { type, bytes };
}
