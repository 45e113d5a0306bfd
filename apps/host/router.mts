/**
 * Finds the route of a path by Encore's rules: the path decides first and the method afterwards; in each segment a
 * literal beats `:name`, which beats a final `*name`; a slash at the end is the same route unless a wildcard claims it.
 */
export interface RouteMatch<T> {
  /** By method, what was added for this path. */
  methods: ReadonlyMap<string, T>;
  /** Values of the path's parameters in order, undecoded. */
  values: string[];
}

interface RouteNode<T> {
  literals: Map<string, RouteNode<T>>;
  parameter: RouteNode<T> | undefined;
  /** What a wildcard at this place leads to. */
  wildcard: Map<string, T> | undefined;
  methods: Map<string, T>;
}

export class Router<T> {
  readonly #root: RouteNode<T> = newNode();
  /** Paths without parameters: a literal beats everything, so a whole match needs no walk. */
  readonly #literals = new Map<string, RouteMatch<T>>();

  /** `path` is in Encore's notation; a method added twice for one path is the caller's mistake. */
  add(methods: readonly string[], path: string, target: T): void {
    let node = this.#root;
    let leaf: Map<string, T> | undefined;
    for (const segment of path === "/" ? [] : path.slice(1).split("/")) {
      if (segment.startsWith("*")) leaf = node.wildcard ??= new Map();
      else if (segment.startsWith(":")) node = node.parameter ??= newNode();
      else node = childOf(node, segment);
    }
    leaf ??= node.methods;
    for (const method of methods) leaf.set(method, target);
    if (!/\/[:*]/.test(path)) this.#literals.set(path, { methods: leaf, values: [] });
  }

  /** The route of a path without its query, or undefined. */
  find(path: string): RouteMatch<T> | undefined {
    return this.#literals.get(path) ?? match(this.#root, path === "/" ? [] : path.slice(1).split("/"), 0);
  }
}

/** Names of the parameters of a path, in the order of `RouteMatch.values`. */
export function parameterNames(path: string): string[] {
  return path
    .split("/")
    .filter((segment) => /^[:*]/.test(segment))
    .map((segment) => segment.slice(1));
}

function newNode<T>(): RouteNode<T> {
  return { literals: new Map(), parameter: undefined, wildcard: undefined, methods: new Map() };
}

function childOf<T>(node: RouteNode<T>, segment: string): RouteNode<T> {
  const child = node.literals.get(segment) ?? newNode<T>();
  node.literals.set(segment, child);
  return child;
}

function match<T>(node: RouteNode<T>, segments: string[], at: number): RouteMatch<T> | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.methods.size > 0 ? { methods: node.methods, values: [] } : undefined;
  const isLastSlash = segment === "" && at === segments.length - 1;
  if (isLastSlash) {
    if (node.wildcard !== undefined) return { methods: node.wildcard, values: [] };
    return node.methods.size > 0 ? { methods: node.methods, values: [] } : undefined;
  }
  const literal = node.literals.get(segment);
  const found = literal && match(literal, segments, at + 1);
  if (found) return found;
  if (node.parameter !== undefined && segment !== "") {
    const below = match(node.parameter, segments, at + 1);
    if (below) return { methods: below.methods, values: [segment, ...below.values] };
  }
  return node.wildcard && { methods: node.wildcard, values: [segments.slice(at).join("/")] };
}
