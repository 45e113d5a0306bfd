/** One endpoint for each way to end. */
import { api } from "encore.dev/api";
import { z } from "zod";
import { contract } from "../../../../../../shared/contracts/contract";
import { publicRoute } from "../../../public-route";
import { Refusal } from "../../../refusal";

const LONG_MS = 60_000;
const get = { method: "GET", summary: "", refusals: ["internal"] } as const;

const extraContract = contract({ ...get, path: "/extra", answer: z.object({ named: z.string() }) });
export const extra = api.raw(
  { expose: true, sensitive: true, method: "GET", path: "/extra" },
  publicRoute(extraContract, async () => {
    const row = { named: "yes", unnamed: "must-not-leave" };
    return row;
  }),
);

const brokenContract = contract({ ...get, path: "/broken", answer: z.object({ count: z.number() }) });
export const broken = api.raw(
  { expose: true, sensitive: true, method: "GET", path: "/broken" },
  publicRoute(brokenContract, async () => ({ count: Number.NaN })),
);

const throwsContract = contract({ ...get, path: "/throws", answer: null });
export const throws = api.raw(
  { expose: true, sensitive: true, method: "GET", path: "/throws" },
  publicRoute(throwsContract, async (call) => {
    call.setCookie("a=b");
    throw new Error("inner text, password=hunter2hunter2");
  }),
);

const limitedContract = contract({ ...get, path: "/limited", answer: null });
export const limited = api.raw(
  { expose: true, sensitive: true, method: "GET", path: "/limited" },
  publicRoute(limitedContract, async () => {
    throw new Refusal("rate_limited", 60_001);
  }),
);

const tornContract = contract({ ...get, path: "/torn", answer: "sse" });
export const torn = api.raw(
  { expose: true, sensitive: true, method: "GET", path: "/torn" },
  publicRoute(tornContract, async (call) => {
    call.setCookie("a=b");
    const sse = call.openSse(LONG_MS);
    await sse.send({ event: "first", data: {} });
    throw new Error("torn apart");
  }),
);

const emptyContract = contract({ ...get, path: "/empty", answer: null });
export const empty = api.raw(
  { expose: true, sensitive: true, method: "GET", path: "/empty" },
  publicRoute(emptyContract, async () => {}),
);

const pictureContract = contract({ ...get, path: "/picture", answer: "bytes", media: ["image/png"] });
export const picture = api.raw(
  { expose: true, sensitive: true, method: ["GET", "HEAD"], path: "/picture" },
  publicRoute(pictureContract, async () => ({ type: "image/png", bytes: Buffer.from("four"), cacheSeconds: 60 })),
);

const packContract = contract({ ...get, path: "/pack", answer: "bytes", media: ["application/zip"] });
export const pack = api.raw(
  { expose: true, sensitive: true, method: ["GET", "HEAD"], path: "/pack" },
  publicRoute(packContract, async () => ({
    type: "application/zip",
    bytes: Buffer.from("zip"),
    etag: "abc",
    filename: "a-pack.zip",
  })),
);

const missingContract = contract({ ...get, path: "/missing", answer: "bytes", media: ["image/png"] });
export const missing = api.raw(
  { expose: true, sensitive: true, method: ["GET", "HEAD"], path: "/missing" },
  publicRoute(missingContract, async () => {
    throw new Refusal("not_found");
  }),
);
