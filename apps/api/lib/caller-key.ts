/**
 * Names for whoever is counted: a visitor or the network that a request came from. A name is an HMAC under a random
 * secret of this process, so that what is counted by it can be traced back to nobody, means nothing after a restart, and
 * a visitor's name shows nothing of its network's.
 */
import { createHmac, randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { addressBlock, clientAddress } from "./client-address";

const secret = randomBytes(32);

/** The same for all addresses of one /24 or /48; callers without a known address are one network. */
export function networkKey(headers: IncomingHttpHeaders): string {
  return nameOf("network", addressBlock(clientAddress(headers)));
}

export function visitorKey(visitorId: string): string {
  return nameOf("visitor", visitorId);
}

function nameOf(kind: string, value: string): string {
  return createHmac("sha256", secret).update(`${kind}\0${value}`).digest("base64url");
}
