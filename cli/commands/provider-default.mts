/** `./xray provider default NAME`: from the next message on, this one answers; `demo` stands for the offline demo. */
import { secretBox } from "../../apps/api/lib/secret-box.ts";
import { llmProviders } from "../../apps/api/stores/llm-config.ts";
import { StoreRefusal } from "../../apps/api/stores/store-refusal.ts";
import { nearest, type Words } from "../args.mts";
import { withSite } from "../database.mts";
import { siteSettings } from "../infra.mts";
import { pathsOf } from "../paths.mts";
import { Refusal, UsageError } from "../refusal.mts";

/** What the demo is called where a provider is named. */
export const DEMO = "demo";

export default async function providerDefault(words: Words): Promise<number> {
  const name = words.words[0];
  if (!name) throw new UsageError("Which one? ./xray provider default NAME", "./xray provider list shows them.");
  const paths = pathsOf();
  if (name === DEMO && siteSettings(paths, "").XRAY_DEMO_MODEL !== "1") {
    throw new Refusal("The offline demo is switched off.", `Say XRAY_DEMO_MODEL=1 in ${paths.env}, then start again.`);
  }
  const known = await withSite(paths, async ({ db, encryptionKey }) => {
    try {
      if (name === DEMO) await llmProviders.clearDefault(db);
      else await llmProviders.setDefault(db, secretBox(encryptionKey), { provider: name }, []);
      return undefined;
    } catch (error) {
      if (!(error instanceof StoreRefusal)) throw error;
      return (await llmProviders.list(db)).map((row) => row.provider);
    }
  });
  if (!known) {
    process.stdout.write(`  ${name === DEMO ? "The offline demo" : name} answers from the next message on.\n`);
    return 0;
  }
  const guess = nearest(name, [...known, DEMO]);
  throw new Refusal(
    `There is no provider "${name}".`,
    guess ? `Did you mean ${guess}?` : "./xray provider list shows them.",
  );
}
