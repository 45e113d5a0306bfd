/**
 * The committed description of the API, `docs/openapi.json`. Run with `--write` to bring it up to date; a test fails
 * while it says something else than the contracts.
 */
import { writeFileSync } from "node:fs";
import { openApiDocument } from "./openapi/document.mts";

export const OPENAPI_FILE = "docs/openapi.json";

/** The file as it must be. */
export function openApiText(): string {
  return `${JSON.stringify(openApiDocument(), null, 2)}\n`;
}

if (import.meta.main && process.argv.includes("--write")) writeFileSync(OPENAPI_FILE, openApiText());
