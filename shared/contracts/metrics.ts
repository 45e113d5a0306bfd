/** Contract of the page-view beacon (§22.1). It says one path; everything that is kept of it is derived by the server. */
import { z } from "zod";
import { LIMITS } from "../limits";
import { contract } from "./contract";

export const beaconContract = contract({
  method: "POST",
  path: "/t",
  summary: "Counts one page view. Nothing of the caller is kept but closed sets of values.",
  // As long as a body can hold: a path that is no page's, however long, is counted as that.
  body: z.object({ path: z.string().max(LIMITS.beaconBodyBytes) }),
  bodyBytes: LIMITS.beaconBodyBytes,
  answer: null,
  refusals: ["bad_request", "too_large", "internal"],
});
