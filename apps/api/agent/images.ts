/** GET /agent/images/:file: a picture of one of the visitor's own sessions; to anyone else there is none. */
import { api } from "encore.dev/api";
import { AGENT_IMAGE_EXTENSIONS } from "../../../shared/agent-image";
import { imageContract } from "../../../shared/contracts/agent";
import { publicRoute } from "../lib/public-route";
import { found, Refusal } from "../lib/refusal";
import { readOwnImage } from "../stores/images";
import { db } from "./db";
import { adoptedVisitor } from "./visitor";

export const image = api.raw(
  { expose: true, sensitive: true, method: ["GET", "HEAD"], path: "/agent/images/:file" },
  publicRoute(imageContract, async (call) => {
    const visitorId = await adoptedVisitor(call);
    if (visitorId === null) throw new Refusal("not_found");
    const [id, extension] = call.params.file.split(".") as [string, string];
    const { contentType, bytes, etag } = found(await readOwnImage(db, visitorId, id));
    if (AGENT_IMAGE_EXTENSIONS[contentType] !== extension) throw new Refusal("not_found");
    // No time to keep it: a browser that changed hands asks again, and is refused.
    return { type: contentType, bytes, etag };
  }),
);
