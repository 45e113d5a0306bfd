/** Every contract of the API, in one list: for the OpenAPI document and for the test that compares it to the routes. */
import * as agent from "./agent";
import * as content from "./content";
import type { Contract } from "./contract";
import * as trace from "./trace";

export const CONTRACTS: readonly Contract[] = [agent, trace, content].flatMap((group) =>
  Object.entries(group).flatMap(([name, value]) => (name.endsWith("Contract") ? [value as Contract] : [])),
);
