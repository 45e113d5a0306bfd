/**
 * The infra file of a bare-machine site, in Encore's own format (the specification of the host names its keys), and
 * the environment the API starts with. Secrets are in the environment only; the file names them.
 */
import { ENVIRONMENT } from "../apps/api/lib/env.ts";
import { LIMITS } from "../shared/limits.ts";
import { readEnvFile } from "./env-file.mts";
import { writeJson } from "./files.mts";
import { baseEnv } from "./launch.mts";
import type { Paths } from "./paths.mts";
import { Refusal } from "./refusal.mts";
import type { Secrets } from "./secrets.mts";
import { TOKEN_SETTING, tokenHashes } from "./tokens.mts";

/** Where the application's database is, without any credential. */
export interface DatabaseAddress {
  host: string;
  port: number;
  name: string;
  /** How the connection is encrypted: none, without or with a check of the server's certificate. */
  tls: "off" | "unverified" | "verified";
}

/** Settings that the shell or `.xray/env` may give the API; the shell wins. The API's own table names them. */
const SETTINGS = Object.keys(ENVIRONMENT).filter((name) => name !== "API_INTERNAL_URL");

export function addressOf(adminUrl: string): DatabaseAddress {
  let url: URL;
  try {
    url = new URL(adminUrl);
  } catch {
    throw new Refusal("DATABASE_URL is not an address.", "It looks like postgres://user:password@host:5432/xray");
  }
  const name = decodeURIComponent(url.pathname.slice(1));
  if (!/^postgres(ql)?:$/.test(url.protocol) || !url.hostname || !name) {
    throw new Refusal(
      "DATABASE_URL must name a Postgres server by host and a database.",
      "It looks like postgres://user:password@host:5432/xray",
    );
  }
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port || 5432),
    name,
    tls: tlsOf(url.searchParams.get("sslmode")),
  };
}

/** A host as it stands in an address: IPv6 in brackets. */
export function inUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** The address the application logs in with: never the administrator's. */
export function appUrl(database: DatabaseAddress, secrets: Secrets): string {
  const mode = { off: "disable", unverified: "no-verify", verified: "verify-full" }[database.tls];
  return `postgres://xray_app:${encodeURIComponent(secrets.postgresAppPassword)}@${inUrl(database.host)}:${database.port}/${encodeURIComponent(database.name)}?sslmode=${mode}`;
}

export function writeInfra(paths: Paths, database: DatabaseAddress, apiUrl: string): void {
  writeJson(paths.infra, {
    $schema: "https://encore.dev/schemas/infra.schema.json",
    metadata: { app_id: "agent-x-ray", env_name: "bare", env_type: "production", cloud: "encore", base_url: apiUrl },
    graceful_shutdown: { total: LIMITS.hostShutdownMs / 1_000 },
    sql_servers: [
      {
        host: `${inUrl(database.host)}:${database.port}`,
        tls_config: { disabled: database.tls === "off", disable_ca_validation: database.tls === "unverified" },
        databases: {
          xray: { name: database.name, username: "xray_app", password: { $env: "POSTGRES_APP_PASSWORD" } },
        },
      },
    ],
    secrets: {
      ConfigEncryptionKey: { $env: "CONFIG_ENCRYPTION_KEY" },
      McpAuthTokenHash: { $env: TOKEN_SETTING },
      MetricsIpSalt: { $env: "METRICS_IP_SALT" },
    },
  });
}

/** `siteOrigin` is the default; a setting replaces it. */
export function apiEnv(paths: Paths, secrets: Secrets, listen: string, siteOrigin: string): Record<string, string> {
  return {
    ...baseEnv(),
    ...siteSettings(paths, siteOrigin),
    ENCORE_INFRA_CONFIG_PATH: paths.infra,
    ENCORE_LISTEN_ADDR: listen,
    CONFIG_ENCRYPTION_KEY: secrets.configEncryptionKey,
    POSTGRES_APP_PASSWORD: secrets.postgresAppPassword,
    METRICS_IP_SALT: secrets.metricsIpSalt,
    [TOKEN_SETTING]: tokenHashes(paths),
  };
}

export function siteSettings(paths: Paths, siteOrigin: string, env = process.env): Record<string, string> {
  const kept = readEnvFile(paths.env);
  const settings: Record<string, string> = { SITE_ORIGIN: siteOrigin, XRAY_DEMO_MODEL: "1" };
  for (const name of SETTINGS) {
    const value = env[name] ?? kept[name];
    if (value !== undefined) settings[name] = value;
  }
  return settings;
}

/** The driver's reading of `sslmode`: absent means none, and every other word checks the certificate. */
function tlsOf(mode: string | null): DatabaseAddress["tls"] {
  if (mode === null || mode === "disable") return "off";
  return mode === "no-verify" ? "unverified" : "verified";
}
