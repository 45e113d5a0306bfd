/**
 * The database roles: one per capability, and whether its transactions are read-only (§2.5, architecture §2.2).
 *
 * The login role owns nothing and inherits nothing; every statement runs as one of these, so that a query which names
 * no role is refused by the server. `001_roles.up.sql` creates exactly this list, and a test compares the two. What a
 * role may touch stands in the migrations, beside the table it opens.
 */
export const ROLES = {
  /** Tools that read published content. */
  agent_ro: { readOnly: true },
  /** The tool that names its own session. */
  agent_title: { readOnly: false },
  /** The tool that appends one picture to its own session. */
  agent_image: { readOnly: false },
  /** The visitor's side: identity, sessions, messages, trace rows, daily usage. */
  visitor_rw: { readOnly: false },
  /** The trace stream: reads events and who owns them. */
  trace_ro: { readOnly: true },
  /** The pages: reads what the owner published. */
  content_ro: { readOnly: true },
  /** Building a session: reads providers and switches; visitors' requests never see keys. */
  config_ro: { readOnly: true },
  /** The page-view counter. */
  metrics_w: { readOnly: false },
  /** The owner's writes. */
  admin_rw: { readOnly: false },
  /** Retention: deletes what is past its time. */
  purge: { readOnly: false },
} as const satisfies Record<string, { readOnly: boolean }>;

export type Role = keyof typeof ROLES;
