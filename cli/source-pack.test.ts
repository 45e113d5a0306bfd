/** What of a repository is published (§15.3, O1), tried on repositories made for it. */
import { afterAll, describe, expect, it } from "bun:test";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { commitName } from "./git-objects.mts";
import { Refusal } from "./refusal.mts";
import { LEFT_OUT, packCommit, PUBLISHED } from "./source-pack.mts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function folderWith(files: Record<string, string | Buffer>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "xray-pack-")));
  folders.push(root);
  write(root, files);
  return root;
}
function write(root: string, files: Record<string, string | Buffer>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}
function git(root: string, ...args: string[]): string {
  const who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "core.autocrlf=false"];
  return execFileSync("git", [...who, ...args], { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}
function repositoryWith(files: Record<string, string | Buffer>): string {
  const root = folderWith(files);
  git(root, "init", "--quiet");
  return root;
}
/** Commits everything that git does not ignore, and packs that commit. */
async function packed(root: string) {
  git(root, "add", "--all");
  git(root, "commit", "--quiet", "--message", "c");
  return packCommit(root, (await commitName(root))!);
}
const pathsOf = (files: { path: string }[]) => files.map(({ path }) => path);

async function sentenceOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Refusal)) throw new Error(`expected a Refusal, got ${error}`);
  return error.sentence;
}

describe("a pack", () => {
  it("holds the commit's texts with their sizes, lines and hashes", async () => {
    const content = "# 标题\r\n\uFEFF二\n";
    const root = repositoryWith({ "README.md": content, "apps/(x)/[id]/page.tsx": "", "other/a.ts": "1" });
    expect(await packed(root)).toEqual([
      {
        path: "README.md",
        content,
        bytes: Buffer.byteLength(content),
        lines: 2,
        sha256: createHash("sha256").update(content).digest("hex"),
      },
      {
        path: "apps/(x)/[id]/page.tsx",
        content: "",
        bytes: 0,
        lines: 0,
        sha256: createHash("sha256").digest("hex"),
      },
    ]);
  });

  it("holds nothing that was not committed: no secret beside the source, no changed or staged text (O1)", async () => {
    const root = repositoryWith({ ".gitignore": ".env*\n", "apps/a.ts": "committed\n", "apps/.env": "KEY=ignored" });
    git(root, "add", "--all");
    git(root, "commit", "--quiet", "--message", "c");
    write(root, {
      ".env": "KEY=1",
      "apps/.env.local": "KEY=2",
      "apps/secret.ts": "untracked",
      "apps/staged.ts": "staged",
      "apps/a.ts": "changed\n",
    });
    git(root, "add", "apps/staged.ts");
    const files = await packCommit(root, (await commitName(root))!);
    expect(files.map(({ path, content }) => [path, content])).toEqual([
      [".gitignore", ".env*\n"],
      ["apps/a.ts", "committed\n"],
    ]);
    // The plants would be found by whoever reads the folder.
    expect(git(root, "status", "--short", "--ignored")).toContain("!! .env");
  });

  it("is of the commit that is named, not of the newest", async () => {
    const root = repositoryWith({ "apps/a.ts": "old" });
    await packed(root);
    const old = (await commitName(root))!;
    write(root, { "apps/a.ts": "new" });
    await packed(root);
    expect((await packCommit(root, old))[0]!.content).toBe("old");
    expect(await commitName(root, old.slice(0, 10))).toBe(old);
  });

  it("leaves out pictures, fonts, lockfiles and the settings of tools", async () => {
    const out = [
      ".claude/settings.json",
      ".mcp.json",
      ".npmrc",
      "AGENTS.md",
      "CLAUDE.md",
      "apps/.vscode/settings.json",
      "apps/CLAUDE.md",
      "apps/package-lock.json",
      "apps/web/font.woff2",
      "apps/web/icon.svg",
      "design/board.md",
      "docs/images/a.PNG",
      "package-lock.json",
    ];
    const root = repositoryWith({ "apps/a.ts": "1", ...Object.fromEntries(out.map((path) => [path, "x"])) });
    expect(pathsOf(await packed(root))).toEqual(["apps/a.ts"]);
  });

  const refusals: [string, Record<string, string | Buffer>, string][] = [
    ["an extension of no kind", { "apps/a.exe": "MZ" }, '"apps/a.exe" is of no kind that may be kept'],
    ["a secret that somebody committed", { "apps/.env": "KEY=1" }, '"apps/.env" is of no kind that may be kept'],
    ["a page", { "apps/a.html": "<p>" }, '"apps/a.html" is of no kind that may be kept'],
    ["a name that no path may have", { "docs/a b.md": "1" }, '"docs/a b.md" has a character'],
    ["a name in Chinese", { "docs/说明.md": "1" }, '"docs/\\u8bf4\\u660e.md" has a character'],
    ["bytes that are no UTF-8", { "apps/a.ts": Buffer.of(0x61, 0xff) }, '"apps/a.ts" is not UTF-8.'],
    ["a NUL", { "apps/a.ts": "a\0b" }, '"apps/a.ts" holds a NUL'],
    ["a file too large", { "apps/a.ts": "x".repeat(262_145) }, '"apps/a.ts" is larger than 262144 bytes.'],
    ["no file at all", { "elsewhere.ts": "1" }, "The pack is empty."],
  ];
  it.each(refusals)("is refused for %s, which is named", async (_case, files, sentence) => {
    expect(await sentenceOf(packed(repositoryWith(files)))).toStartWith(sentence);
  });

  it("is refused for a link, wherever it leads", async () => {
    const root = repositoryWith({ "apps/a.ts": "1" });
    symlinkSync("/etc/passwd", join(root, "apps/b.ts"));
    expect(await sentenceOf(packed(root))).toBe('"apps/b.ts" is a link, and only files are published.');
  });
});

describe("the commit", () => {
  it("is none in a folder without git, in a folder of another repository, and in one without a commit", async () => {
    expect(await commitName(folderWith({ "a.ts": "1" }))).toBeNull();
    const root = repositoryWith({ "archive/README.md": "1" });
    await packed(root).catch(() => {});
    expect(await commitName(join(root, "archive"))).toBeNull();
    expect(await commitName(root)).toMatch(/^[0-9a-f]{40}$/);
  });

  it("must be known", async () => {
    const root = repositoryWith({ "apps/a.ts": "1" });
    expect(await sentenceOf(commitName(root))).toBe("git knows no commit HEAD.");
    await packed(root);
    for (const name of ["nowhere", "--all", "f".repeat(40), "HEAD:apps/a.ts"]) {
      expect(await sentenceOf(commitName(root, name))).toBe(`git knows no commit ${name}.`);
    }
  });

  it("is read from the folder's own repository, whatever the environment names", async () => {
    const root = repositoryWith({ "apps/a.ts": "mine" });
    await packed(root);
    const mine = await commitName(root);
    const other = repositoryWith({ "apps/a.ts": "other" });
    await packed(other);
    process.env.GIT_DIR = join(other, ".git");
    try {
      expect(await commitName(root)).toBe(mine);
    } finally {
      delete process.env.GIT_DIR;
    }
  });
});

describe("this repository", async () => {
  const root = join(import.meta.dir, "..");
  // A downloaded archive has no commit, and nothing to publish.
  const sha = await commitName(root);

  it.skipIf(sha === null)(
    "can be published, and every name at its root is published or left out on purpose",
    async () => {
      const paths = pathsOf(await packCommit(root, sha!));
      expect(paths).toContain("cli/main.mts");
      expect(paths).toContain("README.md");
      const names = git(root, "ls-tree", "--name-only", sha!).trim().split("\n");
      expect(names.filter((name) => !PUBLISHED.has(name) && !LEFT_OUT.has(name))).toEqual([]);
    },
  );
});
