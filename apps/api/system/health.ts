/** GET /health: says that the process serves requests. It touches neither the database nor the kernel. */
import { api } from "encore.dev/api";
import { healthContract } from "../../../shared/contracts/site";
import { publicRoute } from "../lib/public-route";

export const health = api.raw(
  { expose: true, sensitive: true, method: "GET", path: "/health" },
  publicRoute(healthContract, async () => ({ ok: true as const })),
);
