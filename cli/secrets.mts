/** Secrets of a bare-machine site, minted once and kept 0600 beside its state. They leave only as process values. */
import { randomBytes } from "node:crypto";
import { readJson, writeJson } from "./files.mts";
import { Refusal } from "./refusal.mts";
import { existsSync } from "node:fs";

export interface Secrets {
  /** 32 bytes, base64: seals provider keys in the database. Lost, every stored key is void. */
  configEncryptionKey: string;
  /** Password of the login role `xray_app`. */
  postgresAppPassword: string;
  /** Salts the hashes of page views. A new one makes today's visitors count twice, and nothing else. */
  metricsIpSalt: string;
}

export function mintSecrets(path: string): Secrets {
  const kept = readJson<Partial<Secrets>>(path);
  if (!kept && existsSync(path)) {
    throw new Refusal(
      `The secrets in ${path} cannot be read.`,
      "Restore the file, or delete it: new secrets are made and provider keys must be entered again.",
    );
  }
  const secrets: Secrets = {
    configEncryptionKey: kept?.configEncryptionKey ?? randomBytes(32).toString("base64"),
    postgresAppPassword: kept?.postgresAppPassword ?? randomBytes(24).toString("base64url"),
    metricsIpSalt: kept?.metricsIpSalt ?? randomBytes(32).toString("base64url"),
  };
  if (JSON.stringify(kept) !== JSON.stringify(secrets)) writeJson(path, secrets);
  return secrets;
}
