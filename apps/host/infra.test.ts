import { describe, expect, it } from "bun:test";
import { readInfra } from "./infra.mts";
import { parseJsonc } from "./jsonc.mts";

const database = (server: object) => ({
  sql_servers: [{ databases: { xray: { username: "u", password: "p" } }, ...server }],
});

describe("readInfra", () => {
  it("builds connection strings from servers, with what an URL would misread escaped", () => {
    const infra = readInfra(
      {
        sql_servers: [
          {
            host: "db:5432",
            tls_config: { disabled: true },
            databases: { xray: { name: "x/y", username: "a@b", password: { $env: "PASSWORD" } } },
          },
        ],
      },
      { PASSWORD: "p:/?#" },
    );
    expect(Object.fromEntries(infra.databases)).toEqual({
      xray: "postgresql://a%40b:p%3A%2F%3F%23@db:5432/x%2Fy?sslmode=disable",
    });
  });

  it.each([
    ["127.0.0.1:5432", undefined, "disable"],
    ["localhost:5432", undefined, "disable"],
    ["[::1]:5432", undefined, "disable"],
    ["db:5432", {}, "verify-full"],
    ["db:5432", { disable_ca_validation: true }, "no-verify"],
    ["db:5432", { disabled: true }, "disable"],
  ])("for host %p with tls_config %p asks the driver for %p", (host, tls_config, mode) => {
    expect(readInfra(database({ host, tls_config }), {}).databases.get("xray")).toEndWith(`?sslmode=${mode}`);
  });

  it("refuses to guess about TLS beyond loopback", () => {
    expect(() => readInfra(database({ host: "db:5432" }), {})).toThrow("sql_servers[0].tls_config is missing");
    expect(() => readInfra(database({ host: "localhost.evil:5432" }), {})).toThrow("tls_config is missing");
  });

  it("takes secrets as text or from the environment, and an unset or empty one as missing", () => {
    const secrets = { A: "a", B: { $env: "B" }, C: { $env: "C" }, D: { $env: "D" } };
    expect([...readInfra({ secrets }, { B: "b", D: "" }).secrets]).toEqual([
      ["A", "a"],
      ["B", "b"],
    ]);
  });

  it("takes all secrets from one variable", () => {
    expect([...readInfra({ secrets: { $env: "ALL" } }, { ALL: '{ "A": "a" }' }).secrets]).toEqual([["A", "a"]]);
  });

  it.each([
    [{ sql_servers: {} }, "sql_servers is no list"],
    [database({ host: 5 }), 'sql_servers[0].host is neither a string nor { "$env": "NAME" }'],
    [database({ host: { $env: "UNSET" } }), "sql_servers[0].host has no value"],
    [database({ host: "db:1", tls_config: { ca: "PEM" } }), "tls_config.ca is unknown"],
    [{ secrets: { A: 1 } }, "secrets.A is neither"],
    [{ graceful_shutdown: { total: "5" } }, "graceful_shutdown.total is no number"],
    [[], "the file is no object"],
  ])("names the place of a mistake in %p", (config, message) => {
    expect(() => readInfra(config, {})).toThrow(message);
  });

  it("counts the time to shut down in seconds, five by default", () => {
    expect([readInfra({}, {}).shutdownMs, readInfra({ graceful_shutdown: { total: 12 } }, {}).shutdownMs]).toEqual([
      5_000, 12_000,
    ]);
  });
});

describe("parseJsonc", () => {
  it("drops comments and trailing commas, but not what looks like them inside strings", () => {
    const text = '{ // one\n "a": "// no, ] }", /* two */ "b": [1, 2, /* last */ ],\n "c": "\\"/*", }';
    expect(parseJsonc(text, "x")).toEqual({ a: "// no, ] }", b: [1, 2], c: '"/*' });
  });

  it("names the file that is broken", () => {
    expect(() => parseJsonc("{ a }", "infra.json")).toThrow("infra.json is not valid JSON");
  });
});
