/**
 * Model providers: written by the owner, loaded when a session is built. A key goes in encrypted and comes out only to
 * `loadDefaultProvider`; everything else sees its mask (§23). The address is checked when it is written and again when
 * it is loaded, since the list of hosts may have become shorter in between.
 */
import { checkProviderUrl, type ProviderUrlRefusal } from "../../../shared/hosts";
import { LIMITS } from "../../../shared/limits";
import { isKeyFor, isModelApi, type ModelApi, usualApi } from "../../../shared/model-apis";
import type { Database, Tx } from "../database/pool";
import { maskSecret, type SecretBox } from "../lib/secret-box";

/** Price per million tokens, in micro-USD. */
export interface TokenPrice {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}
export interface ModelFacts {
  id: string;
  contextWindow?: number;
  maxOutput?: number;
  price?: TokenPrice;
}

/** What may be written. A field left out keeps its value; a new row needs `apiKey`, `baseUrl` and `modelId`. */
export interface ProviderWrite {
  provider: string;
  /** One of `MODEL_APIS`; a new row without it speaks what its address usually does. */
  api?: string;
  apiKey?: string;
  baseUrl?: string;
  modelId?: string;
  /** What is known of its models; null forgets it. */
  models?: ModelFacts[] | null;
  /** 0 means unlimited, for all three. */
  dailyTokenLimit?: number;
  dailyCostLimitCents?: number;
  maxTurnsPerSession?: number;
  makeDefault?: boolean;
}
export type ProviderWriteRefusal = ProviderUrlRefusal | "incomplete" | "key_length" | "key_kind" | "unknown_api";

export interface ProviderView {
  provider: string;
  api: string;
  baseUrl: string;
  /** Mask of the key. */
  keyHint: string;
  modelId: string;
  models: ModelFacts[] | null;
  isDefault: boolean;
  dailyTokenLimit: number;
  dailyCostLimitCents: number;
  maxTurnsPerSession: number;
  updatedAt: string;
}

/** A provider ready for the kernel. */
export interface LlmProvider {
  kind: "provider";
  provider: string;
  api: ModelApi;
  baseUrl: string;
  apiKey: string;
  modelId: string;
  contextWindow: number;
  maxOutput: number;
  price: TokenPrice;
  /** Changes with every write, also of the key. */
  updatedAt: string;
}

const FREE: TokenPrice = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
/** Two writers that each take the default from the other's row would wait for each other. Readers go on. */
const ONE_WRITER = "LOCK TABLE llm_config IN SHARE ROW EXCLUSIVE MODE";
const aadOf = (provider: string) => `llm_config:${provider}`;

/**
 * Creates or changes a provider. The first one becomes the default. Answers with a refusal when the address is not
 * allowed, the protocol is not one of ours, the key has an impossible length or kind, or a new row lacks something; then
 * nothing is written.
 */
export async function upsertProvider(
  db: Database,
  box: SecretBox,
  row: ProviderWrite,
  extraHosts: readonly string[],
): Promise<{ created: boolean } | { refused: ProviderWriteRefusal; host?: string }> {
  const address = row.baseUrl === undefined ? undefined : checkProviderUrl(row.baseUrl, extraHosts);
  if (address?.ok === false) return { refused: address.reason, host: address.host };
  if (row.api !== undefined && !isModelApi(row.api)) return { refused: "unknown_api" };
  const { apiKey } = row;
  if (
    apiKey !== undefined &&
    !(apiKey.length >= LIMITS.providerKeyMinChars && apiKey.length <= LIMITS.providerKeyChars)
  ) {
    return { refused: "key_length" };
  }
  const api = row.api ?? (address && usualApi(address.url));
  if (apiKey !== undefined && api !== undefined && !isKeyFor(api, apiKey)) return { refused: "key_kind" };
  const sealed = apiKey === undefined ? null : box.seal(apiKey, aadOf(row.provider));
  const values = [
    row.provider,
    row.api ?? null,
    address?.url ?? null,
    sealed,
    apiKey === undefined ? null : maskSecret(apiKey),
    row.modelId ?? null,
    row.models ? JSON.stringify(row.models) : null,
    row.dailyTokenLimit ?? null,
    row.dailyCostLimitCents ?? null,
    row.maxTurnsPerSession ?? null,
  ];

  return db.asRole("admin_rw", async (tx) => {
    await tx.query(ONE_WRITER);
    const [known] = await tx.query("SELECT FROM llm_config WHERE provider = $1", [row.provider]);
    if (known) {
      await tx.query(
        `UPDATE llm_config SET
           api = coalesce($2, api), base_url = coalesce($3, base_url), api_key_enc = coalesce($4, api_key_enc),
           api_key_hint = coalesce($5, api_key_hint), model_id = coalesce($6, model_id),
           models = CASE WHEN $11 THEN $7 ELSE models END, daily_token_limit = coalesce($8, daily_token_limit),
           daily_cost_limit_cents = coalesce($9, daily_cost_limit_cents),
           max_turns_per_session = coalesce($10, max_turns_per_session), updated_at = clock_timestamp()
         WHERE provider = $1`,
        [...values, row.models !== undefined],
      );
    } else {
      if (!address || !sealed || !row.modelId) return { refused: "incomplete" };
      await tx.query(
        `INSERT INTO llm_config (provider, api, base_url, api_key_enc, api_key_hint, model_id, models,
           daily_token_limit, daily_cost_limit_cents, max_turns_per_session, is_default)
         VALUES ($1, coalesce($2, $11), $3, $4, $5, $6, $7, coalesce($8, 0), coalesce($9, 0),
           coalesce($10, 0), NOT EXISTS (SELECT FROM llm_config))`,
        [...values, usualApi(address.url)],
      );
    }
    if (row.makeDefault) await makeDefault(tx, row.provider);
    return { created: !known };
  });
}

/** Every provider, by name, with its key masked. */
export function listProviders(db: Database): Promise<ProviderView[]> {
  return db.queryAs(
    "config_ro",
    `SELECT provider, api, base_url AS "baseUrl", api_key_hint AS "keyHint", model_id AS "modelId", models,
       is_default AS "isDefault", daily_token_limit AS "dailyTokenLimit",
       daily_cost_limit_cents AS "dailyCostLimitCents", max_turns_per_session AS "maxTurnsPerSession",
       updated_at AS "updatedAt"
     FROM llm_config ORDER BY provider`,
  );
}

/** Makes a provider the default; false, and nothing changed, when there is none of that name. */
export function setDefaultProvider(db: Database, provider: string): Promise<boolean> {
  return db.asRole("admin_rw", async (tx) => {
    await tx.query(ONE_WRITER);
    const [known] = await tx.query("SELECT FROM llm_config WHERE provider = $1", [provider]);
    if (known) await makeDefault(tx, provider);
    return known !== undefined;
  });
}

/** Leaves the providers as they are and none of them the default. */
export async function clearDefaultProvider(db: Database): Promise<void> {
  await db.queryAs("admin_rw", "UPDATE llm_config SET is_default = FALSE WHERE is_default");
}

/** Deletes a provider; null when there is none of that name. Deleting the default leaves the site without one. */
export async function deleteProvider(db: Database, provider: string): Promise<{ wasDefault: boolean } | null> {
  const [deleted] = await db.queryAs<{ wasDefault: boolean }>(
    "admin_rw",
    `DELETE FROM llm_config WHERE provider = $1 RETURNING is_default AS "wasDefault"`,
    [provider],
  );
  return deleted ?? null;
}

/**
 * The default provider with its key opened. Null: there is none. "undecryptable": its key was sealed with another
 * configuration key. "host_not_allowed": its address is no longer on the list. "unknown_api" and "key_kind": it came in
 * past the rules of `upsertProvider`.
 */
export async function loadDefaultProvider(
  db: Database,
  box: SecretBox,
  extraHosts: readonly string[],
): Promise<LlmProvider | null | "undecryptable" | "host_not_allowed" | "unknown_api" | "key_kind"> {
  const [row] = await db.queryAs<ProviderView & { sealed: Buffer }>(
    "config_ro",
    `SELECT provider, api, base_url AS "baseUrl", api_key_enc AS sealed, model_id AS "modelId", models,
       updated_at AS "updatedAt"
     FROM llm_config WHERE is_default`,
  );
  if (!row) return null;
  const address = checkProviderUrl(row.baseUrl, extraHosts);
  if (!address.ok) return "host_not_allowed";
  const { provider, api, modelId, models, updatedAt } = row;
  if (!isModelApi(api)) return "unknown_api";
  let apiKey: string;
  try {
    apiKey = box.open(row.sealed, aadOf(provider));
  } catch (error) {
    db.log.error("the default provider's key does not open", error);
    return "undecryptable";
  }
  if (!isKeyFor(api, apiKey)) return "key_kind";
  const facts = models?.find((model) => model.id === modelId);
  return {
    kind: "provider",
    provider,
    api,
    baseUrl: address.url,
    apiKey,
    modelId,
    contextWindow: facts?.contextWindow ?? LIMITS.unknownContextWindow,
    maxOutput: facts?.maxOutput ?? LIMITS.unknownMaxOutput,
    price: { ...FREE, ...facts?.price },
    updatedAt,
  };
}

/** Takes the mark from one row before it gives it to another: the unique index allows one at any moment. */
async function makeDefault(tx: Tx, provider: string): Promise<void> {
  await tx.query("UPDATE llm_config SET is_default = FALSE WHERE is_default AND provider <> $1", [provider]);
  await tx.query("UPDATE llm_config SET is_default = TRUE, updated_at = clock_timestamp() WHERE provider = $1", [
    provider,
  ]);
}
