/** Who answers on this site by its database: a provider, the demo when there is none, or a provider that cannot and why. */
import type { Database } from "../apps/api/database/pool.ts";
import { secretBox } from "../apps/api/lib/secret-box.ts";
import { type LlmFault, llmProviders, loadDefaultProvider } from "../apps/api/stores/llm-config.ts";
import { parseExtraHosts } from "../shared/hosts.ts";
import { siteSettings } from "./infra.mts";
import type { Paths } from "./paths.mts";
import type { Secrets } from "./secrets.mts";

export interface Answering {
  /** Name of the default provider; absent: there is none. */
  provider?: string;
  /** Why it cannot answer, as the end of a sentence. */
  fault?: string;
}

const FAULTS: Record<LlmFault, string> = {
  host_not_allowed: "its host is not in XRAY_LLM_EXTRA_HOSTS",
  undecryptable: "its key was sealed with the secrets of another state folder",
  unknown_api: "its protocol is not known here",
  key_kind: "its key is not one for its protocol",
};

export async function answering(paths: Paths, secrets: Secrets, db: Database): Promise<Answering> {
  const extraHosts = parseExtraHosts(siteSettings(paths, "").XRAY_LLM_EXTRA_HOSTS ?? "");
  const loaded = await loadDefaultProvider(db, secretBox(secrets.configEncryptionKey), extraHosts);
  if (loaded === null) return {};
  if (typeof loaded === "object") return { provider: loaded.provider };
  const provider = (await llmProviders.list(db)).find((row) => row.isDefault)?.provider;
  return { provider, fault: FAULTS[loaded] };
}
