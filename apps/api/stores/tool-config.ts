/** The switches of tools. Which names mean anything, and which stay dangerous, is decided in code (§2.2). */
import { LIMITS } from "../../../shared/limits";
import type { Database } from "../database/pool";
import { lineField } from "./owner-fields";
import { changeRow, type Expected, patched, type Written } from "./owner-write";
import { type Revised, revised, revisionOf } from "./revision";

export interface ToolSwitch {
  name: string;
  enabled: boolean;
  dangerous: boolean;
  note: string | null;
}
/** A field left out keeps its value. `note: null` clears it; a new row gets no mark and no note. */
export interface ToolSwitchWrite extends Expected {
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
export async function listToolSwitches(db: Database): Promise<Revised<ToolSwitch>[]> {
  const rows = await db.queryAs<ToolSwitch>("config_ro", `SELECT ${COLUMNS} FROM tool_config ORDER BY name`);
  return rows.map(revised);
}

/** Switches a tool; a name that has no row gets one. */
export function writeToolSwitch(db: Database, write: ToolSwitchWrite): Promise<Written<ToolSwitch>> {
  const { name, expectedRevision, ...fields } = write;
  return changeRow<ToolSwitch>(db, {
    key: ["tool_config", name],
    expectedRevision,
    async read(tx) {
      const [row] = await tx.query<ToolSwitch>(`SELECT ${COLUMNS} FROM tool_config WHERE name = $1`, [name]);
      return row ?? null;
    },
    async write(tx, current) {
      const row = patched(current ?? { name, enabled: false, dangerous: false, note: null }, fields);
      if (row.note !== null) row.note = lineField("note", row.note, LIMITS.toolNoteChars);
      if (current !== null && revisionOf(row) === revisionOf(current)) return false;
      await tx.query(
        `INSERT INTO tool_config (name, enabled, dangerous, note) VALUES ($1, $2, $3, $4)
         ON CONFLICT (name) DO UPDATE SET enabled = excluded.enabled, dangerous = excluded.dangerous,
           note = excluded.note, updated_at = now()`,
        [name, row.enabled, row.dangerous, row.note],
      );
      return true;
    },
  });
}

/** Switches a tool. Without `dangerous` a known row keeps its mark and a new one gets none. */
export async function setTool(db: Database, name: string, enabled: boolean, dangerous?: boolean): Promise<void> {
  await writeToolSwitch(db, { name, enabled, dangerous });
}
