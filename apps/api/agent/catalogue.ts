/** GET /agent/tools: every tool that the agent of this site can be given. Built once; asks neither table nor switch. */
import { api } from "encore.dev/api";
import { toolCatalogueContract } from "../../../shared/contracts/catalogue";
import { publicRoute } from "../lib/public-route";
import { toolCatalogue } from "../tools/catalogue";

const CATALOGUE = toolCatalogue();

export const tools = api.raw(
  { expose: true, sensitive: true, method: "GET", path: "/agent/tools" },
  publicRoute(toolCatalogueContract, async () => CATALOGUE),
);
