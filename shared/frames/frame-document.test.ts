import { describe, expect, it } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FRAME_POLICY, frameDocument } from "./frame-document";
import { FRAME_INKS } from "./frame-theme";

describe("the document of a frame", () => {
  it("has its policy before anything that could load, and the fragment last", () => {
    const text = frameDocument("<p>x</p>", "light");
    const head = `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${FRAME_POLICY}"><style>`;
    expect(text.startsWith(head)).toBe(true);
    expect(text.endsWith("</style></head><body><p>x</p></body></html>")).toBe(true);
    expect(FRAME_POLICY).toBe("default-src 'none'; style-src 'unsafe-inline'");
  });

  it("is dark on the screen only", () => {
    expect(frameDocument("", "light")).not.toContain("color-scheme:dark");
    expect(frameDocument("", "dark")).toContain("@media not print{:root{color-scheme:dark;--sheet:#11181d;");
  });
});

it("the inks of a frame are the page's", () => {
  const tokens = readFileSync(join(import.meta.dirname, "../../apps/web/app/tokens.css"), "utf8");
  for (const [index, theme] of (["light", "dark"] as const).entries()) {
    const values = [...tokens.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].filter(
      ([, name]) => name! in FRAME_INKS.light,
    );
    const half = values.length / 2;
    const ofTheme = values.slice(index * half, (index + 1) * half).map(([, name, value]) => [name!, value!]);
    expect(Object.fromEntries(ofTheme)).toEqual({ ...FRAME_INKS[theme] });
    expect(ofTheme).toHaveLength(Object.keys(FRAME_INKS[theme]).length);
  }
});
