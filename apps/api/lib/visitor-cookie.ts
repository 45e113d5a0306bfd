/**
 * The visitor's cookie (§6.1): an anonymous random token that only its browser holds in the clear. This file makes,
 * reads and hashes it; whether a token is alive is the database's decision alone.
 */
import { createHash, randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { readEnvironment } from "./env";

export const VISITOR_COOKIE = "xr_visitor";
const TOKEN_BYTES = 32;
const TOKEN_SHAPE = /^[A-Za-z0-9_-]{16,64}$/;

/** A new token: 32 random bytes as base64url, 43 characters. */
export function newVisitorToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** What the database stores of a token: its SHA-256 in hex. */
export function hashVisitorToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** The first well-formed token among the request's cookies; its shape is checked before anything hashes it. */
export function readVisitorToken(headers: IncomingHttpHeaders): string | undefined {
  for (const header of valuesOf(headers.cookie)) {
    for (const pair of header.split(";")) {
      const separator = pair.indexOf("=");
      if (pair.slice(0, separator).trim() !== VISITOR_COOKIE) continue;
      const value = pair.slice(separator + 1).trim();
      if (TOKEN_SHAPE.test(value)) return value;
    }
  }
  return undefined;
}

/**
 * The `Set-Cookie` value that issues or renews a token. `Secure` follows the scheme of SITE_ORIGIN, and the forwarded
 * protocol only while that is unset: a runtime's own gateway may overwrite the header.
 */
export function visitorCookie(
  token: string,
  lifetimeMs: number,
  headers: IncomingHttpHeaders,
  siteOrigin = readEnvironment("SITE_ORIGIN"),
): string {
  const attributes = [
    `${VISITOR_COOKIE}=${token}`,
    "Path=/",
    `Max-Age=${Math.floor(lifetimeMs / 1_000)}`,
    "HttpOnly",
    "SameSite=Lax",
  ];
  if (isHttps(headers, siteOrigin)) attributes.push("Secure");
  return attributes.join("; ");
}

function isHttps(headers: IncomingHttpHeaders, siteOrigin: string | undefined): boolean {
  if (siteOrigin !== undefined) return siteOrigin.toLowerCase().startsWith("https://");
  const [forwarded = ""] = valuesOf(headers["x-forwarded-proto"]);
  return forwarded.split(",")[0]!.trim().toLowerCase() === "https";
}

/** A header as a list: absent, once, or (as the runtime hands it over when sent twice) an array. */
function valuesOf(header: string | string[] | undefined): string[] {
  return header === undefined ? [] : Array.isArray(header) ? header : [header];
}
