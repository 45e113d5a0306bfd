/** Fetches one session as it is stored now and hands it to the browser as a file. */
import { saveFile } from "../../lib/save-file";
import { readSession } from "./agent-api";
import { type ExportFormat, type ExportWords, exportFileName, sessionJson, sessionMarkdown } from "./export";

/** After this the session cannot be had just now. */
const PATIENCE_MS = 60_000;

/** Resolves to whether there was a file to hand over. */
export async function writeSession(sessionId: string, format: ExportFormat, words: ExportWords): Promise<boolean> {
  const stored = await readSession(sessionId, AbortSignal.timeout(PATIENCE_MS));
  if (!stored.ok) return false;
  const [text, type] =
    format === "json"
      ? [sessionJson(stored.value), "application/json"]
      : [sessionMarkdown(stored.value, words), "text/markdown;charset=utf-8"];
  saveFile(exportFileName(stored.value, format), text, type);
  return true;
}
