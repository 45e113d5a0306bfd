/** Reads JSON with comments and trailing commas, the dialect of `encore.app` and of the infra configuration file. */

const COMMENT = /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const TRAILING_COMMA = /("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g;

/** Throws a SyntaxError that names `file` when the text is not such JSON. */
export function parseJsonc(text: string, file: string, { trailingCommas = true } = {}): unknown {
  const keepStrings = (_: string, string: string | undefined) => string ?? "";
  const uncommented = text.replace(COMMENT, keepStrings);
  try {
    return JSON.parse(trailingCommas ? uncommented.replace(TRAILING_COMMA, keepStrings) : uncommented);
  } catch (error) {
    throw new SyntaxError(`${file} is not valid JSON: ${(error as Error).message}`);
  }
}
