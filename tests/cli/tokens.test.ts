/** Tokens of the admin endpoint as the command line keeps them: hashes in the settings file, each plain token once. */
import { afterEach, beforeEach, describe, expect, it } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clientText } from "../../cli/commands/token.mts";
import { type Paths, pathsOf } from "../../cli/paths.mts";
import { keptTokens, localToken, mintLocalToken, mintToken, revokeToken, tokenHashes } from "../../cli/tokens.mts";
import { withEnvironment } from "../support/environment.mts";

let home: string;
let paths: Paths;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "xray-tokens-"));
  paths = pathsOf({ XRAY_HOME: home });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const hash = (token: string) => createHash("sha256").update(token).digest("hex");
const settings = () => readFileSync(paths.env, "utf8");

describe("minting", () => {
  it("keeps the hash and not the token, beside what the file held", () => {
    writeFileSync(paths.env, "# mine\nSITE_ORIGIN=https://site.example\n");
    const laptop = mintToken(paths, "laptop", false);
    const phone = mintToken(paths, "phone", true);
    expect(settings()).toBe(
      `# mine\nSITE_ORIGIN=https://site.example\nMCP_AUTH_TOKEN_HASH=laptop:${hash(laptop)},phone:${hash(phone)}:ro\n`,
    );
    expect(statSync(paths.env).mode & 0o777).toBe(0o600);
    expect([laptop, phone].map((token) => /^xray_[A-Za-z0-9_-]{43}$/.test(token))).toEqual([true, true]);
  });

  it.each([
    ["a name that is taken", "laptop", "There is a token named laptop already."],
    ["this machine's own name", "local", "local is the name of this machine's own token. Choose another --name."],
    ["a name that is none", "My Laptop", "--name is lower-case letters, digits, dots and dashes, at most 32."],
    ["a name with a separator", "a:b", "--name is lower-case letters, digits, dots and dashes, at most 32."],
  ])("refuses %s and changes nothing", (_case, name, sentence) => {
    mintToken(paths, "laptop", false);
    const before = settings();
    expect(() => mintToken(paths, name, false)).toThrow(sentence);
    expect(settings()).toBe(before);
  });

  it("refuses while the shell names the tokens, and reads those", () =>
    withEnvironment({ MCP_AUTH_TOKEN_HASH: `shell:${hash("x")}` }, () => {
      expect(() => mintToken(paths, "laptop", false)).toThrow("stands before the settings file");
      expect(() => revokeToken(paths, "shell")).toThrow("stands before the settings file");
      expect(keptTokens(paths).map(({ name }) => name)).toEqual(["shell"]);
      expect(existsSync(paths.env)).toBe(false);
    }));

  it("prints the token in the command of one client and in the block of the others", () => {
    const text = clientText("laptop", "xray_secret", true, "http://localhost:3000/api/mcp");
    expect(text).toContain("Token laptop, for reading only.");
    expect(text).toContain(
      'claude mcp add --transport http agent-x-ray http://localhost:3000/api/mcp --header "Authorization: Bearer xray_secret"',
    );
    expect(JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1))).toEqual({
      mcpServers: {
        "agent-x-ray": {
          type: "http",
          url: "http://localhost:3000/api/mcp",
          headers: { Authorization: "Bearer xray_secret" },
        },
      },
    });
  });
});

describe("taking back", () => {
  it("removes that token and leaves the others", () => {
    mintToken(paths, "laptop", false);
    const phone = mintToken(paths, "phone", true);
    revokeToken(paths, "laptop");
    expect(settings()).toBe(`MCP_AUTH_TOKEN_HASH=phone:${hash(phone)}:ro\n`);
    expect(() => revokeToken(paths, "laptop")).toThrow("There is no token named laptop.");
  });
});

describe("this machine's own token", () => {
  it("is new at each start, private, and counts beside the kept ones", () => {
    const first = mintLocalToken(paths);
    expect(localToken(paths)).toBe(first);
    const second = mintLocalToken(paths);
    const laptop = mintToken(paths, "laptop", false);
    expect(second).not.toBe(first);
    expect(statSync(paths.localToken).mode & 0o777).toBe(0o600);
    expect(tokenHashes(paths)).toBe(`laptop:${hash(laptop)},local:${hash(second)}`);
  });

  it("is not the one that somebody wrote into the settings under its name", () => {
    writeFileSync(paths.env, `MCP_AUTH_TOKEN_HASH=local:${hash("planted")}\n`);
    expect(tokenHashes(paths)).toBe("");
    const own = mintLocalToken(paths);
    expect(tokenHashes(paths)).toBe(`local:${hash(own)}`);
  });
});

it("refuses a list that cannot be read, naming where it stands", () => {
  writeFileSync(paths.env, "MCP_AUTH_TOKEN_HASH=laptop:1234\n");
  for (const use of [() => keptTokens(paths), () => tokenHashes(paths), () => mintToken(paths, "phone", false)]) {
    expect(use).toThrow(`MCP_AUTH_TOKEN_HASH in ${paths.env} cannot be read`);
  }
});
