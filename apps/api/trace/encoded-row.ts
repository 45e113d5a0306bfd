/** A live row as the bytes that each of its watchers gets, encoded once for all of them and kept as long as the row is. */
import { encodeSse } from "../../../shared/sse";
import type { TraceRow } from "../../../shared/trace-events";

const encoded = new WeakMap<TraceRow, Uint8Array>();

export function encodedRow(row: TraceRow): Uint8Array {
  const known = encoded.get(row);
  if (known !== undefined) return known;
  const bytes = Buffer.from(encodeSse({ event: "trace", data: row }));
  encoded.set(row, bytes);
  return bytes;
}
