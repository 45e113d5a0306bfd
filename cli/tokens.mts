/**
 * Tokens of the admin endpoint on a bare machine. Their hashes stand in `.xray/env` as `MCP_AUTH_TOKEN_HASH`; a plain
 * token is printed when it is minted and never kept, except the one by which this machine's own commands write: it is
 * minted anew by every start, counts for that site alone and lies 0600 beside the site's other secrets.
 */
import { createHash, randomBytes } from "node:crypto";
import { parseTokenHashes, type TokenHash } from "../apps/api/mcp/tokens.ts";
import { readEnvFile, setInEnvFile } from "./env-file.mts";
import { readIfThere, writePrivate } from "./files.mts";
import type { Paths } from "./paths.mts";
import { Refusal, UsageError } from "./refusal.mts";

export const TOKEN_SETTING = "MCP_AUTH_TOKEN_HASH";
/** Name of this machine's own token; no other may have it. */
export const LOCAL = "local";
const NAME = /^[a-z0-9][a-z0-9._-]{0,31}$/;

/** The tokens of the settings file, or of the shell where that names some. Throws a refusal for a malformed list. */
export function keptTokens(paths: Paths, env: NodeJS.ProcessEnv = process.env): TokenHash[] {
  try {
    return parseTokenHashes(env[TOKEN_SETTING] ?? readEnvFile(paths.env)[TOKEN_SETTING] ?? "");
  } catch {
    const where = env[TOKEN_SETTING] === undefined ? paths.env : "the environment";
    throw new Refusal(
      `${TOKEN_SETTING} in ${where} cannot be read; with it the admin endpoint would admit nobody.`,
      "Correct it (name:sha256hex[:ro], separated by commas), or delete the line and mint new tokens.",
    );
  }
}

/** Adds a token and returns it; this is the only time that it is plain. */
export function mintToken(paths: Paths, name: string, readOnly: boolean): string {
  if (!NAME.test(name)) throw new UsageError("--name is lower-case letters, digits, dots and dashes, at most 32.");
  if (name === LOCAL) throw new UsageError(`${LOCAL} is the name of this machine's own token. Choose another --name.`);
  refuseShellList();
  const kept = keptTokens(paths);
  if (kept.some((token) => token.name === name)) {
    throw new Refusal(`There is a token named ${name} already.`, `./xray token revoke ${name} takes it back.`);
  }
  const token = newToken();
  setInEnvFile(paths.env, TOKEN_SETTING, listOf([...kept, { name, sha256: hashOf(token), readOnly }]));
  return token;
}

/** Takes a token back. */
export function revokeToken(paths: Paths, name: string): void {
  refuseShellList();
  const kept = keptTokens(paths);
  const left = kept.filter((token) => token.name !== name);
  if (left.length === kept.length) {
    throw new Refusal(`There is no token named ${name}.`, "./xray token list shows them.");
  }
  setInEnvFile(paths.env, TOKEN_SETTING, listOf(left));
}

/** Mints this machine's own token anew; whoever had the last one is out once the API runs with `tokenHashes`. */
export function mintLocalToken(paths: Paths): string {
  const token = newToken();
  writePrivate(paths.localToken, `${token}\n`);
  return token;
}

/** This machine's own token; undefined before the first start. */
export function localToken(paths: Paths): string | undefined {
  return readIfThere(paths.localToken)?.trim();
}

/** What the API gets: the kept hashes and that of this machine's own token. */
export function tokenHashes(paths: Paths): string {
  const own = localToken(paths);
  const kept = keptTokens(paths).filter(({ name }) => name !== LOCAL);
  return listOf(own === undefined ? kept : [...kept, { name: LOCAL, sha256: hashOf(own), readOnly: false }]);
}

function listOf(tokens: readonly TokenHash[]): string {
  return tokens
    .map(({ name, sha256, readOnly }) => `${name}:${sha256.toString("hex")}${readOnly ? ":ro" : ""}`)
    .join(",");
}

function newToken(): string {
  return `xray_${randomBytes(32).toString("base64url")}`;
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** A list in the shell stands before the file, so a change of the file would change nothing. */
function refuseShellList(): void {
  if (process.env[TOKEN_SETTING] === undefined) return;
  throw new Refusal(
    `The shell's ${TOKEN_SETTING} stands before the settings file, so nothing was changed.`,
    "Change it there, or unset the variable and run this again.",
  );
}
