/** Every admin tool, sorted by name: the one list behind `tools/list`, `tools/call`, the audit and the documentation. */
import type { Tool } from "../define-tool";
import { auditTools } from "./audit";
import { siteTabsTools } from "./site-tabs";
import { toolConfigTools } from "./tool-config";

export const TOOLS: readonly Tool[] = [...auditTools, ...siteTabsTools, ...toolConfigTools].sort((a, b) =>
  a.name < b.name ? -1 : 1,
);
