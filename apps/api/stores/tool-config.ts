/** The switches of tools. Which names mean anything, and which stay dangerous, is decided in code (§2.2). */
import type { Database } from "../database/pool";

export interface ToolSwitch {
  name: string;
  enabled: boolean;
  dangerous: boolean;
  note: string | null;
}
/** A field left out keeps its value. `note: null` clears it; a new row gets no mark and no note. */
export interface ToolSwitchWrite {
  name: string;
  enabled: boolean;
  dangerous?: boolean | undefined;
  note?: string | null | undefined;
}

const COLUMNS = "name, enabled, dangerous, note";

/** Every tool that is switched on, by name. */
export async function enabledTools(db: Database): Promise<Map<string, { dangerous: boolean }>> {
  const rows = await db.queryAs<{ name: string; dangerous: boolean }>(
    "config_ro",
    "SELECT name, dangerous FROM tool_config WHERE enabled ORDER BY name",
  );
  return new Map(rows.map(({ name, dangerous }) => [name, { dangerous }]));
}

/** Every switch, by name. */
export function listToolSwitches(db: Database): Promise<ToolSwitch[]> {
  return db.queryAs("config_ro", `SELECT ${COLUMNS} FROM tool_config ORDER BY name`);
}

/** Switches a tool. Returns the row as it was, undefined for a new one, and as it is. */
export function writeToolSwitch(
  db: Database,
  { name, enabled, dangerous, note }: ToolSwitchWrite,
): Promise<{ before: ToolSwitch | undefined; after: ToolSwitch }> {
  return db.asRole("admin_rw", async (tx) => {
    const [before] = await tx.query<ToolSwitch>(`SELECT ${COLUMNS} FROM tool_config WHERE name = $1 FOR UPDATE`, [
      name,
    ]);
    const [after] = await tx.query<ToolSwitch>(
      `INSERT INTO tool_config AS t (name, enabled, dangerous, note) VALUES ($1, $2, coalesce($3, FALSE), $4)
       ON CONFLICT (name) DO UPDATE SET enabled = excluded.enabled, dangerous = coalesce($3, t.dangerous),
         note = CASE WHEN $5 THEN $4 ELSE t.note END, updated_at = now()
       RETURNING ${COLUMNS}`,
      [name, enabled, dangerous ?? null, note ?? null, note !== undefined],
    );
    return { before, after: after! };
  });
}

/** Switches a tool. Without `dangerous` a known row keeps its mark and a new one gets none. */
export async function setTool(db: Database, name: string, enabled: boolean, dangerous?: boolean): Promise<void> {
  await writeToolSwitch(db, { name, enabled, dangerous });
}
