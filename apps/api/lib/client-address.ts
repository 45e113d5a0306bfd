/**
 * Who is calling, behind proxies (architecture §4): the address is taken from the right of `X-Forwarded-For`, past the
 * proxies that are ours. What stands further left was written by the caller and proves nothing.
 */
import { isIP } from "node:net";
import type { IncomingHttpHeaders } from "node:http";
import { readEnvironment } from "./env";

const UNKNOWN = "unknown";

/** The caller's address in plain form, IPv4 also where it came mapped into IPv6; `unknown` when there is none. */
export function clientAddress(
  headers: IncomingHttpHeaders,
  trustedHops = hopsOf(readEnvironment("XRAY_TRUSTED_HOPS")),
): string {
  const written = headers["x-forwarded-for"] as string | string[] | undefined;
  const addresses = [written ?? []]
    .flat()
    .join(",")
    .split(",")
    .map((part) => part.trim());
  const address = addresses[Math.max(0, addresses.length - 1 - trustedHops)]!.toLowerCase();
  if (isIP(address) === 0) return UNKNOWN;
  return mappedIpv4(address) ?? address;
}

/** The IPv4 address that came as an IPv6 one, in whatever spelling: `::ffff:203.0.113.7`, `::ffff:cb00:7107`. */
function mappedIpv4(address: string): string | undefined {
  if (isIP(address) !== 6 || address.includes("%")) return undefined;
  const [, high, low] =
    /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(new URL(`http://[${address}]`).hostname) ?? [];
  if (high === undefined || low === undefined) return undefined;
  return [high, low].flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join(".");
}

/**
 * The network an address belongs to: /24 of IPv4, /48 of IPv6, since one host owns many addresses there. An unknown
 * address is a network of its own.
 */
export function addressBlock(address: string): string {
  const family = isIP(address);
  if (family === 4) return address.split(".").slice(0, 3).join(".");
  if (family !== 6) return UNKNOWN;
  const [head = "", tail] = address.split("%")[0]!.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const gap = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<string>(Math.max(0, gap)).fill("0"), ...after];
  return groups
    .slice(0, 3)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}

/** The number of trusted proxies as it is configured; one where it is no count. */
export function hopsOf(text: string | undefined): number {
  return text !== undefined && /^\d{1,2}$/.test(text) ? Number(text) : 1;
}
