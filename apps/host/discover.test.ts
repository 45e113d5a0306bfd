import { describe, expect, it } from "bun:test";
import { endpoint, GOOD_TREE, type Tree, withTree } from "./__tests__/tree.mts";
import { discover, formatOffence } from "./discover.mts";

const offencesOf = (changes: Tree) =>
  withTree({ ...GOOD_TREE, ...changes }, (root) => discover(root).offences.map(formatOffence));
const endpointsOf = (changes: Tree) =>
  withTree({ ...GOOD_TREE, ...changes }, (root) => discover(root).application.endpoints);

const FILE = "apps/api/one/other.ts";
const api = (text: string) => `import { api } from "encore.dev/api";\n${text}\n`;
const sql = (text: string) => `import { SQLDatabase } from "encore.dev/storage/sqldb";\n${text}\n`;
const secret = (text: string) => `import { secret } from "encore.dev/config";\n${text}\n`;
const service = (name: string) =>
  `import { Service } from "encore.dev/service";\nexport default new Service(${name});\n`;

describe("discover", () => {
  it("accepts the smallest application and describes its endpoint", () => {
    expect(offencesOf({})).toEqual([]);
    const [found] = endpointsOf({});
    const { path: _, ...rest } = found!;
    expect(rest).toEqual({
      service: "one",
      name: "get",
      methods: ["GET"],
      route: "/one",
      expose: true,
      bodyLimit: 2_097_152,
      tags: [],
      sensitive: true,
      file: "apps/api/one/get.ts",
      line: 3,
      wrapper: "publicRoute",
    });
  });

  it("fills in what Encore fills in: POST, a path of service and name, private, two mebibytes", () => {
    const [found] = endpointsOf({ "apps/api/one/get.ts": api("export const plain = api.raw({}, (q, s) => {});") });
    expect(found).toMatchObject({
      methods: ["POST"],
      route: "/one.plain",
      expose: false,
      bodyLimit: 2 * 1024 * 1024,
      sensitive: false,
    });
  });

  it("computes integers of literals, follows a renamed import, reads null as no limit", () => {
    const text =
      'import { api as a } from "encore.dev/api";\nexport const x = a.raw({ method: "*", bodyLimit: 8 * 1024 + 1 }, h);\nexport const y = a.raw({ path: "/y", bodyLimit: null }, h);\n';
    expect(
      endpointsOf({ [FILE]: text }).map(({ name, methods, bodyLimit }) => [name, methods.length, bodyLimit]),
    ).toEqual([
      ["get", 1, 2_097_152],
      ["x", 8, 8_193],
      ["y", 1, null],
    ]);
  });

  it("does not read what Encore does not walk", () => {
    const bad = api("export const x = api({}, h);");
    expect(
      offencesOf({
        "apps/api/one/x.test.ts": bad,
        "apps/api/one/x.spec.ts": bad,
        "apps/api/one/__tests__/x.ts": bad,
        "apps/api/one/.hidden/x.ts": bad,
        "encore.gen/x.ts": bad,
        "apps/api/one/x.mts": bad,
        "apps/api/one/x.tsx": bad,
      }),
    ).toEqual([]);
  });

  it.each<[string, Tree, string]>([
    [
      "a typed endpoint",
      { [FILE]: api("export const x = api({ path: '/x' }, async () => {});") },
      "runs no typed endpoints",
    ],
    [
      "a stream endpoint",
      { [FILE]: api("export const x = api.streamIn({ path: '/x' }, h);") },
      "runs no streamIn endpoints",
    ],
    [
      "an endpoint that is not exported",
      { [FILE]: api("const x = api.raw({ path: '/x' }, h);") },
      "An endpoint is not exported.",
    ],
    [
      "an endpoint in a function",
      { [FILE]: api("export const x = () => api.raw({ path: '/x' }, h);") },
      "An endpoint is not exported.",
    ],
    [
      "an endpoint bound with let",
      { [FILE]: api("export let x = api.raw({ path: '/x' }, h);") },
      "An endpoint is not exported.",
    ],
    ["options in a variable", { [FILE]: api("export const x = api.raw(options, h);") }, "no object literal"],
    ["a spread option", { [FILE]: api("export const x = api.raw({ ...o }, h);") }, "is not a literal"],
    ["a shorthand option", { [FILE]: api("export const x = api.raw({ path }, h);") }, "is not a literal"],
    ["a computed key", { [FILE]: api("export const x = api.raw({ ['path']: '/x' }, h);") }, "is not a literal"],
    ["as const", { [FILE]: api("export const x = api.raw({ method: 'GET' as const }, h);") }, "is not a literal"],
    ["a template", { [FILE]: api("export const x = api.raw({ path: `/x` }, h);") }, "is not a literal"],
    [
      "an unknown option",
      { [FILE]: api("export const x = api.raw({ exposed: true }, h);") },
      'no endpoint option "exposed"',
    ],
    [
      "an option of the prototype",
      { [FILE]: api("export const x = api.raw({ toString: true }, h);") },
      'no endpoint option "toString"',
    ],
    ["an unknown method", { [FILE]: api("export const x = api.raw({ method: 'FETCH' }, h);") }, "The method is none"],
    ["auth", { [FILE]: api("export const x = api.raw({ auth: true }, h);") }, "auth needs an auth handler"],
    ["a missing handler", { [FILE]: api("export const x = api.raw({ path: '/x' });") }, "takes options and a handler"],
    [
      "a path without a slash",
      { [FILE]: api("export const x = api.raw({ path: 'x' }, h);") },
      "does not begin with a slash",
    ],
    ["a path with a query", { [FILE]: api("export const x = api.raw({ path: '/x?y' }, h);") }, "holds a query"],
    [
      "a path with a final slash",
      { [FILE]: api("export const x = api.raw({ path: '/x/' }, h);") },
      "a slash at its end",
    ],
    [
      "a wildcard in the middle",
      { [FILE]: api("export const x = api.raw({ path: '/*a/b' }, h);") },
      "not the last segment",
    ],
    ["a nameless parameter", { [FILE]: api("export const x = api.raw({ path: '/:' }, h);") }, "no valid name"],
    ["one parameter twice", { [FILE]: api("export const x = api.raw({ path: '/:a/:a' }, h);") }, "have the same name"],
    ["a fallback path", { [FILE]: api("export const x = api.raw({ path: '/!a' }, h);") }, "routes no ! fallback"],
    [
      "one route twice",
      { [FILE]: endpoint("{ method: ['POST', 'GET'], path: '/one' }", "again") },
      "GET /one is declared twice",
    ],
    [
      "one route under two parameter names",
      {
        "apps/api/one/a.ts": api("export const a = api.raw({ path: '/p/:a' }, h);"),
        "apps/api/one/b.ts": api("export const b = api.raw({ path: '/p/:b' }, h);"),
      },
      "POST /p/:b is declared twice",
    ],
    ["one name twice in a service", { [FILE]: endpoint("{ path: '/two' }") }, 'two endpoints "get"'],
    [
      "a parameter beside a wildcard",
      {
        "apps/api/one/a.ts": api("export const a = api.raw({ path: '/p/:a' }, h);"),
        "apps/api/one/b.ts": api("export const b = api.raw({ path: '/p/*b' }, h);"),
      },
      "a parameter where another path has a wildcard",
    ],
    [
      "an endpoint outside a service",
      { "apps/api/lib/x.ts": api("export const x = api.raw({ path: '/x' }, h);") },
      "outside every service",
    ],
    ["import * as", { [FILE]: 'import * as e from "encore.dev/api";\n' }, 'nothing behind "import * as"'],
    [
      "a module of encore.dev that is not supported",
      { [FILE]: 'import { CronJob } from "encore.dev/cron";\n' },
      "does not run encore.dev/cron",
    ],
    ["a service without a name", { "apps/api/two/encore.service.ts": service("NAME") }, "exports no service"],
    [
      "a service that is not the default export",
      { "apps/api/two/encore.service.ts": service('"two"').replace("default", "const x =") },
      "exports no service",
    ],
    ["an unportable service name", { "apps/api/two/encore.service.ts": service('"Two_"') }, "no portable service name"],
    ["two services of one name", { "apps/api/two/encore.service.ts": service('"one"') }, 'two services "one"'],
    ["a service in a service", { "apps/api/one/in/encore.service.ts": service('"in"') }, 'lies inside service "one"'],
    ["a secret outside a service", { "apps/api/lib/s.ts": secret('const s = secret("S");') }, "outside every service"],
    ["a secret without a literal name", { [FILE]: secret("const s = secret(NAME);") }, "name is no literal"],
    ["a secret that is not bound", { [FILE]: secret('use(secret("S"));') }, "not bound to a variable"],
    [
      "a database twice",
      {
        "apps/api/db/a.ts": sql('export const a = new SQLDatabase("x", { migrations: "./m" });'),
        "apps/api/db/b.ts": sql('export const b = new SQLDatabase("x", { migrations: "./m" });'),
        "apps/api/db/m/1_a.up.sql": "",
      },
      'Database "x" is declared twice',
    ],
    [
      "migrations that are not there",
      { "apps/api/db/a.ts": sql('export const a = new SQLDatabase("x", { migrations: "./m" });') },
      "does not exist",
    ],
    [
      "migrations above the file",
      { "apps/api/db/a.ts": sql('export const a = new SQLDatabase("x", { migrations: "../m" });') },
      "without ..",
    ],
    [
      "a database used in a shared folder",
      { "apps/api/lib/a.ts": sql('const d = SQLDatabase.named("x");') },
      "outside every service",
    ],
    [
      "a connection string taken from an unbound database",
      { [FILE]: sql('const url = SQLDatabase.named("x").connectionString;') },
      "not bound to a variable",
    ],
    [
      "a database in an object",
      { [FILE]: sql('const d = SQLDatabase.named("x");\nexport const all = { d };') },
      "used as a plain value",
    ],
    [
      "a database under another name",
      { [FILE]: sql('const d = SQLDatabase.named("x");\nexport const e = d;') },
      "used as a plain value",
    ],
    ["broken syntax", { [FILE]: api("export const x = ;") }, "Syntax error"],
    ["an encore.app without a language", { "encore.app": "{}" }, "lang is not typescript"],
  ])("refuses %s", (_, changes, problem) => {
    expect(offencesOf(changes).join("\n")).toContain(problem);
  });

  it("takes a database used by member, call and argument", () => {
    const text = sql('const d = SQLDatabase.named("x");\nopen(d.connectionString);\nopen(d);\nnew Pool(d);');
    expect(offencesOf({ [FILE]: text })).toEqual([]);
  });

  it("names file, line, problem and remedy", () => {
    expect(offencesOf({ [FILE]: api("\n\nexport const x = api.raw({ path: 'x' }, h);") })).toEqual([
      "apps/api/one/other.ts:4: The path does not begin with a slash. Correct the option.",
    ]);
  });
});
