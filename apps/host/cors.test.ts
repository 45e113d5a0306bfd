import { describe, expect, it } from "bun:test";
import { corsHeaders, readCors } from "./cors.mts";

const OPEN = readCors(undefined);

describe("corsHeaders", () => {
  it("says nothing to a request without an origin", () => {
    expect(corsHeaders(OPEN, { origin: undefined, credentials: false })).toEqual({});
  });

  it("lets any origin read without credentials, and exposes the trace id", () => {
    expect(corsHeaders(OPEN, { origin: "https://a.example", credentials: false })).toEqual({
      vary: "origin",
      "access-control-allow-origin": "https://a.example",
      "access-control-expose-headers": "x-request-id, x-correlation-id, x-encore-trace-id",
    });
  });

  it("lets no unlisted origin read with credentials", () => {
    expect(corsHeaders(OPEN, { origin: "https://a.example", credentials: true })).toEqual({ vary: "origin" });
  });

  it("never allows credentials to an origin that is not listed for them, not at the preflight either", () => {
    const question = { origin: "https://a.example", credentials: false, requestedMethod: "DELETE" };
    expect(corsHeaders(OPEN, question)).not.toHaveProperty("access-control-allow-credentials");
    const trusting = readCors({ allow_origins_with_credentials: ["https://a.example"] });
    expect(corsHeaders(trusting, question)).toHaveProperty("access-control-allow-credentials", "true");
  });

  it("matches a wildcard against at least one character, and origins in any case", () => {
    const config = readCors({ allow_origins_without_credentials: ["https://*.a.example"] });
    const answers = ["https://x.a.example", "https://X.A.example", "https://.a.example", "https://a.example"].map(
      (origin) => corsHeaders(config, { origin, credentials: false })["access-control-allow-origin"] === origin,
    );
    expect(answers).toEqual([true, true, false, false]);
  });

  it("refuses a key that it does not know", () => {
    expect(() => readCors({ allow_origin: ["*"] })).toThrow("global_cors.allow_origin is unknown");
    expect(() => readCors({ allow_headers: "x" })).toThrow("global_cors.allow_headers is no list");
  });
});
