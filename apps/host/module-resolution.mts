/**
 * Resolves an import the way Encore's parser does, which is neither Node's nor bun's way: a module that it cannot find
 * stops its build. Used by the layout guard only; at run time bun resolves.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const EXTENSIONS = [".ts", ".tsx", ".js", ".jsx", ".json", ".node"];
const CONDITIONS = ["bun", "deno", "types", "node-addons", "node", "import", "require", "default"];
/** Its list is that of Node 16; anything newer needs the `node:` prefix. */
const BUILTINS = new Set(
  (
    "assert assert/strict async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel " +
    "dns dns/promises domain events fs fs/promises http http2 https inspector module net os path path/posix path/win32 " +
    "perf_hooks process punycode querystring readline repl stream stream/consumers stream/promises stream/web " +
    "string_decoder sys timers timers/promises tls trace_events tty url util util/types v8 vm wasi worker_threads zlib"
  ).split(" "),
);

export interface PathAliases {
  /** Absolute directory that `paths` and bare names are relative to; undefined without `baseUrl`. */
  baseDirectory: string | undefined;
  paths: Record<string, string[]>;
  /** Directory of the tsconfig. */
  root: string;
}
/** `builtin` for what needs no file, the absolute path of the file, or null. */
export type Resolution = "builtin" | { path: string } | null;

export function resolveImport(specifier: string, fromDirectory: string, aliases: PathAliases): Resolution {
  if (specifier === "~encore/clients" || specifier === "~encore/auth") return "builtin";
  if (specifier.startsWith("node:") || BUILTINS.has(specifier)) return "builtin";
  const found = /^\.{0,2}\//.test(specifier)
    ? resolveFile(resolve(fromDirectory, specifier))
    : (resolveAlias(specifier, aliases) ?? resolvePackage(specifier, fromDirectory));
  return found === undefined ? null : { path: found };
}

/** The file itself, the file with one of the extensions, its TypeScript source for a `.js` name, or a directory's index. */
function resolveFile(path: string): string | undefined {
  const candidates = [path, ...EXTENSIONS.map((extension) => path + extension)];
  if (path.endsWith(".js")) candidates.push(`${path.slice(0, -3)}.ts`, `${path.slice(0, -3)}.tsx`);
  candidates.push(...EXTENSIONS.map((extension) => join(path, `index${extension}`)));
  return candidates.find(isFile);
}

function resolveAlias(specifier: string, { baseDirectory, paths, root }: PathAliases): string | undefined {
  for (const [pattern, targets] of Object.entries(paths)) {
    const rest = matchPattern(pattern, specifier);
    if (rest === undefined) continue;
    for (const target of targets) {
      const found = resolveFile(resolve(baseDirectory ?? root, target.replace("*", rest)));
      if (found !== undefined) return found;
    }
  }
  return baseDirectory === undefined ? undefined : resolveFile(resolve(baseDirectory, specifier));
}

function resolvePackage(specifier: string, fromDirectory: string): string | undefined {
  const [, name, subpath] = /^((?:@[^/]+\/)?[^/]+)(?:\/(.*))?$/.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  for (let directory = fromDirectory; ; directory = dirname(directory)) {
    const root = join(directory, "node_modules", name);
    if (existsSync(join(root, "package.json"))) return resolveInPackage(root, subpath);
    if (dirname(directory) === directory) return undefined;
  }
}

function resolveInPackage(root: string, subpath: string | undefined): string | undefined {
  const { exports, main } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    exports?: unknown;
    main?: unknown;
  };
  if (exports === undefined) return resolveFile(join(root, subpath ?? (typeof main === "string" ? main : "index")));
  const target = exportTarget(exports, subpath === undefined ? "." : `./${subpath}`);
  return target === undefined ? undefined : resolveFile(join(root, target));
}

/** The target of a subpath by the package's own order of keys. A list of alternatives counts as none, as in the parser. */
function exportTarget(exports: unknown, subpath: string): string | undefined {
  const isMap = isObject(exports) && Object.keys(exports).some((key) => key.startsWith("."));
  if (!isMap) return subpath === "." ? conditionTarget(exports) : undefined;
  if (Object.hasOwn(exports, subpath)) return conditionTarget(exports[subpath]);
  for (const [pattern, value] of Object.entries(exports)) {
    const rest = pattern.includes("*") ? matchPattern(pattern, subpath) : undefined;
    const target = rest === undefined ? undefined : conditionTarget(value);
    if (target !== undefined) return target.replaceAll("*", rest!);
  }
  return undefined;
}

function conditionTarget(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!isObject(value)) return undefined;
  for (const [condition, inner] of Object.entries(value)) {
    const target = CONDITIONS.includes(condition) ? conditionTarget(inner) : undefined;
    if (target !== undefined) return target;
  }
  return undefined;
}

/** What `*` of the pattern stands for; undefined when the text does not match. */
function matchPattern(pattern: string, text: string): string | undefined {
  const [prefix, suffix] = pattern.split("*");
  if (suffix === undefined) return pattern === text ? "" : undefined;
  const matches = text.length >= prefix!.length + suffix.length && text.startsWith(prefix!) && text.endsWith(suffix);
  return matches ? text.slice(prefix!.length, text.length - suffix.length) : undefined;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
