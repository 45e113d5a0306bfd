import { describe, expect, it } from "bun:test";
import { endpoint, GOOD_TREE, REPOSITORY, type Tree, withTree } from "./__tests__/tree.mts";
import { formatOffence } from "./discover.mts";
import { checkLayout } from "./layout-guard.mts";

const offencesOf = (changes: Tree) =>
  withTree({ ...GOOD_TREE, ...changes }, (root) => checkLayout(root).map(formatOffence));

describe("checkLayout", () => {
  it("accepts this repository", () => {
    expect(checkLayout(REPOSITORY).map(formatOffence)).toEqual([]);
  });

  it("accepts the smallest application", () => {
    expect(offencesOf({})).toEqual([]);
  });

  it.each<[string, Tree, string]>([
    [
      "a script named .ts",
      { "scripts/x.ts": "export {};" },
      "scripts/x.ts:1: Encore parses every .ts file, also outside the application.",
    ],
    [
      "a configuration file named .ts",
      { "some.config.ts": "export default {};" },
      "some.config.ts:1: Encore parses every .ts",
    ],
    ["generated TypeScript", { "apps/web/dist/x.ts": "export {};" }, "Encore parses TypeScript in dist/ too."],
    ["a template with holes", { "apps/web/t.ts": "export const x = {{ name }};" }, "Syntax error"],
    ["an import of bun", { "apps/web/x.ts": 'import { SQL } from "bun";' }, 'Encore cannot resolve "bun".'],
    [
      "an import of a bun module",
      { "apps/api/lib/x.ts": 'import { Database } from "bun:sqlite";' },
      'resolve "bun:sqlite"',
    ],
    [
      "a path that leads nowhere",
      { "shared/x.ts": 'import "./missing";' },
      'shared/x.ts:1: Encore cannot resolve "./missing".',
    ],
    ["a package that is not installed", { "shared/x.ts": 'import { x } from "left-pad";' }, 'resolve "left-pad"'],
    [
      "a missing module of which only types are named",
      { "shared/x.ts": 'import { type X } from "left-pad";' },
      'resolve "left-pad"',
    ],
    [
      "an alias that only the web's tsconfig has",
      {
        "apps/web/tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./*"] } } }',
        "apps/web/x.ts": 'import { y } from "@/y";',
        "apps/web/y.ts": "export const y = 1;",
      },
      'Encore cannot resolve "@/y".',
    ],
    [
      "Next's types without its build",
      { "apps/web/next-env.d.ts": 'import "./.next/types/routes.d.ts";' },
      "Delete it together with .next",
    ],
    [
      "an import of JSX in a .js file",
      { "apps/web/x.ts": 'import "./y.js";', "apps/web/y.js": "export const y = <b />;" },
      "leads to apps/web/y.js",
    ],
    [
      "an import of a .jsx file",
      { "apps/web/x.ts": 'import "./y.jsx";', "apps/web/y.jsx": "export {};" },
      "cannot parse .jsx",
    ],
    [
      "an exports map with a list",
      {
        "node_modules/listed/package.json": '{ "exports": { ".": ["./a.js"] } }',
        "node_modules/listed/a.js": "",
        "shared/x.ts": 'import "listed";',
      },
      'Encore cannot resolve "listed".',
    ],
    ["the Bun global", { "apps/api/lib/x.ts": "export const v = Bun.version;" }, "Bun does not exist"],
    [
      "a file read beside the source",
      { "apps/api/lib/x.ts": "export const u = import.meta.url;" },
      "no place of its sources",
    ],
    ["__dirname", { "shared/x.ts": "export const d = __dirname;" }, "no place of its sources"],
    [
      "a dynamic import of an application file",
      { "apps/api/lib/x.ts": 'export const x = import("./public-route");' },
      "cannot import application files by path",
    ],
    [
      "a dynamic import of whatever",
      { "apps/api/lib/x.ts": "export const x = (p: string) => import(p);" },
      "cannot import application files by path",
    ],
    [
      "a worker",
      { "apps/api/lib/x.ts": 'import { Worker } from "node:worker_threads";\nnew Worker("./x");' },
      "no file for a worker",
    ],
    [
      "a file beside service folders that touches encore.dev",
      { "apps/api/x.ts": 'import log from "encore.dev/log";' },
      "part of the service folder it read before",
    ],
    [
      "an exposed endpoint that is not sensitive",
      { "apps/api/one/get.ts": endpoint('{ expose: true, path: "/one" }') },
      '"get" is exposed and not sensitive',
    ],
    [
      "an exposed endpoint beside the route helper",
      {
        "apps/api/one/get.ts": endpoint('{ expose: true, sensitive: true, path: "/one" }').replace(
          ", publicRoute(() => {}))",
          ", () => {})",
        ),
      },
      '"get" is exposed without publicRoute',
    ],
    [
      "the admin endpoint without what serves its protocol",
      { "apps/api/one/get.ts": endpoint('{ expose: true, sensitive: true, method: "*", path: "/mcp" }') },
      '"get" is exposed without serveMcp',
    ],
    [
      "a package.json without encore.dev",
      { "package.json": '{ "devDependencies": { "encore.dev": "*" } }' },
      "encore.dev is no dependency",
    ],
    [
      "a trailing comma in tsconfig.json",
      { "tsconfig.json": '{ "compilerOptions": {}, }' },
      "cannot read a trailing comma",
    ],
    [
      "what discovery refuses",
      { "apps/api/one/x.ts": endpoint("{ exposed: true }", "x") },
      'no endpoint option "exposed"',
    ],
  ])("refuses %s", (_, changes, problem) => {
    expect(offencesOf(changes).join("\n")).toContain(problem);
  });

  it.each<[string, Tree]>([
    ["type imports of what is not there", { "shared/x.ts": 'import type { X } from "left-pad";' }],
    ["re-exports, which Encore does not follow", { "shared/x.ts": 'export * from "./missing";' }],
    ["Node's modules", { "shared/x.ts": 'import "node:sqlite";\nimport { join } from "path";' }],
    [
      "an alias of the root's tsconfig",
      {
        "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./apps/web/*"] } } }',
        "apps/web/x.ts": 'import { y } from "@/y";',
        "apps/web/y.ts": "export const y = 1;",
      },
    ],
    ["a .js name of a .ts file", { "shared/x.ts": 'import "./y.js";', "shared/y.ts": "export {};" }],
    ["a directory with an index", { "shared/x.ts": 'import "./y";', "shared/y/index.ts": "export {};" }],
    [
      "styles and data",
      { "apps/web/x.ts": 'import "./y.css";\nimport "./z.json";', "apps/web/y.css": "a{", "apps/web/z.json": "{" },
    ],
    [
      "scripts that Encore does not see",
      { "scripts/x.mts": 'import "bun";', "apps/api/one/x.test.ts": 'import "bun:test";' },
    ],
    [
      "Bun as the name of a member or a type",
      { "shared/x.ts": "export const x = { Bun: 1 };\nexport const y = x.Bun;" },
    ],
    ["a dynamic import of a package", { "apps/api/lib/x.ts": 'export const x = import("encore.dev");' }],
    [
      "a private endpoint without the helper",
      {
        "apps/api/one/get.ts":
          'import { api } from "encore.dev/api";\nexport const get = api.raw({ path: "/one" }, () => {});',
      },
    ],
    [
      "conditions and patterns of an exports map",
      {
        "node_modules/mapped/package.json":
          '{ "exports": { ".": { "browser": "./no.js", "types": "./a.d.ts" }, "./sub/*": "./b/*.js" } }',
        "node_modules/mapped/a.d.ts": "export {};",
        "node_modules/mapped/b/c.js": "",
        "shared/x.ts": 'import "mapped";\nimport "mapped/sub/c";',
      },
    ],
  ])("accepts %s", (_, changes) => {
    expect(offencesOf(changes)).toEqual([]);
  });
});
