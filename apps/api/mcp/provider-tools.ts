/**
 * The four tools that every family of providers has (§21.3): list, write, choose the default, delete. A family brings its
 * own fields and words. A key goes in and never comes out; the mask is the store's.
 */
import { z } from "zod";
import { allowedHosts, type ProviderFamily } from "../../../shared/hosts";
import { LIMITS } from "../../../shared/limits";
import type { Database } from "../database/pool";
import { EXTRA_HOSTS, extraHostsOf } from "../lib/env";
import { PROVIDER_NAME } from "../stores/provider-fields";
import type { Judged, ProviderFault, ProviderRow, ProviderWrite, providerRows } from "../stores/provider-rows";
import { changed, defineTool, expectedRevision, revision, type Tool } from "./define-tool";
import { pageInput, pageOutput } from "./paging";
import { patchOf } from "./partial-update";
import { type Advice, advised, noSuch } from "./store-advice";

interface ProviderToolParts<Own extends object, Fault extends string> {
  /** Begins the tools' names, and names the hosts. */
  family: ProviderFamily;
  store: ReturnType<typeof providerRows<Own, Fault>>;
  /** What one is called, as in "a provider of models". */
  what: string;
  /** Input and output of the family's own fields. */
  input: z.ZodRawShape;
  output: z.ZodRawShape;
  /** Names of the family's own fields, for the descriptions. */
  ownFields: string;
  /** What a site without a default does, one sentence. */
  withoutDefault: string;
  faults: Record<Fault, string>;
}

const FAULTS: Record<ProviderFault, string> = {
  host_not_allowed: "Its host is not allowed (see allowedHosts); it is not used.",
  undecryptable:
    "Its key was sealed with another CONFIG_ENCRYPTION_KEY or changed; it is not used. Write the key again.",
};

/** Whoever puts a key in the place of a name must not find it in the audit: see `named` too. */
const provider = z
  .string()
  .regex(PROVIDER_NAME)
  .refine((name) => !name.startsWith("sk-"), "A provider's name does not begin with sk-; a key goes into apiKey.")
  .describe("Name of the row.");

export function providerTools<Own extends object, Fault extends string>(parts: ProviderToolParts<Own, Fault>): Tool[] {
  type Row = ProviderRow & Own;
  const { family, store, what } = parts;
  const faults: Record<string, string> = { ...FAULTS, ...parts.faults };
  const extraHosts = () => extraHostsOf(family);
  const rowFields = `provider, baseUrl, modelId, keyHint: mask of the key, ${parts.ownFields}, isDefault, updatedAt, revision, warnings`;
  const row = z.object({
    provider: z.string(),
    baseUrl: z.string(),
    modelId: z.string(),
    keyHint: z.string(),
    ...parts.output,
    isDefault: z.boolean(),
    updatedAt: z.string(),
    revision,
    warnings: z.array(z.string()),
  });
  type Shown = z.input<typeof row>;

  const fields = {
    apiKey: z
      .string()
      .max(LIMITS.providerKeyChars)
      .optional()
      .describe(`${LIMITS.providerKeyMinChars} characters at least. Leave out to keep the key; a mask is refused.`),
    baseUrl: z.string().max(LIMITS.providerUrlChars).optional().describe("https, one of allowedHosts."),
    modelId: z.string().max(LIMITS.modelIdChars).optional(),
    ...parts.input,
    makeDefault: z.boolean().optional().describe("false leaves the default where it is."),
  };

  const list = defineTool({
    name: `${family}_providers_list`,
    title: `List ${what}`,
    description: `By name: providers (${rowFields}), default: name of the one in use or null, allowedHosts, total, nextCursor.`,
    effect: "read",
    input: z.strictObject({ ...pageInput }),
    output: z.object({
      providers: z.array(row),
      defaultProvider: z.string().nullable(),
      allowedHosts: z.array(z.string()),
      ...pageOutput,
    }),
    async run({ db, box, page }) {
      const hosts = extraHosts();
      const all = await store.inspect(db, box, hosts);
      const { rows, ...rest } = page(all.map(shown), (it) => it.provider);
      const defaultProvider = all.find((it) => it.row.isDefault)?.row.provider ?? null;
      return { providers: rows, defaultProvider, allowedHosts: allowedHosts(family, hosts), ...rest };
    },
  });

  const upsert = defineTool({
    name: `${family}_provider_upsert`,
    title: `Write one of ${what}`,
    description:
      "Creates a provider, or changes the given fields of one. A new one needs apiKey, baseUrl and modelId; the first becomes the default. 0 is no limit. Returns provider (as the list gives it), changed, created.",
    effect: "set",
    input: z.strictObject({ provider, ...fields, expectedRevision }),
    output: z.object({ provider: row, changed, created: z.boolean() }),
    summary: (args) =>
      `${named(args.provider)}: ${Object.keys(args)
        .filter((name) => name in fields)
        .join(", ")}`,
    async run({ db, box, args }) {
      const patch = patchOf(args as Record<keyof typeof fields, unknown>, fields);
      const write = { ...patch, provider: args.provider, expectedRevision: args.expectedRevision };
      const written = await advised(store.upsert(db, box, write as unknown as ProviderWrite<Own>, extraHosts()), {
        invalid: ({ facts }) =>
          facts.field === "baseUrl" && facts.allowed
            ? { retry: `Use one of these hosts, or have yours added to ${EXTRA_HOSTS[family]} on the server.` }
            : {},
        required: () => ({ retry: `${family}_providers_list gives the names of those that exist.` }),
      });
      return { provider: shown(written), changed: written.changed, created: written.created };
    },
  });

  const setDefault = defineTool({
    name: `${family}_set_default`,
    title: `Choose among ${what}`,
    description:
      "Makes a provider the one in use, from the next message of each visitor on. Returns provider (as the list gives it) and changed.",
    effect: "set",
    input: z.strictObject({ provider, expectedRevision }),
    output: z.object({ provider: row, changed }),
    summary: (args) => named(args.provider),
    async run({ db, box, args }) {
      const written = await advised(store.setDefault(db, box, args, extraHosts()), unknownProvider(db));
      return { provider: shown(written), changed: written.changed };
    },
  });

  const remove = defineTool({
    name: `${family}_provider_delete`,
    title: `Delete one of ${what}`,
    description:
      "Deletes a provider and its key. Deleting the default is allowed and leaves none in use. Returns deleted: its name, wasDefault, changed, warnings.",
    effect: "destroy",
    input: z.strictObject({ provider, expectedRevision }),
    output: z.object({
      deleted: z.string(),
      wasDefault: z.boolean(),
      changed,
      warnings: z.array(z.string()),
    }),
    summary: (args) => named(args.provider),
    async run({ db, args }) {
      const { row: gone, changed } = await advised(store.remove(db, args), unknownProvider(db));
      const warnings = gone.isDefault ? [`${parts.withoutDefault} ${family}_set_default chooses another.`] : [];
      return { deleted: gone.provider, wasDefault: gone.isDefault, changed, warnings };
    },
  });

  return [list, upsert, setDefault, remove];

  function shown({ row: it, fault }: Judged<Row, Fault>): Shown {
    return { ...it, warnings: fault === null ? [] : [faults[fault]] } as unknown as Shown;
  }

  function unknownProvider(db: Database): Advice {
    return noSuch("provider", "provider", async () => (await store.list(db)).map((it) => it.provider));
  }
}

/** A name as the audit has it: a long one is cut to less than a key could be. */
function named(name: string): string {
  return name.length > AUDITED_CHARS ? `${name.slice(0, AUDITED_CHARS / 2)}…` : name;
}

const AUDITED_CHARS = 24;
