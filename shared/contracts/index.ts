/** Every contract of the API, in one list: for the OpenAPI document and for the test that compares it to the routes. */
import * as about from "./about";
import * as agent from "./agent";
import * as catalogue from "./catalogue";
import type { Contract } from "./contract";
import * as metrics from "./metrics";
import * as notes from "./notes";
import * as site from "./site";
import * as skills from "./skills";
import * as source from "./source";
import * as trace from "./trace";

/** By what the endpoint does: `ask`, `listSessions`. */
export const CONTRACTS_BY_NAME: ReadonlyMap<string, Contract> = new Map(
  [agent, catalogue, trace, notes, skills, source, about, site, metrics].flatMap((group) =>
    Object.entries(group).flatMap(([name, value]): [string, Contract][] =>
      name.endsWith("Contract") ? [[name.slice(0, -"Contract".length), value as Contract]] : [],
    ),
  ),
);

export const CONTRACTS: readonly Contract[] = [...CONTRACTS_BY_NAME.values()];
