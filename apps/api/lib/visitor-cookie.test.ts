import { describe, expect, it } from "bun:test";
import { withEnvironment } from "../../../tests/support/environment.mts";
import { hashVisitorToken, newVisitorToken, readVisitorToken, visitorCookie } from "./visitor-cookie";

const TOKEN = "a".repeat(43);
const DAY_MS = 86_400_000;

describe("the visitor's token", () => {
  it("is 43 characters of base64url and never the same twice", () => {
    expect(newVisitorToken()).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(newVisitorToken()).not.toBe(newVisitorToken());
  });

  it("is stored as the hex of its SHA-256", () => {
    expect(hashVisitorToken("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });

  it.each<[string, string | string[] | undefined, string | undefined]>([
    ["no cookie header", undefined, undefined],
    ["the token alone", `xr_visitor=${TOKEN}`, TOKEN],
    ["among other cookies", `xr_ui=en; xr_visitor=${TOKEN}; a=b`, TOKEN],
    ["without spaces", `a=b;xr_visitor=${TOKEN}`, TOKEN],
    ["in a header that was sent twice", ["a=b", `xr_visitor=${TOKEN}`], TOKEN],
    ["behind one of the wrong shape", `xr_visitor=short; xr_visitor=${TOKEN}`, TOKEN],
    ["too short", `xr_visitor=${"a".repeat(15)}`, undefined],
    ["too long", `xr_visitor=${"a".repeat(65)}`, undefined],
    ["quoted", `xr_visitor="${TOKEN}"`, undefined],
    ["with a foreign character", `xr_visitor=${TOKEN}%00`, undefined],
    ["a name that only ends alike", `not_xr_visitor=${TOKEN}`, undefined],
    ["a pair without a value", "xr_visitor", undefined],
  ])("is read: %s", (_case, cookie, token) => {
    // The runtime hands a header that was sent twice over as a list.
    expect(readVisitorToken({ cookie: cookie as string })).toBe(token);
  });
});

describe("the cookie", () => {
  const base = `xr_visitor=${TOKEN}; Path=/; Max-Age=86400; HttpOnly; SameSite=Lax`;

  it.each<[string, string | undefined, string | undefined, string]>([
    ["an https origin is Secure", "https://x.example", undefined, `${base}; Secure`],
    ["an https origin stays Secure behind a gateway that says http", "https://x.example", "http", `${base}; Secure`],
    ["an http origin is not Secure, whatever a header claims", "http://localhost:3000", "https", base],
    ["without an origin a forwarded https is Secure", undefined, "https", `${base}; Secure`],
    ["without an origin a forwarded http is not", undefined, "http", base],
    ["without an origin the client's own hop counts", undefined, "https, http", `${base}; Secure`],
    ["without an origin and header it is not Secure", undefined, undefined, base],
  ])("%s", async (_case, origin, forwarded, expected) => {
    // `undefined` would fall back to this process's environment, so the empty case is spelled out.
    const headers = forwarded === undefined ? {} : { "x-forwarded-proto": forwarded };
    await withEnvironment({ SITE_ORIGIN: undefined }, () =>
      expect(visitorCookie(TOKEN, DAY_MS, headers, origin)).toBe(expected),
    );
  });
});
