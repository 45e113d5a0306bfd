/**
 * How the owner's writes are made: one transaction as `admin_rw`, one writer a row at a time, the expected revision
 * compared under that lock, and nothing written where nothing differs.
 */
import type { Database, Tx } from "../database/pool";
import { expectRevision, type Revised, revised } from "./revision";
import { StoreRefusal } from "./store-refusal";

export interface Expected {
  /** Revision of the row as the writer read it; absent: whatever is there. */
  expectedRevision?: string;
}

/** The row after the write (as it was, for a deletion), and whether the write changed anything. */
export interface Written<Row> {
  row: Revised<Row>;
  changed: boolean;
}

interface Change<Row> extends Expected {
  /** Names the row among all rows of all tables. */
  key: readonly string[];
  read(tx: Tx): Promise<Row | null>;
  /** Makes the change and says whether there was one. Throws a `StoreRefusal` to make none. */
  write(tx: Tx, current: Row | null): Promise<boolean>;
}

/** Creates or changes one row. */
export async function changeRow<Row extends object>(db: Database, change: Change<Row>): Promise<Written<Row>> {
  return db.asRole("admin_rw", async (tx) => {
    const current = await lockedRow(tx, change);
    const changed = await change.write(tx, current);
    const row = changed ? await change.read(tx) : current;
    return { row: revised(row!), changed };
  });
}

/** Deletes one row. Throws `not_found` when there is none. */
export async function deleteRow<Row extends object>(
  db: Database,
  change: Omit<Change<Row>, "write"> & { remove(tx: Tx, current: Row): Promise<void> },
): Promise<Written<Row>> {
  return db.asRole("admin_rw", async (tx) => {
    const current = await lockedRow(tx, change);
    if (current === null) throw new StoreRefusal("not_found");
    await change.remove(tx, current);
    return { row: revised(current), changed: true };
  });
}

/** The lock is on the row's name, so that two writers of a row which is not there yet wait for each other too. */
async function lockedRow<Row extends object>(
  tx: Tx,
  { key, read, expectedRevision }: Omit<Change<Row>, "write">,
): Promise<Row | null> {
  await lock(tx, key);
  const row = await read(tx);
  expectRevision(row, expectedRevision);
  return row;
}

/** Held to the end of the transaction; everyone else who asks for the same key waits. */
export async function lock(tx: Tx, key: readonly string[]): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [JSON.stringify(key)]);
}

/** What a write leaves out stays as it is. `undefined` is left out; null is a value. */
export function patched<Row extends object>(row: Row, patch: Partial<Row>): Row {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  return { ...row, ...Object.fromEntries(given) };
}
