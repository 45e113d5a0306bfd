/** A throw-away source tree for tests of discovery and guard, with this repository's packages within reach. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));

/** File contents by name below the root. */
export type Tree = Record<string, string>;

/** The smallest tree that passes: one service with one public endpoint. */
export const GOOD_TREE: Tree = {
  "encore.app": '{ "lang": "typescript" }',
  "package.json": '{ "dependencies": { "encore.dev": "*" } }',
  "tsconfig.json": '{ "compilerOptions": {} } // comments are fine',
  "apps/api/lib/public-route.ts": "export const publicRoute = (handler: () => void) => handler;\n",
  "apps/api/one/encore.service.ts":
    'import { Service } from "encore.dev/service";\nexport default new Service("one");\n',
  "apps/api/one/get.ts": endpoint('{ expose: true, sensitive: true, method: "GET", path: "/one" }'),
};

/** A file with one endpoint `get`, wrapped as the layout wants it. */
export function endpoint(options: string, name = "get"): string {
  return [
    'import { api } from "encore.dev/api";',
    'import { publicRoute } from "../lib/public-route";',
    `export const ${name} = api.raw(${options}, publicRoute(() => {}));`,
    "",
  ].join("\n");
}

/** Writes the tree, runs `work` on its root and removes it again. */
export function withTree<T>(tree: Tree, work: (root: string) => T): T {
  const root = mkdtempSync(join(tmpdir(), "xray-tree-"));
  try {
    for (const [name, text] of Object.entries(tree)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    mkdirSync(join(root, "node_modules"), { recursive: true });
    symlinkSync(join(REPOSITORY, "node_modules/encore.dev"), join(root, "node_modules/encore.dev"));
    return work(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
