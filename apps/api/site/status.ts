/** GET /site/status: whether the offline demo answers, and whether a question can be asked at all. Nothing else. */
import { api } from "encore.dev/api";
import { secret } from "encore.dev/config";
import { siteStatusContract } from "../../../shared/contracts/site";
import { parseExtraHosts } from "../../../shared/hosts";
import { answeringModel } from "../lib/answering-model";
import { readEnvironment } from "../lib/env";
import { publicRoute } from "../lib/public-route";
import { secretBox } from "../lib/secret-box";
import { loadDefaultProvider } from "../stores/llm-config";
import { db } from "./db";

const configEncryptionKey = secret("ConfigEncryptionKey");

export const status = api.raw(
  { expose: true, sensitive: true, method: "GET", path: "/site/status" },
  publicRoute(siteStatusContract, async () => {
    const extraHosts = parseExtraHosts(readEnvironment("XRAY_LLM_EXTRA_HOSTS"));
    const model = answeringModel(await loadDefaultProvider(db, secretBox(configEncryptionKey()), extraHosts));
    return { demo: model?.kind === "demo", ready: model !== undefined };
  }),
);
