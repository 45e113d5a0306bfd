/**
 * Claim: a statement under a role costs at most twice what the same statement costs plainly on the same pool settings.
 * The plain one runs as the superuser, since the application's login may run nothing without a role. One connection
 * each, one statement at a time, so that what is measured is the wire and the server, not a queue.
 */
import { Pool } from "pg";
import { openDatabase } from "../apps/api/database/pool.ts";
import { createTestDatabase } from "../tests/support/database.mts";
import { compare } from "./lib.mts";

// Short and many: a burst of other work on the machine spoils a few of them, not the median.
const STATEMENTS = 100;
const ROUNDS = 61;
const TEXT = "SELECT slug, name, description FROM notes_series WHERE category_slug = $1 ORDER BY sort_order";
const PARAMS = ["kernel"];

const database = await createTestDatabase();
const underRole = openDatabase(database.appUrl, { max: 1 });
const plain = new Pool({ connectionString: database.adminUrl, max: 1, pipeline: true });
try {
  const holds = await compare({
    name: "db-role",
    unit: "µs",
    rounds: ROUNDS,
    baseline: () => microsPerStatement(() => plain.query(TEXT, PARAMS)),
    measured: () => microsPerStatement(() => underRole.queryAs("content_ro", TEXT, PARAMS)),
    claim: { atMost: 2 },
  });
  process.exitCode = holds ? 0 : 1;
} finally {
  await underRole.close();
  await plain.end();
  await database.drop();
}

async function microsPerStatement(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  for (let n = 0; n < STATEMENTS; n++) await run();
  return ((performance.now() - start) * 1_000) / STATEMENTS;
}
