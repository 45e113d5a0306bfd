/** Fetches one session as it is stored now and hands it to the browser as a file. */
import { readSession } from "./agent-api";
import { type ExportFormat, type ExportWords, exportFileName, sessionJson, sessionMarkdown } from "./export";

/** Long enough for a browser to take the file over, after which its address is void. */
const TAKEN_MS = 60_000;

/** Resolves to whether there was a file to hand over. */
export async function writeSession(sessionId: string, format: ExportFormat, words: ExportWords): Promise<boolean> {
  const stored = await readSession(sessionId, AbortSignal.timeout(TAKEN_MS));
  if (!stored.ok) return false;
  const [text, type] =
    format === "json"
      ? [sessionJson(stored.value), "application/json"]
      : [sessionMarkdown(stored.value, words), "text/markdown;charset=utf-8"];
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = exportFileName(stored.value, format);
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), TAKEN_MS);
  return true;
}
