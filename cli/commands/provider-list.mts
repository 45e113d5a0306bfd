/** `./xray provider list`: what is connected, keys masked. The one that answers has a mark. */
import { llmProviders } from "../../apps/api/stores/llm-config.ts";
import { withSite } from "../database.mts";
import { pathsOf } from "../paths.mts";

export default async function providerList(): Promise<number> {
  const providers = await withSite(pathsOf(), ({ db }) => llmProviders.list(db));
  if (providers.length === 0) {
    process.stdout.write(
      "  No model is connected; the scripted demo answers. Connect one: ./xray provider add --help\n",
    );
    return 0;
  }
  const rows = providers.map((row) => [row.isDefault ? "*" : " ", row.provider, row.modelId, row.baseUrl, row.keyHint]);
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map(
    (row) =>
      `  ${row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd()}`,
  );
  const none = providers.some((row) => row.isDefault)
    ? ""
    : "  None of them is the default; the scripted demo answers.\n";
  process.stdout.write(`${lines.join("\n")}\n${none}`);
  return 0;
}
