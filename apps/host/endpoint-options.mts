/**
 * Reads the options of one `api.raw({…}, handler)` by Encore's rules: all literal, no unknown key, a path that its
 * router accepts. Gives the endpoint's description, or the offences that Encore would report.
 */
import { LIMITS } from "../../shared/limits.ts";
import { type LiteralValue, literalValue, type Node, type Offence, offence, type ParsedFile } from "./syntax.mts";

export const METHODS = ["GET", "POST", "PATCH", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE"] as const;

export interface EndpointOptions {
  methods: string[];
  path: string;
  expose: boolean;
  /** Bytes of request body before the stream breaks; null for no limit. */
  bodyLimit: number | null;
  tags: string[];
  sensitive: boolean;
}

/** `fallbackPath` is what Encore uses where the options name no path: `/<service>.<endpoint>`. */
export function readEndpointOptions(
  file: ParsedFile,
  node: Node | undefined,
  fallbackPath: string,
): { options: EndpointOptions } | { offences: Offence[] } {
  if (node?.type !== "ObjectExpression") {
    return refuse(file, node ?? file.program, "The options of api.raw are no object literal.", "Write them in place.");
  }
  const literal = literalValue(node);
  if ("notLiteral" in literal) {
    const remedy = "Encore reads options from the text: write literals, no shorthand, spread or computed key.";
    return refuse(file, literal.notLiteral, "An endpoint option is not a literal.", remedy);
  }
  const values = literal.value as { [key: string]: LiteralValue };
  const offences = Object.entries(values).flatMap(([key, value]) => {
    const problem = Object.hasOwn(CHECKS, key) ? CHECKS[key]!(value) : `Encore knows no endpoint option "${key}".`;
    return problem === undefined ? [] : [offence(file, node.start, problem, "Correct the option.")];
  });
  if (offences.length > 0) return { offences };
  return {
    options: {
      methods: methodsOf(values.method ?? "POST"),
      path: (values.path as string | undefined) ?? fallbackPath,
      expose: values.expose === true,
      bodyLimit: values.bodyLimit === undefined ? LIMITS.hostBodyBytes : (values.bodyLimit as number | null),
      tags: (values.tags as string[] | undefined) ?? [],
      sensitive: values.sensitive === true,
    },
  };
}

function refuse(file: ParsedFile, node: Node, problem: string, remedy: string): { offences: Offence[] } {
  return { offences: [offence(file, node.start, problem, remedy)] };
}

function methodsOf(value: LiteralValue): string[] {
  if (value === "*") return [...METHODS];
  return Array.isArray(value) ? (value as string[]) : [value as string];
}

const CHECKS: Record<string, (value: LiteralValue) => string | undefined> = {
  method: (value) => {
    const known = methodsOf(value).every((method) => (METHODS as readonly string[]).includes(method));
    return known && (!Array.isArray(value) || value.length > 0) ? undefined : "The method is none that Encore routes.";
  },
  path: (value) => (typeof value === "string" ? pathProblem(value) : "The path is no string."),
  expose: booleanProblem("expose"),
  sensitive: booleanProblem("sensitive"),
  auth: (value) => (value === false ? undefined : "auth needs an auth handler, and the bundled host runs none."),
  bodyLimit: (value) =>
    value === null || (Number.isSafeInteger(value) && (value as number) >= 0)
      ? undefined
      : "bodyLimit is neither null nor a count of bytes.",
  tags: (value) =>
    Array.isArray(value) && value.every((tag) => typeof tag === "string") ? undefined : "tags is no list of strings.",
};

function booleanProblem(key: string): (value: LiteralValue) => string | undefined {
  return (value) => (typeof value === "boolean" ? undefined : `${key} is neither true nor false.`);
}

/** Why Encore refuses the path, or undefined. `!name` fallbacks are Encore's, but the bundled host has no router for them. */
function pathProblem(path: string): string | undefined {
  if (!path.startsWith("/")) return "The path does not begin with a slash.";
  if (/[?#]/.test(path)) return "The path holds a query or a fragment.";
  if (path === "/") return undefined;
  const segments = path.slice(1).split("/");
  if (segments.includes("")) return "The path has an empty segment or a slash at its end.";
  const names = segments.filter((segment) => /^[:*]/.test(segment)).map((segment) => segment.slice(1));
  if (names.some((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))) return "A path parameter has no valid name.";
  if (new Set(names).size !== names.length) return "Two path parameters have the same name.";
  if (segments.some((segment) => segment.startsWith("!"))) return "The bundled host routes no ! fallback.";
  if (segments.slice(0, -1).some((segment) => segment.startsWith("*"))) return "A wildcard is not the last segment.";
  return undefined;
}
