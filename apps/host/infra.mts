/**
 * Reads Encore's own infrastructure configuration file, so that one file configures the bundled host and a self-hosted
 * Encore image alike. Only what an application can ask for here is read: metadata, databases, secrets, the time to
 * shut down. A value may be `{ "$env": "NAME" }`; an unset variable makes a secret missing and a database an error.
 */
import { readFileSync } from "node:fs";
import { LIMITS } from "../../shared/limits.ts";
import { parseJsonc } from "./jsonc.mts";

export interface Infra {
  metadata: { appId: string; environment: string; environmentType: string; cloud: string; baseUrl: string };
  /** Connection string by Encore name. */
  databases: ReadonlyMap<string, string>;
  /** Values of the secrets that are set. */
  secrets: ReadonlyMap<string, string>;
  shutdownMs: number;
}

type Json = Record<string, unknown>;
type Environment = Record<string, string | undefined>;

export const NO_INFRA: Infra = readInfra({}, {});

export function readInfraFile(path: string, environment: Environment): Infra {
  return readInfra(parseJsonc(readFileSync(path, "utf8"), path), environment);
}

/** Throws with the place in the file when something is not as the schema says. */
export function readInfra(config: unknown, environment: Environment): Infra {
  const { metadata, sql_servers, secrets, graceful_shutdown } = object(config, "the file");
  const meta = object(metadata ?? {}, "metadata");
  const total = object(graceful_shutdown ?? {}, "graceful_shutdown").total ?? LIMITS.hostShutdownMs / 1_000;
  if (typeof total !== "number" || !(total > 0)) throw wrong("graceful_shutdown.total", "is no number of seconds");
  return {
    metadata: {
      appId: text(meta.app_id, ""),
      environment: text(meta.env_name, "local"),
      environmentType: text(meta.env_type, "development"),
      cloud: text(meta.cloud, "local"),
      baseUrl: text(meta.base_url, ""),
    },
    databases: readDatabases(sql_servers ?? [], environment),
    secrets: readSecrets(secrets ?? {}, environment),
    shutdownMs: total * 1_000,
  };
}

function readDatabases(servers: unknown, environment: Environment): Map<string, string> {
  if (!Array.isArray(servers)) throw wrong("sql_servers", "is no list");
  const urls = new Map<string, string>();
  for (const [index, entry] of servers.entries()) {
    const place = `sql_servers[${index}]`;
    const server = object(entry, place);
    const host = required(server.host, `${place}.host`, environment);
    const parameters = tlsParameters(server.tls_config, host, `${place}.tls_config`);
    for (const [name, value] of Object.entries(object(server.databases ?? {}, `${place}.databases`))) {
      const at = `${place}.databases.${name}`;
      const database = object(value, at);
      const username = required(database.username, `${at}.username`, environment);
      const password = required(database.password, `${at}.password`, environment);
      const credentials = `${encodeURIComponent(username)}:${encodeURIComponent(password)}`;
      urls.set(
        name,
        `postgresql://${credentials}@${host}/${encodeURIComponent(text(database.name, name))}?${parameters}`,
      );
    }
  }
  return urls;
}

/**
 * The driver has no "TLS if the server offers it", which is what Encore does without `tls_config`. Over loopback that
 * means none; elsewhere the file must say what it wants, so that a password never travels in the clear by default.
 */
function tlsParameters(config: unknown, host: string, place: string): string {
  if (config === undefined || config === null) {
    if (/^(127\.|localhost(:|$)|\[::1\])/.test(host)) return "sslmode=disable";
    throw wrong(place, 'is missing: say { "disabled": true } within a private network, {} to verify the server');
  }
  const tls = object(config, place);
  if (tls.disabled === true) return "sslmode=disable";
  const unsupported = ["ca", "client_cert", "disable_tls_hostname_verification"].find((key) => tls[key]);
  if (unsupported !== undefined) {
    throw wrong(
      `${place}.${unsupported}`,
      "is unknown to the bundled host: let NODE_EXTRA_CA_CERTS name the authority",
    );
  }
  return tls.disable_ca_validation === true ? "sslmode=no-verify" : "sslmode=verify-full";
}

function readSecrets(config: unknown, environment: Environment): Map<string, string> {
  const whole = object(config, "secrets");
  const entries =
    typeof whole.$env === "string"
      ? object(parseJsonc(environment[whole.$env] ?? "{}", `the variable ${whole.$env}`), "secrets")
      : whole;
  return new Map(
    Object.entries(entries).flatMap(([name, value]): [string, string][] => {
      const resolved = resolve(value, `secrets.${name}`, environment);
      return resolved ? [[name, resolved]] : [];
    }),
  );
}

function required(value: unknown, place: string, environment: Environment): string {
  const resolved = resolve(value, place, environment);
  if (resolved === undefined) throw wrong(place, "has no value");
  return resolved;
}

function resolve(value: unknown, place: string, environment: Environment): string | undefined {
  if (typeof value === "string") return value;
  const name = typeof value === "object" && value !== null ? (value as Json).$env : undefined;
  if (typeof name !== "string") throw wrong(place, 'is neither a string nor { "$env": "NAME" }');
  return environment[name];
}

function text(value: unknown, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}

function object(value: unknown, place: string): Json {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Json;
  throw wrong(place, "is no object");
}

function wrong(place: string, problem: string): Error {
  return new Error(`Infrastructure configuration: ${place} ${problem}.`);
}
