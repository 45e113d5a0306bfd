/** The settings file: read as it stands, changed one line at a time, never readable by others. */
import { afterAll, describe, expect, it } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv, readEnvFile, setInEnvFile, withValue } from "../../cli/env-file.mts";
import { mintSecrets } from "../../cli/secrets.mts";

const folder = mkdtempSync(join(tmpdir(), "xray-env-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the settings file", () => {
  it("takes values as they stand, without one pair of quotes, expansion or commands", () => {
    const text = `# hosts\nA=1\n export B = two words \nC="q"\nD='$(id) $HOME'\nE=\n=x\nno\nF=a=b #c\r\nA=2\n`;
    expect(parseEnv(text)).toEqual({ A: "2", B: "two words", C: "q", D: "$(id) $HOME", E: "", F: "a=b #c" });
  });

  it("changes one value and keeps every other line", () => {
    expect(withValue("# top\nA=1\n\nAB=3\n", "A", "2")).toBe("# top\nA=2\n\nAB=3\n");
    expect(withValue("A=1", "B", "2")).toBe("A=1\nB=2\n");
    expect(withValue("", "B", "2")).toBe("B=2\n");
  });

  it("refuses a value that would become two settings", () => {
    expect(() => withValue("", "A", "1\nXRAY_DEMO_MODEL=0")).toThrow(TypeError);
  });

  it("is written for its owner alone, also when it was open before", () => {
    const path = join(folder, "sub", "env");
    setInEnvFile(path, "A", "1");
    writeFileSync(path, "A=1\nB=2\n", { mode: 0o644 });
    setInEnvFile(path, "A", "3");
    expect(readEnvFile(path)).toEqual({ A: "3", B: "2" });
    expect((statSync(path).mode & 0o777).toString(8)).toBe("600");
    expect((statSync(join(folder, "sub")).mode & 0o777).toString(8)).toBe("700");
  });
});

describe("secrets", () => {
  it("are minted once, distinct, of the right length, and private", () => {
    const path = join(folder, "secrets.json");
    const first = mintSecrets(path);
    expect(mintSecrets(path)).toEqual(first);
    expect(Buffer.from(first.configEncryptionKey, "base64").length).toBe(32);
    expect(mintSecrets(join(folder, "other.json")).configEncryptionKey).not.toBe(first.configEncryptionKey);
    expect((statSync(path).mode & 0o777).toString(8)).toBe("600");
  });

  it("that cannot be read are refused and not replaced, since that would void every stored key", () => {
    const path = join(folder, "broken.json");
    writeFileSync(path, "{");
    expect(() => mintSecrets(path)).toThrow("cannot be read");
    expect(readFileSync(path, "utf8")).toBe("{");
  });
});
