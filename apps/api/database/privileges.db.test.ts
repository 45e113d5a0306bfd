/**
 * Who may do what, as one table, compared to what the server says for every role, every table, every column and every
 * privilege. A grant that is missing or one too many fails here. Then the walls are tried for real (§2.5, A3).
 */
import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { databaseForFile } from "../../../tests/support/database-for-file.mts";
import type { DatabaseError } from "./database-error";
import { type Role, ROLES } from "./roles";

const READ = "SELECT";
const WRITE = "SELECT INSERT UPDATE DELETE";

/** role → table → privileges, with columns in parentheses where only they are open. Whatever is not here is closed. */
const GRANTS: Record<Role, Record<string, string>> = {
  agent_ro: {
    notes_categories: READ,
    notes_chapters: READ,
    notes_series: READ,
    source_files: READ,
    source_snapshots: READ,
  },
  agent_title: { sessions: "SELECT(id,title,title_source) UPDATE(title,title_source)" },
  agent_image: { generated_images: "INSERT" },
  visitor_rw: {
    daily_quota: "SELECT INSERT UPDATE",
    generated_images: READ,
    messages: "SELECT INSERT DELETE",
    sessions: "SELECT INSERT DELETE UPDATE(last_active_at,title,total_tokens)",
    trace_events: "SELECT INSERT",
    visitors: "SELECT INSERT UPDATE(expires_at,last_seen_at)",
  },
  trace_ro: {
    sessions: "SELECT(id,visitor_id)",
    trace_events: READ,
    visitors: "SELECT(expires_at,id,token_hash)",
  },
  content_ro: {
    about_content: READ,
    notes_assets: READ,
    notes_categories: READ,
    notes_chapters: READ,
    notes_series: READ,
    site_tab_config: READ,
    skill_files: READ,
    skills: READ,
    skills_categories: READ,
    source_files: READ,
    source_snapshots: READ,
  },
  config_ro: {
    imagegen_config: READ,
    llm_config: READ,
    sandbox_config: READ,
    tool_config: READ,
    visitor_limits: READ,
    websearch_config: READ,
  },
  metrics_w: {
    notes_chapters: "SELECT(series_slug,slug)",
    notes_series: "SELECT(slug)",
    skills: "SELECT(name)",
    visits: "INSERT SELECT(day,hits,path,visitor) UPDATE(hits,last_at)",
  },
  admin_rw: {
    about_content: WRITE,
    daily_quota: READ,
    imagegen_config: WRITE,
    llm_config: WRITE,
    mcp_audit: "INSERT SELECT",
    messages: "SELECT(created_at,outcome,role,seq,session_id)",
    notes_assets: WRITE,
    notes_categories: WRITE,
    notes_chapters: WRITE,
    notes_series: WRITE,
    sandbox_config: WRITE,
    sessions: "SELECT(created_at,id)",
    site_tab_config: WRITE,
    skill_files: WRITE,
    skills: WRITE,
    skills_categories: WRITE,
    source_files: WRITE,
    source_snapshots: WRITE,
    tool_config: WRITE,
    visitor_limits: "SELECT UPDATE",
    websearch_config: WRITE,
    visits: READ,
  },
  purge: {
    daily_quota: "DELETE SELECT(day)",
    mcp_audit: "DELETE INSERT SELECT(at,id)",
    sessions: "DELETE SELECT(id,last_active_at,visitor_id)",
    source_snapshots: "DELETE SELECT(created_at,sha,status)",
    visitors: "DELETE SELECT(expires_at,id)",
    visits: "DELETE SELECT(day,path,visitor)",
  },
};

const ON_TABLES = ["SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER", "MAINTAIN"];
const ON_COLUMNS = ["SELECT", "INSERT", "UPDATE", "REFERENCES"];

const opened = databaseForFile();

/** What the server grants a role, written as the table above writes it. */
async function grantsOf(role: string): Promise<Record<string, string>> {
  const { rows } = await opened.admin.query<{ name: string; whole: string[]; partly: string[] }>(
    `SELECT t.relname AS name,
       ARRAY(SELECT p FROM unnest($2::text[]) p WHERE has_table_privilege($1, t.oid, p)) AS whole,
       ARRAY(
         SELECT p || '(' || string_agg(a.attname, ',' ORDER BY a.attname) || ')'
         FROM unnest($3::text[]) WITH ORDINALITY AS c(p, place), pg_attribute a
         WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
           AND has_column_privilege($1, t.oid, a.attnum, p) AND NOT has_table_privilege($1, t.oid, p)
         GROUP BY p, place ORDER BY place
       ) AS partly
     FROM pg_class t WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p', 'v', 'm', 'f')
     ORDER BY t.relname`,
    [role, ON_TABLES, ON_COLUMNS],
  );
  const open = rows.filter(({ whole, partly }) => whole.length + partly.length > 0);
  return Object.fromEntries(open.map(({ name, whole, partly }) => [name, sorted([...whole, ...partly])]));
}

function sorted(privileges: string[]): string {
  return [...privileges].sort().join(" ");
}

describe("the matrix of roles and tables", () => {
  for (const role of Object.keys(ROLES) as Role[]) {
    test(`${role} may do what the table says, and nothing else`, async () => {
      const expected = Object.entries(GRANTS[role]).map(([table, text]) => [table, sorted(text.split(" "))]);
      expect(await grantsOf(role)).toEqual(Object.fromEntries(expected));
    });
  }

  test("the login and the public may do nothing", async () => {
    expect(await grantsOf("xray_app")).toEqual({});
    expect(await grantsOf("public")).toEqual({});
  });

  test("a grant too many would be seen", async () => {
    await opened.admin.query("BEGIN; GRANT UPDATE (content) ON messages TO agent_ro");
    expect(await grantsOf("agent_ro")).toHaveProperty("messages", "UPDATE(content)");
    await opened.admin.query("ROLLBACK");
  });

  test("no role can create in the schema, use a sequence, run a function of ours or inherit another role", async () => {
    const { rows } = await opened.admin.query(
      `SELECT rolname FROM pg_roles r WHERE rolname = ANY($1) AND (
         has_schema_privilege(oid, 'public', 'CREATE') OR rolcanlogin OR rolsuper OR rolcreaterole OR rolbypassrls
         OR EXISTS (SELECT FROM pg_auth_members m WHERE m.member = r.oid)
         OR EXISTS (SELECT FROM pg_class s WHERE s.relnamespace = 'public'::regnamespace
                    AND CASE s.relkind WHEN 'S' THEN has_sequence_privilege(r.oid, s.oid, 'USAGE') ELSE FALSE END))
       UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
       UNION ALL SELECT defaclrole::regrole::text FROM pg_default_acl`,
      [Object.keys(ROLES)],
    );
    expect(rows).toEqual([]);
  });

  test("001_roles creates exactly the roles of the code, and the login may become each without inheriting any", async () => {
    const { rows } = await opened.admin.query(
      `SELECT roleid::regrole::text AS role, inherit_option AS inherits, set_option AS becomes, admin_option AS admin
       FROM pg_auth_members WHERE member = 'xray_app'::regrole ORDER BY 1`,
    );
    const wanted = Object.keys(ROLES).sort();
    expect(rows).toEqual(wanted.map((role) => ({ role, inherits: false, becomes: true, admin: false })));
  });
});

describe("the walls, tried", () => {
  const NOTES = ["notes_categories", "notes_series", "notes_chapters"];
  const CLOSED_TO_READERS = [
    "llm_config",
    "websearch_config",
    "imagegen_config",
    "tool_config",
    "sandbox_config",
    "notes_assets",
    "skills_categories",
    "skills",
    "skill_files",
    "about_content",
    "site_tab_config",
    "generated_images",
    "daily_quota",
    "mcp_audit",
    "sessions",
    "messages",
    "trace_events",
    "visitors",
    "schema_migrations",
  ];

  /** The code of the error, or "allowed". */
  async function tryAs(role: Role, statement: string, params: unknown[] = []): Promise<string> {
    return opened.db.queryAs(role, statement, params).then(
      () => "allowed",
      (error: DatabaseError) => error.code,
    );
  }

  test("agent_ro reads notes and writes none", async () => {
    for (const table of NOTES) {
      expect(await tryAs("agent_ro", `SELECT count(*) FROM ${table}`)).toBe("allowed");
      expect(await tryAs("agent_ro", `DELETE FROM ${table}`)).toBe("permission_denied");
      expect(await tryAs("agent_ro", `UPDATE ${table} SET slug = 'x'`)).toBe("permission_denied");
      expect(await tryAs("agent_ro", `INSERT INTO ${table} (slug) VALUES ('x')`)).toBe("permission_denied");
    }
  });

  test("agent_ro cannot look at any table that is not published content; the superuser shows they are there", async () => {
    for (const table of CLOSED_TO_READERS) {
      await opened.admin.query(`SELECT count(*) FROM ${table}`);
      expect([table, await tryAs("agent_ro", `SELECT count(*) FROM ${table}`)]).toEqual([table, "permission_denied"]);
    }
  });

  test("agent_title writes the title and nothing else", async () => {
    expect(await tryAs("agent_title", "UPDATE sessions SET title = 'x' WHERE id = $1", [randomUUID()])).toBe("allowed");
    for (const statement of [
      "UPDATE sessions SET last_active_at = now()",
      "UPDATE sessions SET visitor_id = NULL",
      "INSERT INTO messages (session_id, seq, role, content) VALUES (gen_random_uuid(), 0, 'user', '')",
      "DELETE FROM sessions",
      "SELECT visitor_id FROM sessions",
      "SELECT 1 FROM llm_config",
      "SELECT 1 FROM source_files",
    ]) {
      expect([statement, await tryAs("agent_title", statement)]).toEqual([statement, "permission_denied"]);
    }
  });

  test("agent_image appends to a session it cannot see, and only to one that exists", async () => {
    const session = randomUUID();
    await opened.admin.query("INSERT INTO sessions (id) VALUES ($1)", [session]);
    const insert = `INSERT INTO generated_images (id, session_id, content_type, bytes, byte_size, etag)
                    VALUES ($1, $2, 'image/png', '\\x00', 1, 'e')`;
    expect(await tryAs("agent_image", insert, [randomUUID(), session])).toBe("allowed");
    expect(await tryAs("agent_image", insert, [randomUUID(), randomUUID()])).toBe("missing_reference");
    for (const statement of [
      "SELECT 1 FROM generated_images",
      "SELECT 1 FROM sessions",
      "DELETE FROM generated_images",
      "UPDATE generated_images SET etag = ''",
      `${insert} RETURNING id`,
    ]) {
      const params = statement.includes("$1") ? [randomUUID(), session] : [];
      expect([statement, await tryAs("agent_image", statement, params)]).toEqual([statement, "permission_denied"]);
    }
  });
});
