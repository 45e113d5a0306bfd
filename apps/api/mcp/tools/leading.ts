/** The head of a list of names: as many as an answer has room for beside its other fields. */
import { LIMITS } from "../../../../shared/limits";

export function leading(names: readonly string[]): string[] {
  let bytes = 0;
  const end = names.findIndex((name) => {
    bytes += Buffer.byteLength(JSON.stringify(name)) + 1;
    return bytes > LIMITS.mcpPageBytes;
  });
  return end < 0 ? [...names] : names.slice(0, end);
}
