/** Pictures of a series (§16.3): name, type and bytes agree, SVG and pages never, and what is stored is what was put. */
import { beforeAll, describe, expect, test } from "bun:test";
import { LIMITS } from "../../../shared/limits";
import { databaseForFile } from "../../../tests/support/database-for-file.mts";
import { PICTURES } from "../../../tests/support/pictures.mts";
import { deleteSeries, upsertCategory, upsertSeries } from "./notes-admin";
import { deleteAsset, listAssets, putAsset, readAsset } from "./notes-assets";

const opened = databaseForFile();
const { png, jpeg, webp, gif } = PICTURES;
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
const HTML = Buffer.from("<!doctype html><script>alert(1)</script>");

const put = (name: string, contentType: string, bytes: Uint8Array) =>
  putAsset(opened.db, { seriesSlug: "kernel", name, contentType, bytes });

beforeAll(async () => {
  await upsertCategory(opened.db, { slug: "c", name: "C", dot: "#000000" });
  await upsertSeries(opened.db, { slug: "kernel", categorySlug: "c", name: "Kernel" });
});

describe("a picture", () => {
  test.each([
    ["a.png", "image/png", png],
    ["a.jpg", "image/jpeg", jpeg],
    ["b.jpeg", "image/jpeg", jpeg],
    ["a.webp", "image/webp", webp],
    ["a.gif", "image/gif", gif],
  ])("%s as %s is stored to the byte", async (name, contentType, bytes) => {
    const { row, changed } = await put(name, contentType, bytes);
    const etag = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    const revision = expect.any(String);
    expect({ row, changed }).toEqual({
      row: { seriesSlug: "kernel", name, contentType, byteSize: bytes.length, etag, revision },
      changed: true,
    });
    const { bytes: read, ...rest } = (await readAsset(opened.db, "kernel", name))!;
    expect(rest).toEqual({ contentType, etag });
    expect(Buffer.compare(read, bytes)).toBe(0);
    expect((await put(name, contentType, bytes)).changed).toBe(false);
  });

  test("replaces the one of its name, is listed, and goes", async () => {
    const before = await put("z.png", "image/png", png);
    const after = await put("z.png", "image/png", Buffer.concat([png, Buffer.from("more")]));
    expect([after.changed, after.row.etag === before.row.etag]).toEqual([true, false]);
    expect((await listAssets(opened.db, "kernel"))!.map(({ name }) => name)).toEqual([
      "a.gif",
      "a.jpg",
      "a.png",
      "a.webp",
      "b.jpeg",
      "z.png",
    ]);
    const stale = { code: "stale_revision", current: after.row.revision };
    await expect(
      deleteAsset(opened.db, "kernel", "z.png", { expectedRevision: before.row.revision }),
    ).rejects.toMatchObject(stale);
    expect((await deleteAsset(opened.db, "kernel", "z.png")).row).toEqual(after.row);
    await expect(deleteAsset(opened.db, "kernel", "z.png")).rejects.toMatchObject({ code: "not_found" });
    expect(await readAsset(opened.db, "kernel", "z.png")).toBeNull();
    expect(await listAssets(opened.db, "none")).toBeNull();
  });

  test("goes with its series", async () => {
    await upsertSeries(opened.db, { slug: "gone", categorySlug: "c", name: "Gone" });
    await putAsset(opened.db, { seriesSlug: "gone", name: "a.png", contentType: "image/png", bytes: png });
    await deleteSeries(opened.db, "gone", false);
    expect(await readAsset(opened.db, "gone", "a.png")).toBeNull();
  });

  test("of 4 MiB is stored, of one byte more not", async () => {
    const large = Buffer.concat([png, Buffer.alloc(LIMITS.noteAssetBytes - png.length)]);
    expect((await put("large.png", "image/png", large)).row.byteSize).toBe(LIMITS.noteAssetBytes);
    await expect(put("larger.png", "image/png", Buffer.concat([large, Buffer.alloc(1)]))).rejects.toMatchObject({
      facts: { field: "bytes" },
    });
  });
});

describe("never stored:", () => {
  test.each<[string, string, string, Uint8Array]>([
    ["bytes", "svg.png", "image/png", SVG],
    ["bytes", "html.png", "image/png", HTML],
    ["bytes", "html.gif", "image/gif", HTML],
    ["bytes", "png.webp", "image/webp", png],
    ["bytes", "empty.png", "image/png", Buffer.alloc(0)],
    ["bytes", "short.png", "image/png", png.subarray(0, 7)],
    ["bytes", "riff.webp", "image/webp", Buffer.from("RIFF\0\0\0\0WAVE")],
    ["contentType", "a.png", "image/gif", png],
    ["contentType", "a.png", "image/svg+xml", SVG],
    ["contentType", "a.png", "text/html", HTML],
    ["contentType", "a.png", "image/png; charset=x", png],
    ["name", "a.svg", "image/svg+xml", SVG],
    ["name", "a.html", "text/html", HTML],
    ["name", "a.png.svg", "image/png", png],
    ["name", "a", "image/png", png],
    ["name", "a.PNG", "image/png", png],
    ["name", "../a.png", "image/png", png],
    ["name", ".png", "image/png", png],
    ["name", `${"a".repeat(93)}.png`, "image/png", png],
  ])("for its %s, %s as %s", async (field, name, contentType, bytes) => {
    await expect(put(name, contentType, bytes)).rejects.toMatchObject({ code: "invalid", facts: { field } });
    if (!name.startsWith("a.")) expect(await readAsset(opened.db, "kernel", name)).toBeNull();
  });

  test("for a series that is not there", async () => {
    const write = putAsset(opened.db, { seriesSlug: "none", name: "a.png", contentType: "image/png", bytes: png });
    await expect(write).rejects.toMatchObject({ code: "missing_reference", facts: { allowed: ["kernel"] } });
  });
});
