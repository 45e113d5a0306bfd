import { describe, expect, it } from "bun:test";
import { LIMITS } from "../../../shared/limits";
import { limitsFor } from "./limits";

describe("scaled limits", () => {
  it("are the table itself when nothing is scaled", () => {
    expect(limitsFor("xray", undefined)).toBe(LIMITS);
  });

  it("replace single rows for a test database", () => {
    expect(limitsFor("xray_test_1", '{"heartbeatMs":20}')).toEqual({ ...LIMITS, heartbeatMs: 20 });
  });

  it.each([
    ["a database that is not a test's", "xray", '{"heartbeatMs":20}', /does not begin with xray_test/],
    ["a name that only contains the prefix", "my_xray_test", '{"heartbeatMs":20}', /does not begin with xray_test/],
    ["an unknown limit", "xray_test_1", '{"heartbeat":20}', /unknown limit: heartbeat/],
    ["a name from the prototype", "xray_test_1", '{"constructor":20}', /unknown limit: constructor/],
    ["a fraction", "xray_test_1", '{"heartbeatMs":1.5}', /not a count/],
    ["a negative number", "xray_test_1", '{"heartbeatMs":-1}', /not a count/],
    ["text", "xray_test_1", '{"heartbeatMs":"20"}', /not a count/],
    ["a list", "xray_test_1", "[]", /not a JSON object/],
  ])("refuse to start with %s", (_case, database, overrides, message) => {
    expect(() => limitsFor(database, overrides)).toThrow(message);
  });
});
