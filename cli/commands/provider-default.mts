/** `./xray provider default NAME`: from the next message on, this one answers. */
import { listProviders, setDefaultProvider } from "../../apps/api/stores/llm-config.ts";
import { nearest, type Words } from "../args.mts";
import { withSite } from "../database.mts";
import { pathsOf } from "../paths.mts";
import { Refusal, UsageError } from "../refusal.mts";

export default async function providerDefault(words: Words): Promise<number> {
  const name = words.words[0];
  if (!name) throw new UsageError("Which one? ./xray provider default NAME", "./xray provider list shows them.");
  const known = await withSite(pathsOf(), async ({ db }) =>
    (await setDefaultProvider(db, name)) ? undefined : (await listProviders(db)).map((row) => row.provider),
  );
  if (!known) {
    process.stdout.write(`  ${name} answers from the next message on.\n`);
    return 0;
  }
  const guess = nearest(name, known);
  throw new Refusal(
    `There is no provider "${name}".`,
    guess ? `Did you mean ${guess}?` : "./xray provider list shows them.",
  );
}
