/**
 * Fills an empty library with the sample notes of `samples/notes`, so that a new installation has something to read.
 * A library that holds anything belongs to its owner and is left alone. Says what it did through `log` and nowhere else.
 * The folder is read as `notes push` reads one. It is written in one transaction rather than over the admin endpoint:
 * half a library would pass for the owner's at the next start.
 */
import { fileURLToPath } from "node:url";
import type { Database } from "../apps/api/database/pool.ts";
import { notesIndex } from "../apps/api/stores/notes.ts";
import { upsertCategory, upsertSeries } from "../apps/api/stores/notes-admin.ts";
import { putAsset } from "../apps/api/stores/notes-assets.ts";
import { upsertChapter } from "../apps/api/stores/notes-chapters-admin.ts";
import { faultText } from "./notes-push/fault.mts";
import { readNotesFolder } from "./notes-push/read-folder.mts";

const SAMPLES = fileURLToPath(new URL("../samples/notes/", import.meta.url));

export interface SeedInput {
  db: Database;
  log(line: string): void;
  /** Folder of the notes; the samples of this repository when absent. */
  directory?: string;
}

/**
 * Returns how many chapters were written: 0 when the library was not empty. Throws on malformed files, naming each, and
 * on a database error; then nothing was written.
 */
export async function seed({ db, log, directory = SAMPLES }: SeedInput): Promise<{ chapters: number }> {
  if ((await notesIndex(db)).categories.length > 0) {
    log("The library has notes already; the samples stay out.");
    return { chapters: 0 };
  }
  const { notes, faults } = readNotesFolder(directory);
  if (faults.length > 0) throw new Error(faults.map(faultText).join("\n"));
  await db.asRole("admin_rw", async (tx) => {
    // The stores' writes, inside one transaction.
    const together: Database = { ...db, asRole: (_role, work) => work(tx) };
    for (const category of notes.categories) await upsertCategory(together, category);
    for (const series of notes.series) await upsertSeries(together, series);
    for (const picture of notes.pictures) await putAsset(together, picture);
    for (const chapter of notes.chapters) await upsertChapter(together, chapter);
  });
  log(`Sample notes: ${notes.chapters.length} chapters.`);
  return { chapters: notes.chapters.length };
}
