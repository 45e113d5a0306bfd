/** `./xray token list`: the tokens by name and what they are for. The tokens themselves are kept nowhere. */
import { pathsOf } from "../paths.mts";
import { keptTokens } from "../tokens.mts";

export default async function tokenList(): Promise<number> {
  const tokens = keptTokens(pathsOf());
  const width = Math.max(0, ...tokens.map(({ name }) => name.length));
  const lines = tokens.map(({ name, readOnly }) => `  ${name.padEnd(width)}  ${readOnly ? "reads" : "everything"}`);
  process.stdout.write(`${lines.join("\n") || "  There is no token. Mint one: ./xray token"}\n`);
  return 0;
}
