/**
 * Reads the folder of migrations and refuses one that could not be applied as a whole: a number that is missing or
 * there twice, a name that Encore would not take, a statement that cannot run inside a transaction.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export const MIGRATIONS_FOLDER = join(import.meta.dirname, "../apps/api/database/migrations");

export interface Migration {
  version: number;
  name: string;
  sql: string;
}

/** A sentence for the operator: what is wrong and what to do. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/** All migrations of `folder`, by number. */
export async function readMigrations(folder: string = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  const files = await Promise.all(
    names.map(async (file) => {
      const match = /^(\d+)_([^.]+)\.up\.sql$/.exec(file);
      if (!match) throw new MigrationError(`${file} is no migration: its name must be NNN_words.up.sql.`);
      const sql = await readFile(join(folder, file), "utf8");
      const offence = untransactional(sql);
      if (offence) throw new MigrationError(`${file} says ${offence}, which cannot run inside its transaction.`);
      return { version: Number(match[1]), name: match[2]!, sql };
    }),
  );
  files.sort((a, b) => a.version - b.version);
  files.forEach((file, index) => {
    if (file.version === index + 1) return;
    const twice = file.version === files[index - 1]?.version;
    throw new MigrationError(
      twice
        ? `Two migrations have the number ${file.version}. Renumber the later one.`
        : `Migration ${index + 1} is missing: the next file is ${file.version}_${file.name}.`,
    );
  });
  return files;
}

const REFUSED =
  /^(BEGIN|START\s+TRANSACTION|COMMIT|ROLLBACK|END|SAVEPOINT|RELEASE|ABORT|VACUUM|REINDEX|CLUSTER|(?:CREATE|DROP)\s+(?:DATABASE|TABLESPACE)|ALTER\s+SYSTEM|(?:CREATE(?:\s+UNIQUE)?|DROP)\s+INDEX\s+CONCURRENTLY|CREATE\s+SUBSCRIPTION)\b/i;

/** The first statement that would end the transaction or be refused in one, or undefined. */
export function untransactional(sql: string): string | undefined {
  // Without comments and quoted texts (function bodies too), a semicolon ends a statement.
  const bare = sql.replace(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$/g, " ");
  for (const statement of bare.split(";")) {
    const found = REFUSED.exec(statement.trim());
    if (found) return found[1]!.toUpperCase().replace(/\s+/g, " ");
  }
  return undefined;
}
