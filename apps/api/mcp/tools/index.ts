/** Every admin tool, sorted by name: the one list behind `tools/list`, `tools/call`, the audit and the documentation. */
import type { Tool } from "../define-tool";
import { toolConfigTools } from "./tool-config";

export const TOOLS: readonly Tool[] = [...toolConfigTools].sort((a, b) => (a.name < b.name ? -1 : 1));
