/**
 * The services of the outbound tools as they are configured now (§2.2): read when a session is registered, never by a
 * tool. A row that cannot be used is none, and the log says why. The fingerprint changes with every write to a row and
 * with the hosts that it may be on, so that the next turn is built with it.
 */
import type { ProviderFamily } from "../../../shared/hosts";
import { extraHostsOf } from "../lib/env";
import { log } from "../lib/log";
import type { SecretBox } from "../lib/secret-box";
import { imagegenProviders } from "../stores/imagegen-config";
import { websearchProviders } from "../stores/websearch-config";
import type { PictureService } from "../tools/outbound/generate-image";
import type { SearchService } from "../tools/outbound/web-search";
import { db } from "./db";

export interface SessionOutbound {
  search?: SearchService;
  pictures?: PictureService;
  /** JSON of everything here that a session is built from, without the keys. */
  fingerprint: string;
}

/** Reads no row whose tool is switched off. */
export async function currentOutbound(enabled: ReadonlyMap<string, unknown>, box: SecretBox): Promise<SessionOutbound> {
  const [search, pictures] = await Promise.all([
    enabled.has("web_search") ? usable("websearch", websearchProviders, box) : undefined,
    enabled.has("generate_image") ? usable("imagegen", imagegenProviders, box) : undefined,
  ]);
  const facts = [search, pictures].map((service) => service && { ...service, apiKey: "" });
  return { search, pictures, fingerprint: JSON.stringify(facts) };
}

interface Store<Row> {
  loadDefault(database: typeof db, box: SecretBox, extraHosts: readonly string[]): Promise<Row | null | string>;
}

async function usable<Row extends object>(
  family: ProviderFamily,
  store: Store<Row>,
  box: SecretBox,
): Promise<(Row & { extraHosts: string[] }) | undefined> {
  const extraHosts = extraHostsOf(family);
  const row = await store.loadDefault(db, box, extraHosts);
  if (typeof row === "string")
    log.error("the default service of a tool cannot be used", undefined, { family, fault: row });
  return row === null || typeof row === "string" ? undefined : { ...row, extraHosts };
}
