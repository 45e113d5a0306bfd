/**
 * The arrows of the house (architecture §3), walked from the sources: who may import whom, who may touch the outside,
 * and that the exposed endpoints are exactly the contracts, each through the one helper that keeps requests unrecorded.
 */
import { describe, expect, it } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseSync } from "oxc-parser";
import { OWN_PROTOCOL } from "../apps/host/layout-guard.mts";
import { filesBelow } from "../cli/files.mts";
import type { Contract } from "../shared/contracts/contract";
import { CONTRACTS, CONTRACTS_BY_NAME } from "../shared/contracts/index";

const ROOT = join(import.meta.dir, "..");
const SKIPPED = /^(node_modules|\.next|__tests__|__snapshots__)$|\.test\.tsx?$|\.d\.ts$/;

interface Import {
  file: string;
  specifier: string;
  /** The imported file, relative to the root; undefined for a package. */
  target: string | undefined;
  typeOnly: boolean;
}

/** What an area of the tree may import besides itself. An area is the longest of these prefixes. */
const ALLOWED: Record<string, readonly string[]> = {
  shared: [],
  "apps/web": ["shared"],
  // The host writes the same log, so it reduces errors with the same function; tests scale its limits by the same guard.
  "apps/host": ["shared", "apps/api/lib/safe-error.ts", "apps/api/lib/limits.ts"],
  "apps/api/lib": ["shared"],
  "apps/api/database": ["shared"],
  "apps/api/stores": ["shared", "apps/api/database", "apps/api/lib"],
  "apps/api/kernel": ["shared", "apps/api/lib"],
  "apps/api/tools": [
    "shared",
    "apps/api/database",
    "apps/api/lib",
    "apps/api/stores",
    "apps/api/kernel/kernel-types.ts",
  ],
  "apps/api/agent": services("apps/api/kernel", "apps/api/tools"),
  "apps/api/mcp": services("apps/api/tools", "apps/api/database/database-error.ts"),
  "apps/api/trace": services(),
  "apps/api/metrics": services(),
  "apps/api/notes": services(),
  "apps/api/about": services(),
  "apps/api/site": services(),
  "apps/api/skills": services(),
  "apps/api/source": services(),
  "apps/api/system": services(),
};

/** A service opens the shared pool, and that is all it does with the database. */
function services(...more: string[]): string[] {
  return ["shared", "apps/api/lib", "apps/api/stores", "apps/api/database/pool.ts", ...more];
}

const sources = ["shared", "apps/api", "apps/host", "apps/web"]
  .flatMap((folder) => filesBelow(join(ROOT, folder), SKIPPED))
  .filter((path) => /\.(ts|tsx|mts)$/.test(path))
  .map((path) => relative(ROOT, path));
const imports = sources.flatMap(importsOf);

describe("imports", () => {
  it("follow the arrows: web → shared ← api, services → kernel → lib, tools → stores → database", () => {
    expect(imports.filter(crossesAWall).map(({ file, specifier }) => `${file} → ${specifier}`)).toEqual([]);
  });

  it("are seen: the walk finds the arrows that must exist", () => {
    const arrows = new Set(
      imports.flatMap(({ file, target }) => (target ? `${areaOf(file)} → ${areaOf(target)}` : [])),
    );
    for (const arrow of [
      "apps/api/agent → apps/api/kernel",
      "apps/api/agent → apps/api/stores",
      "apps/api/stores → apps/api/database",
      "apps/api/kernel → shared",
      "apps/web → shared",
    ]) {
      expect([...arrows]).toContain(arrow);
    }
  });

  it("would be refused the wrong way round", () => {
    const arrow = (file: string, target: string): Import => ({ file, specifier: "", target, typeOnly: false });
    for (const wrong of [
      arrow("apps/api/kernel/turn.ts", "apps/api/stores/messages.ts"),
      arrow("apps/api/stores/messages.ts", "apps/api/agent/db.ts"),
      arrow("apps/api/trace/stream.ts", "apps/api/agent/visitor.ts"),
      arrow("apps/api/notes/read.ts", "apps/api/database/database.ts"),
      arrow("apps/web/lib/api.ts", "apps/api/lib/env.ts"),
      arrow("shared/sse.ts", "apps/api/lib/env.ts"),
      arrow("apps/api/tools/registry.ts", "apps/api/kernel/kernel.ts"),
      arrow("apps/host/runtime.mts", "apps/api/lib/log.ts"),
    ]) {
      expect(crossesAWall(wrong), `${wrong.file} → ${wrong.target}`).toBe(true);
    }
  });

  it("keep the kernel and the tools away from HTTP, SQL, processes and the host's package", () => {
    const forbidden =
      /^(node:)?(http|https|http2|net|tls|dgram|child_process|worker_threads|cluster|vm)$|^pg$|^encore\.dev/;
    const reaching = (area: string) => (it: Import) => it.file.startsWith(`${area}/`) && forbidden.test(it.specifier);
    expect(imports.filter(reaching("apps/api/kernel")).map(({ file, specifier }) => `${file} → ${specifier}`)).toEqual(
      [],
    );
    expect(imports.filter(reaching("apps/api/tools")).map(({ file, specifier }) => `${file} → ${specifier}`)).toEqual([
      // The socket of a runner, by an address that only the server's environment names.
      "apps/api/tools/sandbox/runner-client.ts → node:http",
    ]);
    expect(forbidden.test("node:child_process")).toBe(true);
  });

  it("leave the database driver to the database folder", () => {
    const users = imports.filter(({ file, specifier }) => file.startsWith("apps/api/") && specifier === "pg");
    expect([...new Set(users.map(({ file }) => areaOf(file)))]).toEqual(["apps/api/database"]);
  });

  it("never make the browser carry a schema library: the web reads types of the contracts only", () => {
    const carried = imports.filter(
      ({ file, target, specifier, typeOnly }) =>
        file.startsWith("apps/web/") && !typeOnly && (specifier === "zod" || target?.startsWith("shared/contracts/")),
    );
    expect(carried.map(({ file, specifier }) => `${file} → ${specifier}`)).toEqual([]);
  });
});

describe("the environment", () => {
  it("is read by one file of the application", () => {
    const readers = sources.filter((file) => /^(apps\/api|shared)\//.test(file) && /process\.env/.test(textOf(file)));
    expect(readers).toEqual(["apps/api/lib/env.ts"]);
  });
});

describe("endpoints", () => {
  const all = sources.filter((file) => file.startsWith("apps/api/")).flatMap(endpointsOf);
  const endpoints = all.filter(({ path }) => !Object.hasOwn(OWN_PROTOCOL, path));
  const contracts: Record<string, Contract | undefined> = Object.fromEntries(
    [...CONTRACTS_BY_NAME].map(([name, contract]) => [`${name}Contract`, contract]),
  );

  it("are exactly the contracts", () => {
    const declared = endpoints.map(({ methods, path }) => `${methods[0]} ${path}`);
    expect(declared.sort()).toEqual(CONTRACTS.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it("are each wrapped by publicRoute with the contract of their own method and path", () => {
    for (const { name, wrapper, contract, methods, path } of endpoints) {
      expect(wrapper, name).toBe("publicRoute");
      expect({ method: contracts[contract]?.method, path: contracts[contract]?.path }, name).toEqual({
        method: methods[0] as Contract["method"],
        path,
      });
    }
  });

  it("answer HEAD exactly where they answer with a file", () => {
    for (const { name, contract, methods } of endpoints) {
      expect(methods.slice(1), name).toEqual(contracts[contract]?.answer === "bytes" ? ["HEAD"] : []);
    }
  });

  it("that are exposed are sensitive, and there are no others", () => {
    const exposed = all.filter(({ expose }) => expose === "true").map(({ name }) => name);
    const sensitive = all.filter(({ sensitive }) => sensitive === "true").map(({ name }) => name);
    expect(exposed).toEqual(sensitive);
    expect(exposed).toHaveLength(CONTRACTS.length + Object.keys(OWN_PROTOCOL).length);
  });
});

function crossesAWall({ file, target }: Import): boolean {
  if (target === undefined) return false;
  const area = areaOf(file);
  if (area === undefined) return true;
  return ![area, ...ALLOWED[area]!].some((allowed) => target === allowed || target.startsWith(`${allowed}/`));
}

function areaOf(file: string): string | undefined {
  return Object.keys(ALLOWED)
    .filter((area) => file.startsWith(`${area}/`))
    .sort((a, b) => b.length - a.length)[0];
}

function textOf(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

function importsOf(file: string): Import[] {
  const { module } = parseSync(file, textOf(file));
  const found: Import[] = [];
  const add = (specifier: string, typeOnly: boolean) =>
    found.push({ file, specifier, target: resolve(file, specifier), typeOnly });
  for (const statement of module.staticImports) {
    const { entries } = statement;
    add(statement.moduleRequest.value, entries.length > 0 && entries.every((entry) => entry.isType));
  }
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, isType } of entries) if (moduleRequest) add(moduleRequest.value, isType);
  }
  for (const { moduleRequest } of module.dynamicImports) {
    add(
      textOf(file)
        .slice(moduleRequest.start, moduleRequest.end)
        .replace(/^["']|["']$/g, ""),
      false,
    );
  }
  return found;
}

function resolve(file: string, specifier: string): string | undefined {
  if (!specifier.startsWith(".") && !specifier.startsWith("@/")) return undefined;
  const base = specifier.startsWith("@/") ? join("apps/web", specifier.slice(2)) : join(dirname(file), specifier);
  const candidates = [base, `${base}.ts`, `${base}.tsx`, `${base}.mts`, `${base}/index.ts`];
  return candidates.find((candidate) => /\.\w+$/.test(candidate) && existsSync(join(ROOT, candidate))) ?? base;
}

interface EndpointSource {
  name: string;
  methods: string[];
  path: string;
  expose: string;
  sensitive: string;
  wrapper: string;
  contract: string;
}

/** Each `export const x = api.raw({…}, wrapper(contract, …))`, read from the text as the host reads it. */
function endpointsOf(file: string): EndpointSource[] {
  const text = textOf(file);
  return [...text.matchAll(/export const (\w+) = api\.raw\(\s*\{([^}]*)\},\s*(\w+)\((\w+)/g)].map(
    ([, name, options, wrapper, contract]) => {
      const option = (key: string) => options!.match(new RegExp(`\\b${key}: "?([^",\\s]+)"?`))?.[1] ?? "";
      return {
        name: `${file}#${name}`,
        methods: [...(options!.match(/\bmethod: (\[[^\]]*\]|"\w+")/)?.[1] ?? "").matchAll(/\w+/g)].map(([one]) => one),
        path: option("path"),
        expose: option("expose"),
        sensitive: option("sensitive"),
        wrapper: wrapper!,
        contract: contract!,
      };
    },
  );
}
