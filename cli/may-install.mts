/** What `./xray` asks before it replaces packages: exit 3 and the reason on standard error while something runs on them. */
import { join } from "node:path";
import { refuseWhileUsed } from "./in-use.mts";
import { refusalText } from "./progress.mts";
import { refusalOf } from "./refusal.mts";

try {
  refuseWhileUsed(join(import.meta.dirname, ".."), "packages");
} catch (error) {
  process.stderr.write(refusalText(refusalOf(error)));
  process.exitCode = 3;
}
