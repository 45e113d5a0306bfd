/**
 * The limits this process runs with: `shared/limits.ts`, and for tests over real HTTP the same table with numbers
 * scaled down by `XRAY_TEST_LIMITS`. A deployment cannot loosen or tighten a limit by accident: the variable is refused
 * for every database that is not a test's.
 */
import { LIMITS, type Limits } from "../../../shared/limits";
import { readEnvironment } from "./env";

const TEST_DATABASE_PREFIX = "xray_test";

/** Throws when `XRAY_TEST_LIMITS` is set for another database, names an unknown limit or holds something else than counts. */
export function limitsFor(databaseName: string, overrides = readEnvironment("XRAY_TEST_LIMITS")): Limits {
  if (overrides === undefined) return LIMITS;
  if (!databaseName.startsWith(TEST_DATABASE_PREFIX)) {
    throw new Error(`XRAY_TEST_LIMITS is set, but the database's name does not begin with ${TEST_DATABASE_PREFIX}.`);
  }
  return { ...LIMITS, ...parseOverrides(overrides) };
}

function parseOverrides(json: string): Partial<Limits> {
  const parsed: unknown = JSON.parse(json);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw new Error("XRAY_TEST_LIMITS is not a JSON object.");
  }
  for (const [name, value] of Object.entries(parsed)) {
    if (!Object.hasOwn(LIMITS, name)) throw new Error(`XRAY_TEST_LIMITS names an unknown limit: ${name}.`);
    if (!Number.isSafeInteger(value) || value < 0) throw new Error(`XRAY_TEST_LIMITS.${name} is not a count.`);
  }
  return parsed;
}
