/** POST /t: one page was opened. Answers 204 whatever it counted; without a salt it counts nothing (§22.1). */
import { api } from "encore.dev/api";
import { secret } from "encore.dev/config";
import { beaconContract } from "../../../shared/contracts/metrics";
import { log } from "../lib/log";
import { publicRoute } from "../lib/public-route";
import { quotaDay } from "../stores/quota";
import { addVisit } from "../stores/visits";
import { db } from "./db";
import { pageOf } from "./page-of";
import { saltFrom } from "./salt";
import { visitorOfDay } from "./visitor-of-day";

const metricsIpSalt = secret("MetricsIpSalt");
const salt = saltFrom(() => metricsIpSalt(), log);

export const beacon = api.raw(
  { expose: true, sensitive: true, method: "POST", path: "/t" },
  publicRoute(beaconContract, async ({ body, headers }) => {
    const known = salt();
    if (known === undefined) return;
    const day = quotaDay(new Date());
    await addVisit(db, { day, page: pageOf(body.path), ...visitorOfDay(headers, day, known) });
  }),
);
