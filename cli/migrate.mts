/**
 * Brings a database to the schema of this version, and tells where it stands.
 *
 * Works on golang-migrate's own table, so that Encore's migrations and ours are interchangeable: `schema_migrations`
 * holds one row, the latest version and whether it failed half-way. Each file and its version row are one transaction;
 * an advisory lock of ours lets one migration run at a time. Runs as the administrator, whose password the API never
 * sees, and leaves behind the login `xray_app`, which may SET ROLE to the product's roles and nothing else.
 */
import { Client, escapeIdentifier, escapeLiteral } from "pg";
import { ROLES } from "../apps/api/database/roles.ts";
import { type Migration, readMigrations } from "./migration-files.mts";
import { Refusal } from "./refusal.mts";

export const APP_LOGIN = "xray_app";

export interface MigrateOptions {
  /** Connection string of a user that may create tables and roles. */
  adminUrl: string;
  /** Password that `xray_app` gets. Without one the login is left alone, which suits Encore. */
  appPassword?: string;
  log?: (line: string) => void;
  /** Folder of `NNN_name.up.sql` files; the product's own by default. */
  folder?: string;
}

export interface MigrationStatus {
  /** 0 when nothing was applied yet. */
  version: number;
  dirty: boolean;
  pending: { version: number; name: string }[];
}

/** Any number that nothing else locks; advisory locks count per database. */
const LOCK = 7_250_921;

/** Applies what is missing, in order. Throws a `Refusal`. */
export async function migrate(options: MigrateOptions): Promise<{ applied: number[] }> {
  const { adminUrl, appPassword, log = () => {}, folder } = options;
  const files = await readMigrations(folder);
  return withAdmin(adminUrl, async (client) => {
    await client.query("SELECT pg_advisory_lock($1)", [LOCK]);
    await client.query(
      "CREATE TABLE IF NOT EXISTS public.schema_migrations (version BIGINT NOT NULL PRIMARY KEY, dirty BOOLEAN NOT NULL)",
    );
    const applied: number[] = [];
    for (const file of pendingOf(files, await readVersion(client))) {
      log(`migration ${file.version} ${file.name}`);
      await applyFile(client, file);
      applied.push(file.version);
    }
    if (appPassword !== undefined) await grantLogin(client, appPassword);
    return { applied };
  });
}

/** Reads where the database stands. Changes nothing, takes no lock. */
export async function migrationStatus(options: { adminUrl: string; folder?: string }): Promise<MigrationStatus> {
  const files = await readMigrations(options.folder);
  return withAdmin(options.adminUrl, async (client) => {
    await client.query("SET default_transaction_read_only = on");
    const state = await readVersion(client);
    const pending = files.filter((file) => file.version > state.version);
    return { ...state, pending: pending.map(({ version, name }) => ({ version, name })) };
  });
}

async function withAdmin<T>(adminUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: adminUrl, application_name: "agent-x-ray migrate" });
  // The server may end the connection between two statements; the next one then reports it.
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    throw new Refusal(
      `The database does not let the administrator in: ${reasonOf(error)}.`,
      "Check that it runs, and that DATABASE_URL is right.",
    );
  }
  try {
    const { rows } = await client.query("SELECT current_setting('server_version_num')::int AS version");
    if (rows[0].version < 160_000) {
      throw new Refusal("This Postgres is too old for the grants of roles.", "Use version 16 or newer.");
    }
    return await work(client);
  } finally {
    await client.end();
  }
}

async function readVersion(client: Client): Promise<{ version: number; dirty: boolean }> {
  const { rows: found } = await client.query("SELECT to_regclass('public.schema_migrations') IS NOT NULL AS there");
  if (!found[0].there) return { version: 0, dirty: false };
  const { rows } = await client.query("SELECT version::int AS version, dirty FROM public.schema_migrations");
  if (rows.length > 1) {
    throw new Refusal("The table schema_migrations holds several rows.", "Leave only the one of the latest version.");
  }
  return rows[0] ?? { version: 0, dirty: false };
}

/** The files above the database's version. Refuses a database that it cannot carry on from. */
function pendingOf(files: Migration[], state: { version: number; dirty: boolean }): Migration[] {
  const newest = files.at(-1)?.version ?? 0;
  if (state.dirty) {
    throw new Refusal(
      `Migration ${state.version} is marked as half done.`,
      "Restore a backup, or repair the schema by hand and set dirty to false in schema_migrations.",
    );
  }
  if (state.version > newest) {
    throw new Refusal(
      `The database is at version ${state.version}, this program knows up to ${newest}.`,
      "Run the newer program, or restore a backup of the older version.",
    );
  }
  return files.filter((file) => file.version > state.version);
}

async function applyFile(client: Client, file: Migration): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query(file.sql);
    await client.query("DELETE FROM public.schema_migrations");
    await client.query("INSERT INTO public.schema_migrations (version, dirty) VALUES ($1, false)", [file.version]);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw new Refusal(
      `Migration ${file.version} ${file.name} failed and changed nothing: ${reasonOf(error)}.`,
      "The administrator must be allowed to create tables and roles; else this is a fault of the program.",
    );
  }
}

/**
 * Creates or updates the login and its memberships. `INHERIT FALSE, SET TRUE` is the whole idea: a member may become
 * the role inside a transaction, and has none of its rights outside. Roles are shared by all databases of the cluster,
 * so a migration next door may write the same catalogue row; that collision is tried again.
 */
async function grantLogin(client: Client, password: string): Promise<void> {
  const attributes = `LOGIN NOINHERIT PASSWORD ${escapeLiteral(password)}`;
  const roles = Object.keys(ROLES).map(escapeIdentifier).join(", ");
  for (let attempt = 1; ; attempt++) {
    const { rows } = await client.query("SELECT rolsuper OR rolbypassrls AS mighty FROM pg_roles WHERE rolname = $1", [
      APP_LOGIN,
    ]);
    if (rows[0]?.mighty) {
      throw new Refusal(`A superuser named ${APP_LOGIN} exists in this cluster.`, "Rename it: the API must be no one.");
    }
    try {
      await client.query(
        `BEGIN; ${rows[0] ? "ALTER" : "CREATE"} ROLE ${APP_LOGIN} ${attributes};` +
          `GRANT ${roles} TO ${APP_LOGIN} WITH INHERIT FALSE, SET TRUE; COMMIT`,
      );
      return;
    } catch (error) {
      await client.query("ROLLBACK").catch(() => {});
      const collided = COLLISIONS.has((error as { code?: string }).code ?? "");
      if (collided && attempt < 10) continue;
      throw new Refusal(
        `The login ${APP_LOGIN} could not be set up: ${reasonOf(error)}.`,
        "The administrator must be allowed to create roles.",
      );
    }
  }
}

/** Row updated, key taken, role exists: another migration of the cluster was quicker. */
const COLLISIONS = new Set(["XX000", "23505", "42710"]);

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
}
