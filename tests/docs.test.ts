/** The documents say what is so: their tables are the code's, and every path, command and variable they name exists. */
import { describe, expect, it, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { readWords } from "../cli/args.mts";
import { COMMANDS } from "../cli/commands.mts";
import { DOC_TABLES, withTable } from "../cli/doc-tables.mts";
import { filesBelow } from "../cli/files.mts";
import { MODEL_APIS } from "../shared/model-apis";

const ROOT = join(import.meta.dir, "..");
const OUTSIDE = /^(node_modules|\.git|\.next|\.xray|screenshots)$/;
const files = filesBelow(ROOT, OUTSIDE).map((path) => relative(ROOT, path));
const textOf = (file: string) => readFileSync(join(ROOT, file), "utf8");
const documents = files.filter((file) => file.endsWith(".md"));
const sources = files.filter((file) => /^(apps|cli|shared|bench|tests)\//.test(file) && /\.m?tsx?$/.test(file));

describe("tables", () => {
  for (const { file, name, text } of DOC_TABLES) {
    test(`${file} lists the ${name} as they are`, () => {
      const document = textOf(file);
      expect(document).toBe(withTable(document, name, text));
    });
  }
});

describe("paths", () => {
  it("that a document links to exist", () => {
    const links = documents.flatMap((file) =>
      [...textOf(file).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target]) => target!.replace(/#.*$/, ""))
        // Addresses of the site and of other sites are no files; the notes' own test follows the former.
        .filter((target) => target !== "" && !/^([a-z]+:|\/)/.test(target))
        .map((target) => ({ file, target })),
    );
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter(({ file, target }) => !existsSync(join(ROOT, dirname(file), target)))).toEqual([]);
  });

  it("that a document names in code are there", () => {
    const named = documents.flatMap((file) =>
      [
        ...textOf(file).matchAll(/`((?:\.\/)?(?:apps|cli|shared|tests|docs|bench|samples|deploy|rounds)\/[^`\s]*)`/g),
      ].map(([, path]) => ({ file, path: path! })),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(({ path }) => !files.some((file) => isNamedBy(file, path)))).toEqual([]);
  });
});

/** A path in a document may stand for a folder, and `<name>` for any one. */
function isNamedBy(file: string, path: string): boolean {
  const pattern = path.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replace(/<\w+>/g, "[^/]+");
  return new RegExp(`^${pattern}(?:$|/|(?<=/))`).test(file);
}

it("every protocol of a model is named where models are described", () => {
  for (const file of ["docs/architecture.md", "docs/operations.md"]) {
    expect(MODEL_APIS.filter((name) => !textOf(file).includes(`\`${name}\``))).toEqual([]);
  }
});

describe("commands", () => {
  it("in the help can all be loaded", async () => {
    for (const [name, { load }] of Object.entries(COMMANDS)) {
      expect([name, typeof (await load()).default]).toEqual([name, "function"]);
    }
  });

  it("in a document are words that the command line takes", () => {
    const lines = documents.flatMap((file) =>
      [...textOf(file).matchAll(/\.\/xray ([^`\n|#]+)/g)].map(([, words]) => ({ file, words: words!.trim() })),
    );
    expect(lines.length).toBeGreaterThan(15);
    expect(
      lines.flatMap(({ file, words }) => faultOf(words).map((fault) => `${file}: ./xray ${words}: ${fault}`)),
    ).toEqual([]);
  });

  it("that the code points people to exist", () => {
    // Only the first word can be told from the sentence that goes on behind it.
    const first = new Set(["help", "COMMAND", ...Object.keys(COMMANDS).map((name) => name.split(" ")[0]!)]);
    const said = sources
      .filter((file) => !/\.test\./.test(file))
      .flatMap((file) =>
        [...textOf(file).matchAll(/(?<![\w/"])\.\/xray ([a-zA-Z]+)/g)].map(([, word]) => ({ file, word: word! })),
      );
    expect(said.length).toBeGreaterThan(20);
    expect(said.filter(({ word }) => !first.has(word) && word !== "again")).toEqual([]);
  });

  it("are judged by rules that catch what they are for", () => {
    expect(
      [faultOf("upp"), faultOf("up --prot 1"), faultOf("provider add --name"), faultOf("up --port 1")].map(String),
    ).toEqual(["no such command", "There is no option --prot.", "--name needs a value: --name NAME.", ""]);
  });
});

function faultOf(line: string): string[] {
  const words = line.split(/\s+/);
  if (words[0] === "help") return [];
  const two = COMMANDS[`${words[0]} ${words[1]}`];
  const command = two ?? COMMANDS[words[0]!];
  if (!command) return ["no such command"];
  try {
    readWords(words.slice(two ? 2 : 1), command.options, command.words?.length ?? 0);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

describe("variables", () => {
  /** The system's own, and what we set for others and never read. */
  const NOT_OURS = /^(PATH|HOME|TERM|TMPDIR|NODE_ENV|NEXT_TELEMETRY_DISABLED|ENCORE_RUNTIME_LIB)$/;
  const IN_CODE = /\benv(?:ironment)?\.([A-Z][A-Z_]{2,})\b/g;
  const IN_SHELL = /\$\{([A-Z][A-Z_]{2,})[:}-]/g;
  const IN_INFRA = /"\$env": "([A-Z_]+)"/g;

  it("of the environment that anything reads are documented", () => {
    const namesIn = (file: string, pattern: RegExp) => [...textOf(file).matchAll(pattern)].map(([, name]) => name!);
    const read = [
      ...sources.filter((file) => !/\.test\.|__tests__\//.test(file)).flatMap((file) => namesIn(file, IN_CODE)),
      ...["xray", ".ci/run"].flatMap((file) => namesIn(file, IN_SHELL)),
      ...namesIn("deploy/infra.json", IN_INFRA),
    ].filter((name) => !NOT_OURS.test(name));
    expect(new Set(read).size).toBeGreaterThan(12);
    const told = textOf("docs/operations.md") + textOf("apps/host/README.md");
    expect([...new Set(read)].filter((name) => !told.includes(`\`${name}\``))).toEqual([]);
  });
});
