/** The one write a model has on a session: its title, once (§7). The role can touch nothing but these two columns. */
import type { Database } from "../database/pool";

/** Names the session; false when the agent named it before, or when it is gone. `title` is already clean. */
export async function renameSession(db: Database, sessionId: string, title: string): Promise<boolean> {
  const renamed = await db.queryAs(
    "agent_title",
    `UPDATE sessions SET title = $2, title_source = 'agent'
     WHERE id = $1 AND title_source = 'derived' RETURNING id`,
    [sessionId, title],
  );
  return renamed.length > 0;
}
