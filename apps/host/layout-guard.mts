/**
 * Says whether `encore run` would accept this tree, where there is no Encore to ask: `bun --bun apps/host/layout-guard.mts`.
 * It walks what Encore's parser walks, resolves what it resolves, adds the layout rules that keep both true, and checks
 * that every public endpoint goes through the one helper that records nothing of a request (§0.3).
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync } from "oxc-parser";
import { type Application, discover, formatOffence, serviceOf } from "./discover.mts";
import { parseJsonc } from "./jsonc.mts";
import { type PathAliases, resolveImport } from "./module-resolution.mts";
import { nameBelow, readSources } from "./source-tree.mts";
import { type Node, type Offence, offence, type ParsedFile, parseSource, walkNodes } from "./syntax.mts";

/** Where a parsed file may lie; everything else (host, scripts, configuration, benches) is `.mts`. */
const SOURCE_FOLDERS = ["apps/api/", "apps/web/", "shared/"];
const APPLICATION_FOLDERS = ["apps/api/", "shared/"];
const GENERATED_FOLDERS = ["dist", "build", "out", "coverage"];
const ROUTE_HELPER = "publicRoute";
/** Endpoints that speak a protocol with a shape and tests of its own, and what serves each in place of the helper. */
export const OWN_PROTOCOL: Readonly<Record<string, string>> = { "/mcp": "serveMcp" };

/** Every offence of the tree, in the order of its files; empty when Encore would accept it. */
export function checkLayout(root: string): Offence[] {
  const { application, offences } = discover(root);
  if (!existsSync(join(root, "encore.app"))) return offences;
  const files = readSources(root).map(parseSource);
  const { aliases, problems } = readAliases(root);
  const seen = new Set(offences.map(formatOffence));
  const found = [
    ...offences,
    ...problems,
    ...checkManifest(root),
    ...files.flatMap((file) => [
      ...checkPlace(file),
      ...checkSyntax(file),
      ...checkImports(file, root, aliases),
      ...(startsWithAny(file.name, APPLICATION_FOLDERS) ? checkPortability(file) : []),
    ]),
    ...checkServiceScope(files, application),
    ...checkEndpoints(application),
  ];
  return found.filter((item, index) => index < offences.length || !seen.has(formatOffence(item)));
}

function checkPlace(file: ParsedFile): Offence[] {
  const generated = file.name.split("/").find((segment) => GENERATED_FOLDERS.includes(segment));
  if (generated !== undefined) {
    return [offence(file, 0, `Encore parses TypeScript in ${generated}/ too.`, "Generate it elsewhere, or as .mts.")];
  }
  if (startsWithAny(file.name, SOURCE_FOLDERS)) return [];
  return [offence(file, 0, "Encore parses every .ts file, also outside the application.", "Name it .mts.")];
}

function checkSyntax(file: ParsedFile): Offence[] {
  return file.errors.map((error) => offence(file, error.start, `Syntax error: ${error.message}`, "Correct it."));
}

/** Files that an import may lead to without being read as code. */
const NOT_CODE = /\.(css|json|svg|node|png|woff2)$/;
const parsedTargets = new Map<string, string | undefined>();

function checkImports(file: ParsedFile, root: string, aliases: PathAliases): Offence[] {
  return file.program.body.flatMap((node): Offence[] => {
    if (node.type !== "ImportDeclaration" || node.importKind === "type") return [];
    const specifier = node.source.value;
    if (specifier === "bun" || specifier.startsWith("bun:")) {
      return [offence(file, node.start, `Encore cannot resolve "${specifier}".`, "Use Node's modules.")];
    }
    const resolution = resolveImport(specifier, dirname(file.path), aliases);
    if (resolution === null) {
      const remedy = file.name.endsWith("next-env.d.ts")
        ? "Delete it together with .next; Next writes both again."
        : "Correct the path, install the package, or import its type only.";
      return [offence(file, node.start, `Encore cannot resolve "${specifier}".`, remedy)];
    }
    if (resolution === "builtin" || NOT_CODE.test(resolution.path)) return [];
    const problem = targetProblem(resolution.path);
    if (problem === undefined) return [];
    const target = nameBelow(root, resolution.path);
    return [offence(file, node.start, `"${specifier}" leads to ${target}: ${problem}`, "Import something else.")];
  });
}

/** Encore also parses the file that an import leads to, as its extension says: JavaScript without JSX. */
function targetProblem(path: string): string | undefined {
  if (parsedTargets.has(path)) return parsedTargets.get(path);
  const isPlainScript = /\.[cm]?js$/.test(path);
  const problem = path.endsWith(".jsx")
    ? "it cannot parse .jsx."
    : parseSync(path, readFileSync(path, "utf8"), isPlainScript ? { lang: "js" } : {}).errors[0]?.message;
  parsedTargets.set(path, problem);
  return problem;
}

/** Encore bundles application code into one file and runs it on Node: neither `Bun` nor the source's place exists there. */
function checkPortability(file: ParsedFile): Offence[] {
  const offences: Offence[] = [];
  const refuse = (node: Node, problem: string, remedy: string) => {
    offences.push(offence(file, node.start, problem, remedy));
  };
  walkNodes(file.program, (node, parents) => {
    const parent = parents.at(-1);
    if (node.type === "Identifier" && parent !== undefined && isFreeName(node, parent)) {
      if (node.name === "Bun") refuse(node, "Bun does not exist on Encore's runtime.", "Use Node's modules.");
      if (node.name === "__dirname" || node.name === "__filename") {
        refuse(node, "A bundle has no place of its sources.", "Use process.cwd() or a TypeScript module.");
      }
      if (node.name === "Worker" && parent.type === "NewExpression") {
        refuse(node, "A bundle has no file for a worker.", "Keep the work in this thread.");
      }
    }
    if (node.type === "MetaProperty" && node.meta.name === "import") {
      refuse(node, "A bundle has no place of its sources.", "Use process.cwd() or a TypeScript module.");
    }
    if (node.type === "ImportExpression") {
      const isPackage = node.source.type === "Literal" && /^[^./]/.test(String(node.source.value));
      if (!isPackage) refuse(node, "A bundle cannot import application files by path.", "Import it at the top.");
    }
  });
  return offences;
}

/** Whether an identifier names a variable, as opposed to a member or a key that happens to be called so. */
function isFreeName(node: Node, parent: Node): boolean {
  if (parent.type === "MemberExpression") return parent.object === node || parent.computed;
  if (parent.type === "Property") return parent.value === node || parent.computed;
  return !parent.type.startsWith("TS");
}

/**
 * Encore forgets the current service only when it enters a directory: a file beside service folders, read after one of
 * them, is counted as part of it.
 */
function checkServiceScope(files: readonly ParsedFile[], application: Application): Offence[] {
  return files.flatMap((file) => {
    const directory = file.name.includes("/") ? `${dirname(file.name)}/` : "";
    const touches = file.imports.find((declaration) => /^encore\.dev(\/|$)/.test(declaration.moduleRequest.value));
    const holdsServices = application.services.some(
      (service) => `${service.directory}/`.startsWith(directory) && `${service.directory}/` !== directory,
    );
    if (touches === undefined || !holdsServices || serviceOf(application.services, file) !== undefined) return [];
    const problem = "Encore counts this file as part of the service folder it read before.";
    return [offence(file, touches.start, problem, "Move it into a folder of its own.")];
  });
}

function checkEndpoints(application: Application): Offence[] {
  return application.endpoints
    .filter((endpoint) => endpoint.expose)
    .flatMap(({ file, line, name, route, sensitive, wrapper }) => {
      const helper = OWN_PROTOCOL[route] ?? ROUTE_HELPER;
      const found: Offence[] = [];
      const refuse = (problem: string, remedy: string) => found.push({ file, line, problem, remedy });
      if (!sensitive)
        refuse(`"${name}" is exposed and not sensitive: Encore would record cookies.`, "Add sensitive: true.");
      if (wrapper !== helper) refuse(`"${name}" is exposed without ${helper}.`, `Wrap it: ${helper}(…).`);
      return found;
    });
}

function checkManifest(root: string): Offence[] {
  const manifest = existsSync(join(root, "package.json"))
    ? (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { dependencies?: Record<string, string> })
    : {};
  if (manifest.dependencies?.["encore.dev"] !== undefined) return [];
  return [
    {
      file: "package.json",
      line: 1,
      problem: "encore.dev is no dependency of the root.",
      remedy: "Add it to dependencies.",
    },
  ];
}

/** Only the root's own tsconfig counts, and Encore's reader takes comments but no trailing comma. */
function readAliases(root: string): { aliases: PathAliases; problems: Offence[] } {
  const path = join(root, "tsconfig.json");
  const none = { baseDirectory: undefined, paths: {}, root };
  if (!existsSync(path)) return { aliases: none, problems: [] };
  const text = readFileSync(path, "utf8");
  const { compilerOptions = {} } = parseJsonc(text, "tsconfig.json") as {
    compilerOptions?: { baseUrl?: string; paths?: Record<string, string[]> };
  };
  const { baseUrl, paths = {} } = compilerOptions;
  const aliases = { baseDirectory: baseUrl === undefined ? undefined : join(root, baseUrl), paths, root };
  if (!hasTrailingComma(text)) return { aliases, problems: [] };
  const problem = "Encore cannot read a trailing comma here.";
  return { aliases, problems: [{ file: "tsconfig.json", line: 1, problem, remedy: "Remove it." }] };
}

function hasTrailingComma(text: string): boolean {
  try {
    parseJsonc(text, "tsconfig.json", { trailingCommas: false });
    return false;
  } catch {
    return true;
  }
}

function startsWithAny(name: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => name.startsWith(prefix));
}

if (import.meta.main) {
  const offences = checkLayout(process.cwd());
  for (const item of offences) console.error(formatOffence(item));
  const { endpoints, services } = discover(process.cwd()).application;
  const extent = `${endpoints.length} endpoints in ${services.length} services`;
  console.error(offences.length === 0 ? `Encore would accept this tree: ${extent}.` : `${offences.length} offences.`);
  process.exit(offences.length === 0 ? 0 : 1);
}
