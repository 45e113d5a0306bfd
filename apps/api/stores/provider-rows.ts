/**
 * Rows that name an outside service and hold its key: one shape for the three families, which stay apart in their tables,
 * their keys and their hosts (§23). A key goes in encrypted, bound to table and name, and comes out only to
 * `loadDefault`; everything else sees its mask. An address is checked when it is written and again when it is used, since
 * the list of hosts may have become shorter in between, or a row have come in by SQL.
 */
import { checkProviderUrl, type ProviderFamily as HostFamily } from "../../../shared/hosts";
import { LIMITS } from "../../../shared/limits";
import type { Database, Tx } from "../database/pool";
import { maskSecret, type SecretBox } from "../lib/secret-box";
import { lineField, needed } from "./owner-fields";
import { changeRow, deleteRow, type Expected, patched, type Written } from "./owner-write";
import {
  addressField,
  checkKey,
  checkName,
  maskedKey,
  masks,
  opened,
  refuseKeyIn,
  refuseMovedKey,
  sealed,
} from "./provider-fields";
import { type Revised, revised, revisionOf } from "./revision";
import { StoreRefusal } from "./store-refusal";

/** What every provider has, whatever it is for. */
export interface ProviderRow {
  provider: string;
  baseUrl: string;
  /** Mask of the key. */
  keyHint: string;
  modelId: string;
  isDefault: boolean;
  /** Changes with every write, also of the key alone. */
  updatedAt: string;
}
/** A field left out keeps its value; a new row needs `apiKey`, `baseUrl` and `modelId`. */
export type ProviderWrite<Own> = Expected & { [Field in keyof Own]?: Own[Field] | undefined } & {
  provider: string;
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
  modelId?: string | undefined;
  /** False leaves the default where it is. */
  makeDefault?: boolean | undefined;
};

/** Why a stored row cannot be used. */
export type ProviderFault = "host_not_allowed" | "undecryptable";

/** A row with what is wrong with it; null when it can be used. */
export interface Judged<Row, Fault> {
  row: Revised<Row>;
  fault: Fault | ProviderFault | null;
}

interface ProviderFamily<Own extends object, Fault extends string> {
  table: "llm_config" | "websearch_config" | "imagegen_config";
  hosts: HostFamily;
  /** The column of each field of its own. */
  columns: { [Field in keyof Own]: string };
  /** Values of a new row that says nothing of them; `url` is in normal form. */
  fresh(url: string): Own;
  /** Throws a `StoreRefusal` for what must not be stored; `apiKey` is there only when it is written. */
  check(row: Own, apiKey: string | undefined): void;
  /** A fault that only this family can have. */
  faultOf?(row: Own, apiKey: string): Fault | undefined;
}

const COMMON = {
  provider: "provider",
  baseUrl: "base_url",
  keyHint: "api_key_hint",
  modelId: "model_id",
  isDefault: "is_default",
  updatedAt: "updated_at",
} as const satisfies { [Field in keyof ProviderRow]: string };

/** The store of one family. */
export function providerRows<Own extends object, Fault extends string = never>(family: ProviderFamily<Own, Fault>) {
  type Row = ProviderRow & Own;
  type Sealed = { row: Row; sealed: Buffer };
  const { table } = family;
  const columns = Object.entries({ ...COMMON, ...family.columns }) as [keyof Row & string, string][];
  const selected = columns.map(([field, column]) => `${column} AS "${field}"`).join(", ");
  const aadOf = (provider: string) => `${table}:${provider}`;

  async function read(tx: Tx, where: string, values: readonly unknown[] = []): Promise<Sealed[]> {
    const found = await tx.query<Row & { sealed: Buffer }>(
      `SELECT ${selected}, api_key_enc AS sealed FROM ${table} ${where}`,
      values,
    );
    return found.map(({ sealed, ...row }) => ({ row: row as unknown as Row, sealed }));
  }

  /** The row's key, its address in normal form, or why it cannot be used. */
  function open({ row, sealed }: Sealed, box: SecretBox, extraHosts: readonly string[]) {
    const address = checkProviderUrl(row.baseUrl, family.hosts, extraHosts);
    if (!address.ok) return "host_not_allowed" as const;
    const apiKey = opened(box, sealed, aadOf(row.provider));
    if (apiKey === undefined) return "undecryptable" as const;
    return family.faultOf?.(row, apiKey) ?? { url: address.url, apiKey };
  }

  function judged(found: Sealed, box: SecretBox, extraHosts: readonly string[]): Judged<Row, Fault> {
    const use = open(found, box, extraHosts);
    return { row: revised(found.row), fault: typeof use === "string" ? use : null };
  }

  /** A write of one row that says afterwards whether the row can be used. All writers of a table wait for each other. */
  async function change(
    db: Database,
    box: SecretBox,
    extraHosts: readonly string[],
    write: Expected & { provider: string },
    make: (tx: Tx, current: Sealed | undefined) => Promise<boolean>,
  ): Promise<Written<Row> & Judged<Row, Fault>> {
    let current: Sealed | undefined;
    const written = await changeRow<Row>(db, {
      key: [table],
      expectedRevision: write.expectedRevision,
      async read(tx) {
        [current] = await read(tx, "WHERE provider = $1", [write.provider]);
        return current?.row ?? null;
      },
      write: (tx) => make(tx, current),
    });
    return { ...written, fault: judged(current!, box, extraHosts).fault };
  }

  async function passDefault(tx: Tx, provider: string): Promise<void> {
    // Taken from one row before it is given to another: the unique index allows one at any moment.
    await tx.query(`UPDATE ${table} SET is_default = FALSE WHERE is_default AND provider <> $1`, [provider]);
  }

  return {
    /** Every provider, by name. */
    async list(db: Database): Promise<Row[]> {
      const rows = await read(asReader(db), "ORDER BY provider");
      return rows.map(({ row }) => row);
    },

    /** The same, each with its revision and with what is wrong with it. */
    async inspect(db: Database, box: SecretBox, extraHosts: readonly string[]): Promise<Judged<Row, Fault>[]> {
      const rows = await read(asReader(db), "ORDER BY provider");
      return rows.map((found) => judged(found, box, extraHosts));
    },

    /** Creates or changes a provider. The first one becomes the default. Throws a `StoreRefusal` and writes nothing. */
    async upsert(db: Database, box: SecretBox, write: ProviderWrite<Own>, extraHosts: readonly string[]) {
      const { provider, apiKey, baseUrl, modelId, makeDefault, expectedRevision: _, ...own } = write;
      checkName(provider);
      const url = baseUrl === undefined ? undefined : addressField(baseUrl, family.hosts, extraHosts);
      if (apiKey !== undefined) checkKey(apiKey);
      const model = modelId === undefined ? undefined : lineField("modelId", modelId, LIMITS.modelIdChars, 1);
      refuseKeyIn("baseUrl", url, apiKey);
      refuseKeyIn("modelId", model, apiKey);
      let created = false;
      const written = await change(db, box, extraHosts, write, async (tx, current) => {
        created = current === undefined;
        if (apiKey !== undefined && current && masks(apiKey, current.row.keyHint)) throw maskedKey();
        if (current && url && apiKey === undefined) refuseMovedKey(url, current.row.baseUrl);
        const before = current?.row ?? newRow(provider, url, apiKey, model);
        const next = { ...patched<Row>(before, own as Partial<Row>), ...(url && { baseUrl: url }) };
        if (model !== undefined) next.modelId = model;
        family.check(next, apiKey);
        const sameKey =
          current !== undefined && (apiKey === undefined || opened(box, current.sealed, aadOf(provider)) === apiKey);
        const [other] = await tx.query(`SELECT FROM ${table} LIMIT 1`);
        next.isDefault ||= makeDefault === true || other === undefined;
        if (sameKey && revisionOf(next) === revisionOf(current.row)) return false;
        if (!sameKey) next.keyHint = maskSecret(apiKey!);
        if (next.isDefault) await passDefault(tx, provider);
        await store(tx, next, sameKey ? current.sealed : sealed(box, apiKey!, aadOf(provider)));
        return true;
      });
      return { ...written, created };
    },

    /** Makes a provider the default. Throws `not_found`. */
    setDefault(db: Database, box: SecretBox, write: Expected & { provider: string }, extraHosts: readonly string[]) {
      return change(db, box, extraHosts, write, async (tx, current) => {
        if (!current) throw new StoreRefusal("not_found", { field: "provider" });
        if (current.row.isDefault) return false;
        await passDefault(tx, write.provider);
        await tx.query(`UPDATE ${table} SET is_default = TRUE, updated_at = clock_timestamp() WHERE provider = $1`, [
          write.provider,
        ]);
        return true;
      });
    },

    /** Leaves the providers as they are and none of them the default. */
    async clearDefault(db: Database): Promise<void> {
      await db.queryAs("admin_rw", `UPDATE ${table} SET is_default = FALSE WHERE is_default`);
    },

    /** Deletes a provider and its key. Deleting the default leaves the family without one. Throws `not_found`. */
    remove(db: Database, { provider, ...expected }: Expected & { provider: string }): Promise<Written<Row>> {
      return deleteRow<Row>(db, {
        key: [table],
        ...expected,
        read: async (tx) => (await read(tx, "WHERE provider = $1", [provider]))[0]?.row ?? null,
        remove: async (tx) => void (await tx.query(`DELETE FROM ${table} WHERE provider = $1`, [provider])),
      });
    },

    /** The default provider with its key opened and its address in normal form; null when there is none. */
    async loadDefault(
      db: Database,
      box: SecretBox,
      extraHosts: readonly string[],
    ): Promise<(Row & { apiKey: string }) | null | Fault | ProviderFault> {
      const [found] = await read(asReader(db), "WHERE is_default");
      if (!found) return null;
      const use = open(found, box, extraHosts);
      if (typeof use !== "string") return { ...found.row, baseUrl: use.url, apiKey: use.apiKey };
      if (use === "undecryptable") db.log.error(`the key of the default in ${table} does not open`);
      return use;
    },
  };

  function newRow(provider: string, url?: string, apiKey?: string, modelId?: string): Row {
    needed("apiKey", apiKey);
    const baseUrl = needed("baseUrl", url);
    const common = { provider, baseUrl, keyHint: "", modelId: needed("modelId", modelId), isDefault: false };
    return { ...common, updatedAt: "", ...family.fresh(baseUrl) };
  }

  async function store(tx: Tx, row: Row, sealed: Buffer): Promise<void> {
    const written = columns.filter(([field]) => field !== "updatedAt");
    const names = [...written.map(([, column]) => column), "api_key_enc"];
    const values = [...written.map(([field]) => asParameter(row[field])), sealed];
    await tx.query(
      `INSERT INTO ${table} (${names.join(", ")}, updated_at)
       VALUES (${names.map((_, index) => `$${index + 1}`).join(", ")}, clock_timestamp())
       ON CONFLICT (provider) DO UPDATE SET
         ${names.map((name) => `${name} = excluded.${name}`).join(", ")}, updated_at = excluded.updated_at`,
      values,
    );
  }
}

/** Single statements, each in one round trip: the default is read before every turn. */
function asReader(db: Database): Tx {
  return { query: (text, params) => db.queryAs("config_ro", text, params) };
}

/** A list is a jsonb value, which travels as text. */
function asParameter(value: unknown): unknown {
  return Array.isArray(value) ? JSON.stringify(value) : value;
}
