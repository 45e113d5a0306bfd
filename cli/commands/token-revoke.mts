/** `./xray token revoke NAME`: takes a token back. A running site forgets it at once: its API is started again. */
import { restartApi } from "../api-process.mts";
import type { Words } from "../args.mts";
import { pathsOf } from "../paths.mts";
import { UsageError } from "../refusal.mts";
import { revokeToken } from "../tokens.mts";

export default async function tokenRevoke(words: Words): Promise<number> {
  const name = words.words[0];
  if (!name) throw new UsageError("Which one? ./xray token revoke NAME", "./xray token list shows them.");
  const paths = pathsOf();
  revokeToken(paths, name);
  const isOut = await restartApi(paths);
  process.stdout.write(
    `  ${name} is taken back${isOut ? "" : "; a site that runs elsewhere must be started again"}.\n`,
  );
  return 0;
}
