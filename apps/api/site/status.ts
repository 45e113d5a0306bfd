/** GET /site/status: whether the offline demo answers, and whether a question can be asked at all. Nothing else. */
import { api } from "encore.dev/api";
import { secret } from "encore.dev/config";
import { siteStatusContract } from "../../../shared/contracts/site";
import { answeringModel } from "../lib/answering-model";
import { extraHostsOf } from "../lib/env";
import { publicRoute } from "../lib/public-route";
import { secretBox } from "../lib/secret-box";
import { loadDefaultProvider } from "../stores/llm-config";
import { db } from "./db";

const configEncryptionKey = secret("ConfigEncryptionKey");

export const status = api.raw(
  { expose: true, sensitive: true, method: "GET", path: "/site/status" },
  publicRoute(siteStatusContract, async () => {
    const model = answeringModel(await loadDefaultProvider(db, secretBox(configEncryptionKey()), extraHostsOf("llm")));
    return { demo: model?.kind === "demo", ready: model !== undefined };
  }),
);
