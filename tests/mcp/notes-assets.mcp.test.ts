/** The pictures of a series, over the wire: what is stored is a picture whatever it is called, or nothing (§21.3, 11–13). */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "bun:test";
import { createHash } from "node:crypto";
import { LIMITS } from "../../shared/limits";
import { type McpSite, startMcpSite } from "../support/mcp.mts";
import { PICTURES } from "../support/pictures.mts";
import { START_MS } from "../support/site.mts";

let site: McpSite;
beforeAll(async () => {
  site = await startMcpSite({ provider: null });
  await site.mcp.ok("notes_category_upsert", { slug: "craft", name: "Craft", dot: "#112233" });
  await site.mcp.ok("notes_series_upsert", { slug: "essays", categorySlug: "craft", name: "Essays" });
}, START_MS);
afterAll(() => site.stop());
beforeEach(() => site.sql("TRUNCATE notes_assets"));

const PNG = PICTURES.png;
const putting = (bytes: Uint8Array = PNG, more: object = {}) => ({
  seriesSlug: "essays",
  name: "one.png",
  contentType: "image/png",
  dataBase64: Buffer.from(bytes).toString("base64"),
  ...more,
});
const stored = () => site.sql("SELECT name, content_type, byte_size, etag FROM notes_assets ORDER BY name");

describe("a picture", () => {
  it("is stored, served as it was sent, listed without its bytes, and deleted", async () => {
    const { asset, changed } = await site.mcp.ok("notes_asset_put", putting());
    expect([asset, changed]).toEqual([
      {
        seriesSlug: "essays",
        name: "one.png",
        contentType: "image/png",
        byteSize: PNG.length,
        etag: createHash("sha256").update(PNG).digest("hex"),
        revision: asset.revision,
      },
      true,
    ]);
    const served = await fetch(`${site.app.url}/assets/notes/essays/one.png`);
    expect([served.headers.get("content-type"), Buffer.from(await served.arrayBuffer())]).toEqual(["image/png", PNG]);
    expect(await site.mcp.ok("notes_assets_list", { seriesSlug: "essays" })).toEqual({ assets: [asset], total: 1 });
    expect(await site.mcp.ok("notes_asset_put", putting())).toEqual({ asset, changed: false });
    const named = { seriesSlug: "essays", name: "one.png" };
    expect(await site.mcp.ok("notes_asset_delete", named)).toEqual({ asset, changed: true });
    expect(await stored()).toEqual([]);
  });

  it("of each of the four types takes the place of the one before", async () => {
    const types = { png: "image/png", jpeg: "image/jpeg", webp: "image/webp", gif: "image/gif" } as const;
    for (const [extension, contentType] of Object.entries(types)) {
      const bytes = PICTURES[extension as keyof typeof types];
      const args = putting(bytes, { name: `a.${extension}`, contentType });
      expect((await site.mcp.ok("notes_asset_put", args)).asset).toMatchObject({ contentType, byteSize: bytes.length });
    }
    const other = Buffer.concat([PNG, Buffer.from("more")]);
    expect((await site.mcp.ok("notes_asset_put", putting(other, { name: "a.png" }))).changed).toBe(true);
    expect((await site.mcp.ok("notes_assets_list", { seriesSlug: "essays", limit: 2 })).total).toBe(4);
  });

  it("is as large as it may be, and one byte more is refused", async () => {
    const largest = Buffer.concat([PNG, Buffer.alloc(LIMITS.noteAssetBytes - PNG.length)]);
    expect((await site.mcp.ok("notes_asset_put", putting(largest))).asset.byteSize).toBe(LIMITS.noteAssetBytes);
    const before = await stored();
    const tooLarge = Buffer.concat([largest, Buffer.alloc(1)]);
    expect(await site.mcp.refused("notes_asset_put", putting(tooLarge))).toMatchObject({
      error: `A picture is 1 to ${LIMITS.noteAssetBytes} bytes.`,
      field: "dataBase64",
    });
    const more = await site.mcp.refused("notes_asset_put", putting(Buffer.concat([tooLarge, Buffer.alloc(9)])));
    expect(more.field).toBe("dataBase64");
    expect(await stored()).toEqual(before);
  });

  it("has two writers of which the slower is told", async () => {
    const { asset } = await site.mcp.ok("notes_asset_put", putting());
    const write = (letter: string) =>
      site.mcp.call(
        "notes_asset_put",
        putting(Buffer.concat([PNG, Buffer.from(letter)]), { expectedRevision: asset.revision }),
      );
    const both = await Promise.all([write("a"), write("b")]);
    const won = both.find(({ isError }) => !isError)!;
    const lost = both.find(({ isError }) => isError)!;
    expect(lost.result).toMatchObject({ field: "expectedRevision", revision: won.result.asset.revision });
    const stale = { seriesSlug: "essays", name: "one.png", expectedRevision: asset.revision };
    expect((await site.mcp.refused("notes_asset_delete", stale)).field).toBe("expectedRevision");
    expect(await stored()).toHaveLength(1);
  });
});

const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
const HTML = Buffer.from("<!doctype html><script>alert(1)</script>");

describe("what is no picture", () => {
  it.each<[string, Record<string, unknown>, string]>([
    ["SVG by its own name", putting(SVG, { name: "a.svg" }), "name"],
    ["SVG by its own type", putting(SVG, { name: "a.svg", contentType: "image/svg+xml" }), "contentType"],
    ["SVG as PNG", putting(SVG), "dataBase64"],
    ["SVG after two names", putting(SVG, { name: "a.png.svg" }), "name"],
    ["HTML as GIF", putting(HTML, { name: "a.gif", contentType: "image/gif" }), "dataBase64"],
    ["HTML by its own name", putting(HTML, { name: "a.html" }), "name"],
    [
      "HTML that begins nearly as a GIF",
      putting(Buffer.from("GIF89<script>"), { name: "a.gif", contentType: "image/gif" }),
      "dataBase64",
    ],
    ["a PNG called JPEG", putting(PNG, { name: "a.jpg", contentType: "image/jpeg" }), "dataBase64"],
    ["a PNG declared JPEG", putting(PNG, { contentType: "image/jpeg" }), "contentType"],
    ["a JPEG called PNG", putting(PICTURES.jpeg), "dataBase64"],
    ["no byte", putting(Buffer.alloc(0)), "dataBase64"],
    ["no extension", putting(PNG, { name: "png" }), "name"],
    ["a path", putting(PNG, { name: "../one.png" }), "name"],
    ["a folder", putting(PNG, { name: "a/one.png" }), "name"],
    ["a name in capitals", putting(PNG, { name: "One.png" }), "name"],
    ["a hidden name", putting(PNG, { name: ".png" }), "name"],
    ["a name with a NUL", putting(PNG, { name: "a.svg\0.png" }), "name"],
    ["a series that is not there", putting(PNG, { seriesSlug: "none" }), "seriesSlug"],
    ["an argument of its own", putting(PNG, { etag: "0" }), "etag"],
  ])("is refused, and nothing is stored: %s", async (_case, args, field) => {
    const refusal = await site.mcp.refused("notes_asset_put", args);
    expect([refusal.field, refusal.error.endsWith("."), typeof refusal.retry]).toEqual([field, true, "string"]);
    expect(await stored()).toEqual([]);
  });

  const base64 = PNG.toString("base64");
  it.each([
    ["without its padding", base64.replace(/=+$/, "")],
    ["with a line break", `${base64.slice(0, 40)}\n${base64.slice(40)}`],
    ["with a blank", ` ${base64}`],
    ["of the URL alphabet", PNG.toString("base64url")],
    ["with a head", `data:image/png;base64,${base64}`],
    ["in the middle of which it ends", `${base64.slice(0, 40)}=${base64.slice(40)}`],
    ["that is no Base64 at all", "<svg/>"],
  ])("is Base64 %s", async (_case, dataBase64) => {
    const refusal = await site.mcp.refused("notes_asset_put", { ...putting(), dataBase64 });
    expect([refusal.error, refusal.field]).toEqual([expect.stringContaining("not Base64"), "dataBase64"]);
    expect(await stored()).toEqual([]);
  });

  it("cannot be deleted either, and the refusal says what can", async () => {
    await site.mcp.ok("notes_asset_put", putting());
    const refusal = await site.mcp.refused("notes_asset_delete", { seriesSlug: "essays", name: "none.png" });
    expect([refusal.field, refusal.existing]).toEqual(["name", ["one.png"]]);
    for (const tool of ["notes_asset_delete", "notes_assets_list"]) {
      const args = { seriesSlug: "none", ...(tool === "notes_asset_delete" && { name: "one.png" }) };
      const inNone = await site.mcp.refused(tool, args);
      expect([tool, inNone.field, inNone.existing]).toEqual([tool, "seriesSlug", ["essays"]]);
    }
  });
});
