/** Reads JSON with comments and trailing commas, the dialect of `encore.app` and of the infra configuration file. */

const STRING_COMMENT_OR_TRAILING_COMMA = /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=\s*[}\]])/g;
const COMMENT = /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** Throws a SyntaxError that names `file` when the text is not JSON. Comments go first: one may follow a last comma. */
export function parseJsonc(text: string, file: string): unknown {
  const keepStrings = (_: string, string: string | undefined) => string ?? "";
  const plain = text.replace(COMMENT, keepStrings).replace(STRING_COMMENT_OR_TRAILING_COMMA, keepStrings);
  try {
    return JSON.parse(plain);
  } catch (error) {
    throw new SyntaxError(`${file} is not valid JSON: ${(error as Error).message}`);
  }
}
