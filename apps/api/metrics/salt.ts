/** The salt of visitors' hashes. Without one nothing is counted: an unsalted hash of a network is the network's name. */
import type { Log } from "../lib/log";

/** Undefined when `read` throws or gives nothing; the first time, a log line says so. */
export function saltFrom(read: () => string, log: Pick<Log, "error">): () => string | undefined {
  let told = false;
  return () => {
    const salt = readSalt(read);
    if (salt === undefined && !told) {
      told = true;
      log.error("page views are not counted: METRICS_IP_SALT is missing");
    }
    return salt;
  };
}

function readSalt(read: () => string): string | undefined {
  try {
    return read() || undefined;
  } catch {
    return undefined;
  }
}
