/**
 * `./xray token`: mints a token of the admin endpoint and prints, once, what clients need to use it. A running site
 * reads it at once: its API is started again.
 */
import { restartApi } from "../api-process.mts";
import type { Words } from "../args.mts";
import { siteSettings } from "../infra.mts";
import { type Paths, pathsOf } from "../paths.mts";
import { readRunning } from "../running.mts";
import { mintToken } from "../tokens.mts";

export default async function token(words: Words): Promise<number> {
  const paths = pathsOf();
  const name = words.value("name") ?? "owner";
  const readOnly = words.has("read-only");
  const minted = mintToken(paths, name, readOnly);
  say(`\n${clientText(name, minted, readOnly, adminUrl(paths))}`);
  say((await restartApi(paths)) ? "  It counts already.\n" : "  It counts from the next ./xray up on.\n");
  return 0;
}

/** Where clients reach the admin endpoint: of the running site, else of the settings. */
function adminUrl(paths: Paths): string {
  const origin = readRunning(paths.running)?.url ?? siteSettings(paths, "http://localhost:3000").SITE_ORIGIN!;
  return `${origin}/api/mcp`;
}

export function clientText(name: string, minted: string, readOnly: boolean, url: string): string {
  const server = { type: "http", url, headers: { Authorization: `Bearer ${minted}` } };
  const json = JSON.stringify({ mcpServers: { "agent-x-ray": server } }, null, 2);
  return [
    `  Token ${name}, for ${readOnly ? "reading only" : "everything"}. It is shown this once:`,
    "",
    `  ${minted}`,
    "",
    "  Claude Code:",
    "",
    `  claude mcp add --transport http agent-x-ray ${url} --header "Authorization: Bearer ${minted}"`,
    "",
    "  Other clients:",
    "",
    ...json.split("\n").map((line) => `  ${line}`),
    "",
  ].join("\n");
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
