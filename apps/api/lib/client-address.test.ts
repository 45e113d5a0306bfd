import { describe, expect, it } from "bun:test";
import { addressBlock, clientAddress, hopsOf } from "./client-address";

describe("the caller's address", () => {
  it.each<[string, string | string[] | undefined, number, string]>([
    ["stands before the one proxy", "203.0.113.7, 10.0.0.2", 1, "203.0.113.7"],
    ["is not what the caller wrote", "1.1.1.1, 203.0.113.7, 10.0.0.2", 1, "203.0.113.7"],
    ["stands before two proxies", "1.1.1.1, 203.0.113.7, 192.0.2.1, 10.0.0.2", 2, "203.0.113.7"],
    ["is the peer without a proxy", "1.1.1.1, 203.0.113.7", 0, "203.0.113.7"],
    ["is the peer when nobody stands between", "203.0.113.7", 1, "203.0.113.7"],
    ["is read from a header that came twice", ["1.1.1.1", "203.0.113.7, 10.0.0.2"], 1, "203.0.113.7"],
    ["is IPv4 where it came mapped", "::ffff:203.0.113.7, ::1", 1, "203.0.113.7"],
    ["is IPv4 where it came mapped in hex", "::FFFF:cb00:7107, ::1", 1, "203.0.113.7"],
    ["is IPv4 where it came mapped in full", "0:0:0:0:0:ffff:203.0.113.7, ::1", 1, "203.0.113.7"],
    ["is IPv6 where it only looks mapped", "::fffe:cb00:7107, ::1", 1, "::fffe:cb00:7107"],
    ["is IPv6 in small letters", "2001:DB8::A, ::1", 1, "2001:db8::a"],
    ["is unknown without the header", undefined, 1, "unknown"],
    ["is unknown when it is none", "localhost, 10.0.0.2", 1, "unknown"],
    ["is unknown with a port", "203.0.113.7:80, 10.0.0.2", 1, "unknown"],
    ["is unknown when it is empty", " , 10.0.0.2", 1, "unknown"],
  ])("%s", (_case, header, hops, expected) => {
    expect(clientAddress({ "x-forwarded-for": header } as Record<string, string>, hops)).toBe(expected);
  });
});

describe("the network of an address", () => {
  it.each([
    ["203.0.113.7", "203.0.113"],
    ["203.0.113.255", "203.0.113"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1"],
    ["2001:0db8:0001::", "2001:db8:1"],
    ["2001:db8::1", "2001:db8:0"],
    ["2001::1", "2001:0:0"],
    ["::1", "0:0:0"],
    ["fe80::1%eth0", "fe80:0:0"],
    ["64:ff9b::203.0.113.7", "64:ff9b:0"],
    ["unknown", "unknown"],
    ["", "unknown"],
  ])("of %p is %p", (address, block) => {
    expect(addressBlock(address)).toBe(block);
  });
});

it("counts one proxy where the setting is no count", () => {
  expect(["0", "2", "10", "", "-1", "1.5", "one", "1e3", undefined].map(hopsOf)).toEqual([0, 2, 10, 1, 1, 1, 1, 1, 1]);
});
