/** What the machine of this process has left. Numbers only: no path leaves here. */
import { statfs } from "node:fs/promises";

/** Space on the disk of the working directory. */
export async function diskSpace(): Promise<{ freeBytes: number; totalBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(".");
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
