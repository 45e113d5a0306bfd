/** What is the same for two callers and what is not (§22.1). */
import { describe, expect, it } from "bun:test";
import { createHash } from "node:crypto";
import { saltFrom } from "./salt";
import { visitorOfDay } from "./visitor-of-day";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0";
const [DAY, SALT] = ["2026-11-30", "pinch"];
const from = (address: string, agent = FIREFOX) => ({
  "x-forwarded-for": `${address}, 10.0.0.2`,
  "user-agent": agent,
});
const visitor = (...args: Parameters<typeof from>) => visitorOfDay(from(...args), DAY, SALT).visitor;

describe("a visitor of a day", () => {
  it("is 32 hex digits of the salted day, network and family", () => {
    const digest = createHash("sha256").update(`${SALT}\n${DAY}\n203.0.113\nFirefox/Linux`).digest("hex");
    expect(visitorOfDay(from("203.0.113.7"), DAY, SALT)).toEqual({ visitor: digest.slice(0, 32), ua: "Firefox/Linux" });
  });

  it("is another on another day, under another salt, in another network, with another browser", () => {
    const headers = from("203.0.113.7");
    const hashes = [
      visitorOfDay(headers, DAY, SALT),
      visitorOfDay(headers, "2026-12-01", SALT),
      visitorOfDay(headers, DAY, "salt"),
      visitorOfDay(from("203.0.114.7"), DAY, SALT),
      visitorOfDay(from("203.0.113.7", "curl/8"), DAY, SALT),
    ].map((it) => it.visitor);
    expect(new Set(hashes).size).toBe(5);
  });

  it("is the same for a whole /24, a whole /48, and an IPv4 address that came mapped", () => {
    expect(visitor("203.0.113.250")).toBe(visitor("203.0.113.7"));
    expect(visitor("2001:db8:1:ffff::9")).toBe(visitor("2001:db8:1::1"));
    expect(visitor("2001:db8:2::1")).not.toBe(visitor("2001:db8:1::1"));
    for (const mapped of ["::ffff:203.0.113.7", "::ffff:cb00:7107", "0:0:0:0:0:ffff:cb00:7107"]) {
      expect([mapped, visitor(mapped)]).toEqual([mapped, visitor("203.0.113.7")]);
    }
  });

  it("is not changed by what the caller writes in front, nor by a cookie", () => {
    const headers = from("203.0.113.7");
    const forged = {
      ...headers,
      "x-forwarded-for": `198.51.100.1, ${headers["x-forwarded-for"]}`,
      cookie: "xr_visitor=1",
    };
    expect(visitorOfDay(forged, DAY, SALT)).toEqual(visitorOfDay(headers, DAY, SALT));
  });
});

describe("the salt", () => {
  it.each<[string, () => string]>([
    ["empty", () => ""],
    [
      "not set",
      () => {
        throw new Error("secret not set");
      },
    ],
  ])("that is %s is none, and the log says so once", (_case, read) => {
    const logged: string[] = [];
    const salt = saltFrom(read, { error: (message) => logged.push(message) });
    expect([salt(), salt()]).toEqual([undefined, undefined]);
    expect(logged).toEqual(["page views are not counted: METRICS_IP_SALT is missing"]);
  });

  it("that is set is read, and nothing is logged", () => {
    const logged: string[] = [];
    expect(saltFrom(() => SALT, { error: (message) => logged.push(message) })()).toBe(SALT);
    expect(logged).toEqual([]);
  });
});
