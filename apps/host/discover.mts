/**
 * Finds what an Encore application declares by reading its sources, as Encore does: services, raw endpoints, databases
 * and secrets. Options are lost at run time (`api.raw` returns the bare handler), so the text is the only place that
 * has them. What Encore refuses is refused here, with file, line and remedy; so is what the bundled host cannot run.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type CorsConfig, readCors } from "./cors.mts";
import { type EndpointOptions, readEndpointOptions } from "./endpoint-options.mts";
import { parseJsonc } from "./jsonc.mts";
import { findResources } from "./resources.mts";
import { readSources } from "./source-tree.mts";
import { localNames, type Node, type Offence, offence, type ParsedFile, parseSource, walkNodes } from "./syntax.mts";

export interface Service {
  name: string;
  /** Absolute path of `encore.service.ts`. */
  path: string;
  /** Relative to the root. */
  directory: string;
}
export interface Endpoint extends EndpointOptions {
  service: string;
  name: string;
  /** Absolute path of the file that exports it. */
  path: string;
  route: string;
  file: string;
  line: number;
  /** Name of the function whose call makes the handler, when the handler is a plain call: `f` of `api.raw({…}, f(x))`. */
  wrapper: string | undefined;
}
export interface Application {
  root: string;
  services: Service[];
  endpoints: Endpoint[];
  /** Encore name of each declared database to its absolute migrations directory. */
  databases: Map<string, string>;
  cors: CorsConfig;
}

/** Reads the application below `root`. It may be run only when `offences` is empty. */
export function discover(root: string): { application: Application; offences: Offence[] } {
  const offences: Offence[] = [];
  const application: Application = {
    root,
    services: [],
    endpoints: [],
    databases: new Map(),
    cors: readApp(root, offences),
  };
  // Without its root there is nothing to walk, and the directory may be anything.
  if (offences.length > 0) return { application, offences };
  const files = readSources(root)
    .filter((file) => file.text.includes("encore.dev"))
    .map(parseSource);
  for (const file of files) {
    for (const { message, start } of file.errors)
      offences.push(offence(file, start, `Syntax error: ${message}`, "Correct it."));
  }
  const services = findServices(files, offences);
  const endpoints = files.flatMap((file) => findEndpoints(file, serviceOf(services, file), offences));
  refuseClashes(endpoints, offences);
  const databases = findResources(files, services, offences);
  return { application: { ...application, services, endpoints, databases }, offences };
}

/** The service that owns a file: the one whose directory contains it. */
export function serviceOf(services: readonly Service[], file: { name: string }): Service | undefined {
  return services.find((service) => file.name.startsWith(`${service.directory}/`));
}

/** One line an offence: `file:line: problem Remedy.` */
export function formatOffence({ file, line, problem, remedy }: Offence): string {
  return `${file}:${line}: ${problem} ${remedy}`;
}

function readApp(root: string, offences: Offence[]): CorsConfig {
  const path = join(root, "encore.app");
  const missing = { file: "encore.app", line: 1 };
  if (!existsSync(path)) {
    offences.push({ ...missing, problem: "The file is missing.", remedy: "Start from the application's root." });
    return readCors(undefined);
  }
  const app = parseJsonc(readFileSync(path, "utf8"), "encore.app") as { lang?: unknown; global_cors?: unknown };
  if (app.lang !== "typescript") {
    offences.push({
      ...missing,
      problem: "lang is not typescript.",
      remedy: 'Encore takes an empty lang for Go: add "lang": "typescript".',
    });
  }
  return readCors(app.global_cors);
}

const SERVICE_FILE = "encore.service.ts";

function findServices(files: readonly ParsedFile[], offences: Offence[]): Service[] {
  const services: Service[] = [];
  for (const file of files) {
    const isServiceFile = file.name.endsWith(`/${SERVICE_FILE}`) || file.name === SERVICE_FILE;
    if (!isServiceFile) continue;
    const exported = file.program.body.find((node) => node.type === "ExportDefaultDeclaration");
    const name = exported && serviceName(file, exported.declaration);
    const refuse = (problem: string, remedy: string) => {
      offences.push(offence(file, exported?.start ?? 0, problem, remedy));
    };
    if (name === undefined) {
      refuse("The file exports no service.", 'Write: export default new Service("name");');
      continue;
    }
    if (!/^[a-z][a-z0-9-]*$/.test(name)) {
      refuse(`"${name}" is no portable service name.`, "Use lower-case letters, digits and hyphens, a letter first.");
    }
    // Encore turns `-` into `_` in generated identifiers; names here hold no `_`, so equal names are the only clash.
    if (services.some((service) => service.name === name)) refuse(`There are two services "${name}".`, "Rename one.");
    services.push({ name, path: file.path, directory: dirname(file.name) });
  }
  for (const inner of services) {
    const outer = services.find((other) => other !== inner && `${inner.directory}/`.startsWith(`${other.directory}/`));
    if (outer === undefined) continue;
    const problem = `Service "${inner.name}" lies inside service "${outer.name}".`;
    offences.push({
      file: `${inner.directory}/${SERVICE_FILE}`,
      line: 1,
      problem,
      remedy: "Services cannot nest: move it out.",
    });
  }
  return services;
}

function serviceName(file: ParsedFile, node: Node): string | undefined {
  const names = localNames(file, "encore.dev/service", "Service");
  if (node.type !== "NewExpression" || node.callee.type !== "Identifier" || !names.has(node.callee.name))
    return undefined;
  const [argument] = node.arguments;
  return argument?.type === "Literal" && typeof argument.value === "string" ? argument.value : undefined;
}

function findEndpoints(file: ParsedFile, service: Service | undefined, offences: Offence[]): Endpoint[] {
  const apis = localNames(file, "encore.dev/api", "api");
  if (apis.size === 0) return [];
  const endpoints: Endpoint[] = [];
  walkNodes(file.program, (node, parents) => {
    if (node.type !== "CallExpression") return;
    const kind = apiCallKind(node.callee, apis);
    if (kind === undefined) return;
    const refuse = (problem: string, remedy: string) => void offences.push(offence(file, node.start, problem, remedy));
    if (kind !== "raw") return refuse(`The bundled host runs no ${kind} endpoints.`, "Use api.raw.");
    const name = exportedConstName(parents);
    if (name === undefined) {
      return refuse(
        "An endpoint is not exported.",
        "Write it at top level: export const name = api.raw({…}, handler);",
      );
    }
    if (service === undefined) {
      return refuse("An endpoint lies outside every service.", "Move it below a folder with an encore.service.ts.");
    }
    const read = readEndpointOptions(file, node.arguments[0], `/${service.name}.${name}`);
    if ("offences" in read) return void offences.push(...read.offences);
    if (node.arguments.length !== 2) return refuse("api.raw takes options and a handler.", "Pass both.");
    const { path: route, ...options } = read.options;
    const handler = node.arguments[1]!;
    endpoints.push({
      ...options,
      route,
      path: file.path,
      service: service.name,
      name,
      file: file.name,
      line: offence(file, node.start, "", "").line,
      wrapper:
        handler.type === "CallExpression" && handler.callee.type === "Identifier" ? handler.callee.name : undefined,
    });
  });
  return endpoints;
}

/** `raw` for `api.raw`, another word for the other kinds, undefined for what is no endpoint. */
function apiCallKind(callee: Node, apis: Set<string>): string | undefined {
  if (callee.type === "Identifier") return apis.has(callee.name) ? "typed" : undefined;
  if (callee.type !== "MemberExpression" || callee.object.type !== "Identifier") return undefined;
  if (!apis.has(callee.object.name)) return undefined;
  return callee.property.type === "Identifier" && !callee.computed ? callee.property.name : "computed";
}

function exportedConstName(parents: readonly Node[]): string | undefined {
  const [program, exported, declaration, declarator] = parents;
  if (parents.length !== 4 || program?.type !== "Program" || exported?.type !== "ExportNamedDeclaration")
    return undefined;
  if (declaration?.type !== "VariableDeclaration" || declaration.kind !== "const") return undefined;
  return declarator?.type === "VariableDeclarator" && declarator.id.type === "Identifier"
    ? declarator.id.name
    : undefined;
}

/** Two endpoints of one name in a service, or of one method and path anywhere; and `:p` beside `*w` at one place. */
function refuseClashes(endpoints: readonly Endpoint[], offences: Offence[]): void {
  const seen = new Map<string, Endpoint>();
  const claim = (key: string, endpoint: Endpoint, problem: string) => {
    const other = seen.get(key);
    if (other === undefined) return void seen.set(key, endpoint);
    const remedy = `The other one is in ${other.file}:${other.line}.`;
    offences.push({ file: endpoint.file, line: endpoint.line, problem, remedy });
  };
  const dynamicKinds = new Map<string, string>();
  for (const endpoint of endpoints) {
    claim(`name ${endpoint.service}.${endpoint.name}`, endpoint, `The service has two endpoints "${endpoint.name}".`);
    const shape = endpoint.route.replace(/(?<=\/)([:*])[^/]+/g, "$1");
    for (const method of endpoint.methods) {
      claim(`route ${method} ${shape}`, endpoint, `${method} ${endpoint.route} is declared twice.`);
    }
    for (const match of shape.matchAll(/[:*](?=\/|$)/g)) {
      const prefix = shape.slice(0, match.index);
      const kind = dynamicKinds.get(prefix) ?? match[0];
      dynamicKinds.set(prefix, kind);
      if (kind === match[0]) continue;
      const problem = `${endpoint.route} has a parameter where another path has a wildcard.`;
      offences.push({ file: endpoint.file, line: endpoint.line, problem, remedy: "Encore takes one kind at a place." });
    }
  }
}
