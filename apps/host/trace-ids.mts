/** Random ids for traces and spans: opaque hexadecimal text, drawn from a pool because each request needs one. */
import { randomBytes } from "node:crypto";

const POOL_BYTES = 4_096;

let pool = "";
let used = 0;

/** `bytes` random bytes as hexadecimal text, two characters each. */
export function randomHex(bytes: number): string {
  const length = bytes * 2;
  if (used + length > pool.length) {
    pool = randomBytes(POOL_BYTES).toString("hex");
    used = 0;
  }
  used += length;
  return pool.slice(used - length, used);
}
