/**
 * Reads the folder of migrations and refuses one that could not be applied as a whole: a number that is missing or
 * there twice, a name that Encore would not take, a statement that cannot run inside a transaction.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Refusal } from "./refusal.mts";

const MIGRATIONS_FOLDER = join(import.meta.dirname, "../apps/api/database/migrations");

export interface Migration {
  version: number;
  name: string;
  sql: string;
}

/** All migrations of `folder`, by number. */
export async function readMigrations(folder: string = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  const files = await Promise.all(
    names.map(async (file) => {
      const match = /^(\d+)_([^.]+)\.up\.sql$/.exec(file);
      if (!match) throw new Refusal(`${file} is no migration.`, "Name it NNN_words.up.sql, or move it away.");
      const sql = await readFile(join(folder, file), "utf8");
      const offence = untransactional(sql);
      if (offence) throw new Refusal(`${file} says ${offence}, but runs inside a transaction.`, "Take it out.");
      return { version: Number(match[1]), name: match[2]!, sql };
    }),
  );
  files.sort((a, b) => a.version - b.version);
  files.forEach((file, index) => {
    if (file.version === index + 1) return;
    if (file.version === files[index - 1]?.version) {
      throw new Refusal(`Two migrations have the number ${file.version}.`, "Renumber the later one.");
    }
    throw new Refusal(`Migration ${index + 1} is missing.`, `Restore it, or renumber those from ${file.version} on.`);
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
