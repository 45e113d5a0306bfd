/** Every admin tool, sorted by name: the one list behind `tools/list`, `tools/call`, the audit and the documentation. */
import type { Tool } from "../define-tool";
import { aboutTools } from "./about";
import { auditTools } from "./audit";
import { imagegenTools } from "./imagegen";
import { llmTools } from "./llm";
import { notesTools } from "./notes";
import { notesAssetTools } from "./notes-assets";
import { notesChapterTools } from "./notes-chapters";
import { notYetTools } from "./not-yet";
import { sandboxTools } from "./sandbox";
import { sessionsStatsTools } from "./sessions-stats";
import { siteStatusTools } from "./site-status";
import { siteTabsTools } from "./site-tabs";
import { skillCategoryTools } from "./skill-categories";
import { skillsAgentTools } from "./skills-agent";
import { skillsTools } from "./skills";
import { sourceTools } from "./source";
import { toolConfigTools } from "./tool-config";
import { trafficTools } from "./traffic";
import { visitorLimitsTools } from "./visitor-limits";
import { websearchTools } from "./websearch";

export const TOOLS: readonly Tool[] = [
  ...aboutTools,
  ...skillsTools,
  ...skillsAgentTools,
  ...skillCategoryTools,
  ...sourceTools,
  ...auditTools,
  ...imagegenTools,
  ...llmTools,
  ...notesAssetTools,
  ...notesChapterTools,
  ...notesTools,
  ...notYetTools,
  ...sandboxTools,
  ...sessionsStatsTools,
  ...siteTabsTools,
  ...siteStatusTools,
  ...toolConfigTools,
  ...trafficTools,
  ...visitorLimitsTools,
  ...websearchTools,
].sort((a, b) => (a.name < b.name ? -1 : 1));
