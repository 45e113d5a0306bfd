/**
 * Every statement of the product goes through here: one transaction, one role, one time limit (architecture §2.2).
 *
 * `SET LOCAL` and never `SET`: connections are shared, and a role must not follow one to the next request. The opening
 * and the closing of a transaction are sent without waiting for an answer (the driver's pipeline mode), so a single
 * statement under a role costs one round trip on the wire and a longer transaction costs one more than its statements.
 * Should the opening fail, the server aborts what follows it, or runs it as the login role, which has no rights.
 */
import type { Writable } from "node:stream";
import { Client, type ClientBase, Pool, type PoolClient, type QueryConfig, type QueryResult } from "pg";
import { LIMITS } from "../../../shared/limits";
import { DatabaseError, databaseError } from "./database-error";
import { type Role, ROLES } from "./roles";
import { VALUE_TYPES } from "./value-types";

export interface Tx {
  /** Runs one statement and returns its rows. Values travel as parameters; jsonb takes objects, arrays as JSON text. */
  query<R = Record<string, unknown>>(text: string, params?: readonly unknown[]): Promise<R[]>;
}

export interface Database {
  /** Runs `work` in one transaction under `role`: committed when it resolves, rolled back when it rejects. */
  asRole<T>(role: Role, work: (tx: Tx) => Promise<T>, options?: { timeoutMs?: number }): Promise<T>;
  /** The transaction of one statement, in one round trip. */
  queryAs<R = Record<string, unknown>>(role: Role, text: string, params?: readonly unknown[]): Promise<R[]>;
  /** Name of the database the connection string leads to. */
  readonly name: string;
  readonly log: DatabaseLog;
  /** Ends the pool. The next `openDatabase` with the same string makes a new one. */
  close(): Promise<void>;
  /** Statements sent so far, without the openings and closings of transactions. */
  stats(): { statements: number };
}

export interface DatabaseLog {
  error(message: string, cause?: unknown): void;
}
export interface DatabaseOptions {
  /** Connections at most. */
  max?: number;
  log?: DatabaseLog;
}

const SILENT: DatabaseLog = { error() {} };
const open = new Map<string, Database>();

/**
 * Opens the pool for a connection string, or returns the one that is open, so that all services share it; options
 * count for the first caller. Connects when first used. Every failure of the database is a `DatabaseError`.
 */
export function openDatabase(connectionString: string, options: DatabaseOptions = {}): Database {
  const shared = open.get(connectionString);
  if (shared) return shared;
  const database = createDatabase(connectionString, options);
  open.set(connectionString, database);
  return database;
}

function createDatabase(connectionString: string, options: DatabaseOptions): Database {
  const { max = LIMITS.databaseConnections, log = SILENT } = options;
  const pool = new Pool({
    connectionString,
    max,
    pipeline: true,
    types: VALUE_TYPES,
    application_name: "agent-x-ray",
    connectionTimeoutMillis: LIMITS.databaseConnectMs,
    idleTimeoutMillis: LIMITS.databaseIdleMs,
    keepAlive: true,
    allowExitOnIdle: true,
    onConnect: setTimeLimits,
  });
  // An idle connection lost to a restart of the server is replaced at the next use; unheard, the event ends the process.
  pool.on("error", (error) => log.error("an idle database connection was lost", databaseError(error)));
  let statements = 0;

  const database: Database = {
    name: new Client({ connectionString }).database ?? "",
    log,
    stats: () => ({ statements }),

    asRole: (role, work, { timeoutMs = LIMITS.statementTimeoutMs } = {}) =>
      onConnection(pool, async (client) => {
        const opening = settled(send(client, openingOf(role, timeoutMs), timeoutMs));
        let over = false;
        const tx: Tx = {
          async query<R>(text: string, params?: readonly unknown[]) {
            // Past its end the connection belongs to someone else.
            if (over) throw new DatabaseError("rolled_back");
            statements++;
            return (await send(client, text, timeoutMs, params)).rows as R[];
          },
        };
        const worked = await settled(work(tx));
        over = true;
        const closing = await settled(send(client, worked.status === "fulfilled" ? "COMMIT" : "ROLLBACK", timeoutMs));
        return resultOf(await opening, worked, closing);
      }),

    queryAs: <R>(role: Role, text: string, params?: readonly unknown[]) =>
      onConnection(pool, async (client) => {
        const timeoutMs = LIMITS.statementTimeoutMs;
        statements++;
        // All three are on their way before the first answer; after a failed statement the COMMIT is a rollback.
        const sent = inOnePacket(client, () =>
          Promise.allSettled([
            send(client, openingOf(role, timeoutMs), timeoutMs),
            send(client, text, timeoutMs, params),
            send(client, "COMMIT", timeoutMs),
          ]),
        );
        const [opening, statement, closing] = await sent;
        return resultOf(opening, statement, closing).rows as R[];
      }),

    async close() {
      open.delete(connectionString);
      await pool.end();
    },
  };
  return database;
}

/** Holds for the whole life of a connection, so that most transactions need not say it. */
async function setTimeLimits(client: ClientBase): Promise<void> {
  await client.query(
    `SET statement_timeout = ${LIMITS.statementTimeoutMs};` +
      `SET idle_in_transaction_session_timeout = ${LIMITS.databaseIdleInTransactionMs}`,
  );
}

/** One simple query: all of it or, on an error, an aborted transaction in which nothing more can run. */
function openingOf(role: Role, timeoutMs: number): string {
  const mode = ROLES[role].readOnly ? "READ ONLY" : "READ WRITE";
  const timeout = timeoutMs === LIMITS.statementTimeoutMs ? "" : `;SET LOCAL statement_timeout=${Math.ceil(timeoutMs)}`;
  return `BEGIN ${mode};SET LOCAL ROLE ${role}${timeout}`;
}

/** Lets what `send` writes leave together: the server wakes up once for it. */
function inOnePacket<T>(client: PoolClient, send: () => T): T {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

/** The server ends a slow statement by itself; the driver's own limit is for a server that no longer answers. */
async function send(client: PoolClient, text: string, timeoutMs: number, params?: readonly unknown[]) {
  try {
    return await client.query({
      text,
      values: params,
      query_timeout: timeoutMs + LIMITS.databaseAnswerMs,
    } as QueryConfig);
  } catch (error) {
    throw databaseError(error);
  }
}

/** The body's value if all three went through, else the first failure in the order in which they were sent. */
function resultOf<T>(
  opening: PromiseSettledResult<unknown>,
  body: PromiseSettledResult<T>,
  closing: PromiseSettledResult<QueryResult>,
): T {
  if (opening.status === "rejected") throw opening.reason;
  if (body.status === "rejected") throw body.reason;
  if (closing.status === "rejected") throw closing.reason;
  // The body swallowed the error of a statement: nothing was written, so nothing may look as if it had been.
  if (closing.value.command !== "COMMIT") throw new DatabaseError("rolled_back");
  return body.value;
}

async function settled<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [result] = await Promise.allSettled([promise]);
  return result;
}

/** Lends a connection to `body`. It returns to the pool only when it is whole and outside any transaction. */
async function onConnection<T>(pool: Pool, body: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw databaseError(error);
  });
  let broken = false;
  const onError = () => {
    broken = true;
  };
  client.on("error", onError);
  try {
    return await body(client);
  } finally {
    client.off("error", onError);
    client.release(broken || client.getTransactionStatus() !== "I");
  }
}
