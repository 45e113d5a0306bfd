/**
 * Who may use the admin endpoint (§21.1). The server knows tokens by name and SHA-256 only, so neither its
 * configuration nor its memory holds anything that opens it. A list that cannot be read lets nobody in.
 */
import { createHash, timingSafeEqual } from "node:crypto";

export interface Principal {
  /** The token's name. */
  name: string;
  /** Sees and calls the reading tools only. */
  readOnly: boolean;
}
export interface TokenHash extends Principal {
  sha256: Buffer;
}

const ENTRY = /^([a-z0-9][a-z0-9._-]{0,31}):([0-9a-f]{64})(:ro)?$/;
/** The characters of a bearer token (RFC 6750), bounded so that hashing what a stranger sends stays cheap. */
const BEARER = /^bearer ([A-Za-z0-9._~+/-]{1,512}=*)$/i;

/**
 * Reads `name:sha256hex[:ro]`, separated by commas. Two tokens may share a name while one replaces the other. Throws on
 * an entry of another form: half a list could be the half with the wrong rights.
 */
export function parseTokenHashes(text: string): TokenHash[] {
  const entries = text.split(",").map((entry) => entry.trim());
  return entries
    .filter((entry) => entry !== "")
    .map((entry) => {
      const [, name, hex, mark] = ENTRY.exec(entry) ?? [];
      if (name === undefined || hex === undefined) throw new TypeError("an entry is not name:sha256hex[:ro]");
      return { name, sha256: Buffer.from(hex, "hex"), readOnly: mark !== undefined };
    });
}

/** Whose token an `Authorization` header holds. Takes the same time whichever token it is, and whether it is one. */
export function principalOf(authorization: unknown, tokens: readonly TokenHash[]): Principal | undefined {
  const [, token] = (typeof authorization === "string" && BEARER.exec(authorization)) || [];
  const given = createHash("sha256")
    .update(token ?? "")
    .digest();
  let found: TokenHash | undefined;
  for (const candidate of tokens) {
    if (timingSafeEqual(candidate.sha256, given) && token !== undefined) found ??= candidate;
  }
  return found && { name: found.name, readOnly: found.readOnly };
}
