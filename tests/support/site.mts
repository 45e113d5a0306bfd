/**
 * The whole site for a test over real HTTP: a fresh database, a local model server written in as the default provider,
 * and the application on the bundled host. `dump` is the database by value, to show that something changed nothing.
 */
import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { openDatabase } from "../../apps/api/database/pool.ts";
import { secretBox } from "../../apps/api/lib/secret-box.ts";
import { type LlmProviderWrite, llmProviders } from "../../apps/api/stores/llm-config.ts";
import { type AppOptions, type RunningApp, startApp } from "./app.mts";
import { type OwnServer, type TestDatabase, createTestDatabase } from "./database.mts";
import { type OpenAiServer, startOpenAiServer } from "./openai-server.mts";
import { Visitor } from "./visitor.mts";

/** Patience of a hook that starts a site: the first one of a run may have to make a database server. */
export const START_MS = 60_000;

export interface Site {
  app: RunningApp;
  database: TestDatabase;
  model: OpenAiServer;
  /** The provider's key, as the model server gets it. */
  apiKey: string;
  /** What seals keys in the database, base64. */
  configKey: string;
  /** A new browser, at an address when one is given. */
  visitor(address?: string): Visitor;
  /** Runs a statement as the superuser. */
  // biome-ignore lint/suspicious/noExplicitAny: a row is whatever the statement says.
  sql(text: string, params?: unknown[]): Promise<any[]>;
  /** Every row of every table as text, without the renewal times of visitors. */
  dump(): Promise<string[]>;
  /** Stops the application and starts it again on the same database. */
  restart(signal?: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
}

export interface SiteOptions extends Pick<AppOptions, "env" | "limits" | "strict"> {
  /** Fields of the provider row that differ from the usual ones; `null` leaves the site without a row. */
  provider?: Partial<LlmProviderWrite> | null;
  /** Where its database is made, instead of on the server that tests share. */
  server?: OwnServer;
  /** Puts something between the application and its database. */
  databaseUrl?(appUrl: string): string | Promise<string>;
}

export async function startSite(options: SiteOptions = {}): Promise<Site> {
  const { provider = {}, server, databaseUrl = (appUrl: string) => appUrl } = options;
  const { modelId = "qq-17x", apiKey = `mark0key0${randomBytes(12).toString("hex")}` } = provider ?? {};
  const [database, model] = await Promise.all([createTestDatabase(server), startOpenAiServer(modelId)]);
  const configKey = randomBytes(32).toString("base64");
  const admin = new Client({ connectionString: database.adminUrl });
  // The test may take its server away.
  admin.on("error", () => {});
  await admin.connect();
  if (provider !== null) {
    const db = openDatabase(database.appUrl);
    const row = { provider: "zz9gw", baseUrl: model.baseUrl, makeDefault: true, ...provider, modelId, apiKey };
    await llmProviders.upsert(db, secretBox(configKey), row, [model.host]);
    await db.close();
  }
  const connectionUrl = await databaseUrl(database.appUrl);
  const start = () =>
    startApp({
      databaseUrl: connectionUrl,
      limits: options.limits,
      strict: options.strict,
      env: { CONFIG_ENCRYPTION_KEY: configKey, XRAY_LLM_EXTRA_HOSTS: model.host, ...options.env },
    });
  const sql = async (text: string, params?: unknown[]) => (await admin.query(text, params)).rows;
  const site: Site = {
    app: await start(),
    database,
    model,
    apiKey,
    configKey,
    visitor: (address) => new Visitor(site.app.url, address),
    sql,
    dump: () => dumpOf(sql),
    restart: async (signal) => {
      await site.app.stop(signal);
      site.app = await start();
    },
    stop: async () => {
      await site.app.stop();
      await model.close();
      await admin.end();
      await database.drop();
    },
  };
  return site;
}

async function dumpOf(sql: Site["sql"]): Promise<string[]> {
  const tables = await sql("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1");
  const lines: string[] = [];
  for (const { name } of tables) {
    const rows = await sql(
      `SELECT (to_jsonb(t) - '{last_seen_at,expires_at}'::text[])::text AS line FROM ${name} t ORDER BY 1`,
    );
    lines.push(...rows.map(({ line }) => `${name} ${line}`));
  }
  return lines;
}
