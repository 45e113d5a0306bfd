/** `./xray migrate`: brings the database of this site, or the one in `DATABASE_URL`, to this version's schema. */
import type { Words } from "../args.mts";
import { withDatabase } from "../database.mts";
import { migrate, migrationStatus } from "../migrate.mts";
import { pathsOf } from "../paths.mts";
import { mintSecrets } from "../secrets.mts";

/** Exit 1 when `--status` finds something to do. */
export default async function run(words: Words): Promise<number> {
  const paths = pathsOf();
  return await withDatabase(paths, async (adminUrl) => {
    if (words.has("status")) {
      const { version, dirty, pending } = await migrationStatus({ adminUrl });
      say(`The database is at version ${version}${dirty ? ", and that migration is marked as half done" : ""}.`);
      for (const { version: number, name } of pending) say(`  missing: ${number} ${name}`);
      if (pending.length === 0 && !dirty) say("Nothing is missing.");
      return pending.length === 0 && !dirty ? 0 : 1;
    }
    const { applied } = await migrate({
      adminUrl,
      appPassword: mintSecrets(paths.secrets).postgresAppPassword,
      log: say,
    });
    say(applied.length > 0 ? `Applied ${applied.length}.` : "Nothing to do: the database is up to date.");
    return 0;
  });
}

function say(line: string): void {
  process.stdout.write(`  ${line}\n`);
}
