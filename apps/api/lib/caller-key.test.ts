import { expect, it } from "bun:test";
import { createHash, createHmac } from "node:crypto";
import { networkKey, visitorKey } from "./caller-key";

const from = (address: string) => networkKey({ "x-forwarded-for": address });

it("a network is a /24 or a /48, and whoever has no address is one network", () => {
  expect(from("203.0.113.1")).toBe(from("203.0.113.254"));
  expect(from("203.0.113.1")).not.toBe(from("203.0.114.1"));
  expect(from("2001:db8:7:1::1")).toBe(from("2001:db8:7:ffff::9"));
  expect(from("2001:db8:7::1")).not.toBe(from("2001:db8:8::1"));
  expect(from("::ffff:203.0.113.9")).toBe(from("203.0.113.1"));
  expect(networkKey({})).toBe(from("not an address"));
});

it("a name tells nothing: no address or id in it, no plain or keyless hash of one, and no two kinds alike", () => {
  for (const [name, value] of [
    [from("203.0.113.1"), "203.0.113"],
    [visitorKey("203.0.113"), "203.0.113"],
  ] as const) {
    expect(name).toMatch(/^[\w-]{43}$/);
    const guesses = [
      createHash("sha256").update(value).digest("base64url"),
      createHmac("sha256", "").update(value).digest("base64url"),
    ];
    expect(guesses).not.toContain(name);
  }
  expect(visitorKey("203.0.113")).not.toBe(from("203.0.113.1"));
});

it("another process has other names", async () => {
  const script = `import { visitorKey } from ${JSON.stringify(`${import.meta.dir}/caller-key.ts`)}; console.log(visitorKey("a"))`;
  const run = Bun.spawn([process.execPath, "--bun", "-e", script], { stdout: "pipe" });
  const name = (await new Response(run.stdout).text()).trim();
  expect(name).toMatch(/^[\w-]{43}$/);
  expect(name).not.toBe(visitorKey("a"));
});
