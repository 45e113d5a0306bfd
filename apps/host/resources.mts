/**
 * Databases and secrets as Encore's parser sees them: where they may be declared, and how a variable that holds one may
 * be used so that Encore notices which service needs it. Anything else of `encore.dev` the bundled host cannot run.
 */
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Service } from "./discover.mts";
import { literalValue, localNames, type Node, type Offence, offence, type ParsedFile, walkNodes } from "./syntax.mts";

const SQLDB = "encore.dev/storage/sqldb";
/** Modules of the package that work here. `encore.dev` itself holds appMeta and currentRequest. */
const SUPPORTED_MODULES = new Set(
  ["", "/api", "/config", "/log", "/metrics", "/service", "/storage/sqldb", "/types"].map(
    (name) => `encore.dev${name}`,
  ),
);

/** Databases by name with their migrations directory; offences are added to the list. */
export function findResources(
  files: readonly ParsedFile[],
  services: readonly Service[],
  offences: Offence[],
): Map<string, string> {
  const databases = new Map<string, string>();
  for (const file of files) {
    const inService = services.some((service) => file.name.startsWith(`${service.directory}/`));
    refuseModules(file, offences);
    const sqlNames = localNames(file, SQLDB, "SQLDatabase");
    const secretNames = localNames(file, "encore.dev/config", "secret");
    walkNodes(file.program, (node, parents) => {
      const refuse = (problem: string, remedy: string) =>
        void offences.push(offence(file, node.start, problem, remedy));
      if (node.type === "NewExpression" && isNamed(node.callee, sqlNames)) {
        declareDatabase(file, node, databases, refuse);
        requireBinding(file, parents, "a database", refuse);
      } else if (node.type === "CallExpression" && isNamedLookup(node.callee, sqlNames)) {
        if (literalString(node.arguments[0]) === undefined)
          refuse("The database's name is no literal.", "Write it in place.");
        if (!inService)
          refuse(
            "A database is used outside every service, which Encore drops without a word.",
            "Read its connection string in a service and pass it on.",
          );
        requireBinding(file, parents, "a database", refuse);
      } else if (node.type === "CallExpression" && isNamed(node.callee, secretNames)) {
        if (literalString(node.arguments[0]) === undefined)
          refuse("The secret's name is no literal.", "Write it in place.");
        if (!inService)
          refuse("A secret is loaded outside every service.", "Load it in the service and pass its value on.");
        if (bindingOf(parents) === undefined)
          refuse("A secret is not bound to a variable at top level.", 'Write: const name = secret("Name");');
      }
    });
  }
  return databases;
}

function refuseModules(file: ParsedFile, offences: Offence[]): void {
  for (const declaration of file.imports) {
    const specifier = declaration.moduleRequest.value;
    if (!/^encore\.dev(\/|$)/.test(specifier)) continue;
    const refuse = (problem: string, remedy: string) =>
      void offences.push(offence(file, declaration.start, problem, remedy));
    if (declaration.entries.every((entry) => entry.isType) && declaration.entries.length > 0) continue;
    if (!SUPPORTED_MODULES.has(specifier))
      refuse(`The bundled host does not run ${specifier}.`, "See what it supports in apps/host/resources.mts.");
    if (declaration.entries.some((entry) => entry.importName.kind === "NamespaceObject")) {
      refuse(`Encore finds nothing behind "import * as" of ${specifier}.`, "Import by name.");
    }
  }
}

type Refuse = (problem: string, remedy: string) => void;

function declareDatabase(
  file: ParsedFile,
  node: Node & { type: "NewExpression" },
  databases: Map<string, string>,
  refuse: Refuse,
): void {
  const name = literalString(node.arguments[0]);
  if (name === undefined || !/^[a-z][a-z0-9_]*$/.test(name)) {
    return void refuse("The database's name is no literal of lower-case letters, digits and _.", "Write it in place.");
  }
  if (databases.has(name))
    return void refuse(`Database "${name}" is declared twice.`, `Use SQLDatabase.named("${name}").`);
  const migrations = migrationsPath(node.arguments[1]);
  const directory = migrations === undefined ? undefined : resolve(dirname(file.path), migrations);
  databases.set(name, directory ?? "");
  if (directory === undefined || migrations!.startsWith("/") || migrations!.split("/").includes("..")) {
    return void refuse("migrations is no literal relative path without ..", 'Write: { migrations: "./migrations" }.');
  }
  if (!existsSync(directory))
    refuse(`The migrations directory ${migrations} does not exist.`, "Create it beside this file.");
}

function migrationsPath(node: Node | undefined): string | undefined {
  const literal = node === undefined ? undefined : literalValue(node);
  if (literal === undefined || "notLiteral" in literal) return undefined;
  const migrations = (literal.value as { migrations?: unknown } | null)?.migrations;
  return typeof migrations === "string" ? migrations : undefined;
}

/**
 * Encore gives a service its database only where it sees a use: the variable bound to the database itself, then a
 * member of it, or it as an argument. Any other use is an error there.
 */
function requireBinding(file: ParsedFile, parents: readonly Node[], what: string, refuse: Refuse): void {
  const name = bindingOf(parents);
  if (name === undefined) {
    return void refuse(
      `${what} is not bound to a variable at top level.`,
      'Write: const name = SQLDatabase.named("…");',
    );
  }
  walkNodes(file.program, (node, chain) => {
    if (node.type !== "Identifier" || node.name !== name) return;
    const parent = chain.at(-1)!;
    const allowed =
      (parent.type === "MemberExpression" && (parent.object === node || !parent.computed)) ||
      (parent.type === "CallExpression" && parent.arguments.includes(node as never)) ||
      (parent.type === "NewExpression" && parent.arguments.includes(node as never)) ||
      (parent.type === "VariableDeclarator" && parent.id === node) ||
      (parent.type === "Property" && parent.key === node && !parent.shorthand) ||
      parent.type.startsWith("TS");
    if (!allowed)
      refuse(
        `"${name}" holds ${what} and is used as a plain value.`,
        `Use ${name}.connectionString, or pass it as an argument.`,
      );
  });
}

function bindingOf(parents: readonly Node[]): string | undefined {
  const chain = parents.filter((node) => node.type !== "ExportNamedDeclaration");
  const declarator = chain[2];
  if (chain.length !== 3 || declarator?.type !== "VariableDeclarator" || declarator.id.type !== "Identifier")
    return undefined;
  return declarator.id.name;
}

function isNamed(node: Node, names: Set<string>): boolean {
  return node.type === "Identifier" && names.has(node.name);
}

function isNamedLookup(node: Node, names: Set<string>): boolean {
  return (
    node.type === "MemberExpression" &&
    isNamed(node.object, names) &&
    node.property.type === "Identifier" &&
    node.property.name === "named"
  );
}

function literalString(node: Node | undefined): string | undefined {
  return node?.type === "Literal" && typeof node.value === "string" ? node.value : undefined;
}
