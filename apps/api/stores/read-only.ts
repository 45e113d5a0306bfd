/** The database for whoever may only read: whatever the role of a transaction allows, this one writes nothing. */
import type { Database } from "../database/pool";

export function readOnly(db: Database): Database {
  const asRole: Database["asRole"] = (role, work, options) =>
    db.asRole(
      role,
      async (tx) => {
        // Sent ahead of the work's first statement and not waited for: should it fail, so does everything after it.
        const [, result] = await Promise.all([tx.query("SET TRANSACTION READ ONLY"), work(tx)]);
        return result;
      },
      options,
    );
  return { ...db, asRole, queryAs: (role, text, params) => asRole(role, (tx) => tx.query(text, params)) };
}
