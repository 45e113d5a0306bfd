/**
 * Static reading of one source file: its syntax tree, its imports, and the values of literals. Encore decides from the
 * text alone what an endpoint is, so a value that is not a literal has no value here.
 */
import { type Node, type Program, parseSync, type StaticImport, visitorKeys } from "oxc-parser";
import type { SourceFile } from "./source-tree.mts";

export type { Node };

/** Something that Encore, or this repository's layout, does not accept; with what to do about it. */
export interface Offence {
  file: string;
  line: number;
  problem: string;
  remedy: string;
}

export interface ParsedFile extends SourceFile {
  program: Program;
  imports: StaticImport[];
  /** Syntax errors, one message each. */
  errors: { message: string; start: number }[];
}

export function parseSource(file: SourceFile): ParsedFile {
  const { program, module, errors } = parseSync(file.path, file.text);
  return {
    ...file,
    program,
    imports: module.staticImports,
    errors: errors.map((error) => ({ message: error.message, start: error.labels[0]?.start ?? 0 })),
  };
}

export function offence(file: SourceFile, start: number, problem: string, remedy: string): Offence {
  return { file: file.name, line: lineAt(file.text, start), problem, remedy };
}

function lineAt(text: string, start: number): number {
  return text.slice(0, start).split("\n").length;
}

/** Local names bound to `name` of the module `specifier`: `import { api as a } from "encore.dev/api"` gives `a`. */
export function localNames(file: ParsedFile, specifier: string, name: string): Set<string> {
  return new Set(
    file.imports
      .filter((declaration) => declaration.moduleRequest.value === specifier)
      .flatMap((declaration) => declaration.entries)
      .filter((entry) => entry.importName.kind === "Name" && entry.importName.name === name && !entry.isType)
      .map((entry) => entry.localName.value),
  );
}

/** Calls `enter` for every node, parents first; `parents` is the chain from the program down to the node's parent. */
export function walkNodes(node: Node, enter: (node: Node, parents: readonly Node[]) => void): void {
  const parents: Node[] = [];
  const visit = (current: Node) => {
    enter(current, parents);
    parents.push(current);
    for (const key of visitorKeys[current.type] ?? []) {
      const child = (current as unknown as Record<string, unknown>)[key];
      for (const item of Array.isArray(child) ? child : [child]) if (item) visit(item as Node);
    }
    parents.pop();
  };
  visit(node);
}

/** A literal's value, or the offending node. Accepts what Encore's parser accepts: integers may be `+ - * /` of literals. */
export type Literal = { value: LiteralValue } | { notLiteral: Node };
export type LiteralValue = string | number | boolean | null | LiteralValue[] | { [key: string]: LiteralValue };

export function literalValue(node: Node): Literal {
  switch (node.type) {
    case "Literal":
      return typeof node.value === "object" && node.value !== null
        ? { notLiteral: node }
        : { value: node.value as LiteralValue };
    case "ArrayExpression":
      return literalArray(node.elements);
    case "ObjectExpression":
      return literalObject(node);
    case "BinaryExpression":
      return literalArithmetic(node);
    default:
      return { notLiteral: node };
  }
}

function literalArray(elements: readonly (Node | null)[]): Literal {
  const values: LiteralValue[] = [];
  for (const element of elements) {
    if (element === null) continue;
    const literal = literalValue(element);
    if ("notLiteral" in literal) return literal;
    values.push(literal.value);
  }
  return { value: values };
}

function literalObject(node: Node & { type: "ObjectExpression" }): Literal {
  const values: { [key: string]: LiteralValue } = {};
  for (const property of node.properties) {
    if (property.type !== "Property" || property.computed || property.shorthand || property.method) {
      return { notLiteral: property };
    }
    const literal = literalValue(property.value);
    if ("notLiteral" in literal) return literal;
    values[
      property.key.type === "Identifier" ? property.key.name : String((property.key as { value: unknown }).value)
    ] = literal.value;
  }
  return { value: values };
}

function literalArithmetic(node: Node & { type: "BinaryExpression" }): Literal {
  const left = literalValue(node.left);
  const right = literalValue(node.right);
  if ("notLiteral" in left) return left;
  if ("notLiteral" in right) return right;
  if (typeof left.value !== "number" || typeof right.value !== "number") return { notLiteral: node };
  const [a, b] = [left.value, right.value];
  switch (node.operator) {
    case "+":
      return { value: a + b };
    case "-":
      return { value: a - b };
    case "*":
      return { value: a * b };
    case "/":
      return { value: Math.trunc(a / b) };
    default:
      return { notLiteral: node };
  }
}
