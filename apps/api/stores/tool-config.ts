/** The switches of tools. Which names mean anything, and which stay dangerous, is decided in code (§2.2). */
import type { Database } from "../database/pool";

/** Every tool that is switched on, by name. */
export async function enabledTools(db: Database): Promise<Map<string, { dangerous: boolean }>> {
  const rows = await db.queryAs<{ name: string; dangerous: boolean }>(
    "config_ro",
    "SELECT name, dangerous FROM tool_config WHERE enabled ORDER BY name",
  );
  return new Map(rows.map(({ name, dangerous }) => [name, { dangerous }]));
}

/** Switches a tool. Without `dangerous` a known row keeps its mark and a new one gets none. */
export async function setTool(db: Database, name: string, enabled: boolean, dangerous?: boolean): Promise<void> {
  await db.queryAs(
    "admin_rw",
    `INSERT INTO tool_config AS t (name, enabled, dangerous) VALUES ($1, $2, coalesce($3, FALSE))
     ON CONFLICT (name) DO UPDATE SET
       enabled = excluded.enabled, dangerous = coalesce($3, t.dangerous), updated_at = now()`,
    [name, enabled, dangerous ?? null],
  );
}
