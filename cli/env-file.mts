/**
 * The settings file of a site, `.xray/env`: `NAME=value` a line, comments and order kept when one value changes.
 * Values are taken as they stand, without quoting or expansion; one pair of quotes around a value is dropped.
 */
import { readIfThere, writePrivate } from "./files.mts";

export function parseEnv(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$/.exec(line);
    if (!match) continue;
    found[match[1]!] = match[2]!.replace(/^(["'])(.*)\1$/, "$2");
  }
  return found;
}

/** The text with one value set: its last line replaced, or a line added. */
export function withValue(text: string, name: string, value: string): string {
  if (/[\r\n]/.test(value)) throw new TypeError("a setting is one line");
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const isName = new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=`);
  const at = lines.findLastIndex((line) => isName.test(line));
  if (at >= 0) lines[at] = `${name}=${value}`;
  else lines.push(`${name}=${value}`);
  return `${lines.join("\n")}\n`;
}

export function readEnvFile(path: string): Record<string, string> {
  return parseEnv(readIfThere(path) ?? "");
}

export function setInEnvFile(path: string, name: string, value: string): void {
  writePrivate(path, withValue(readIfThere(path) ?? "", name, value));
}
