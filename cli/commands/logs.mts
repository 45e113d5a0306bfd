/** `./xray logs`: the last lines of one log or of all, each line behind its log's name; `-f` goes on as they grow. */
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { nearest, type Words } from "../args.mts";
import { lastLines, logPath } from "../launch.mts";
import { pathsOf } from "../paths.mts";
import { UsageError } from "../refusal.mts";
import { PROCESS_NAMES, type ProcessName } from "../running.mts";

const LINES = 100;
const NAME_WIDTH = Math.max(...PROCESS_NAMES.map(({ length }) => length));
const FOLLOW_MS = 300;

export default async function logs(words: Words): Promise<number> {
  const paths = pathsOf();
  const asked = words.words[0];
  if (asked !== undefined && !PROCESS_NAMES.includes(asked as ProcessName)) {
    const guess = nearest(asked, PROCESS_NAMES);
    throw new UsageError(
      `There is no log "${asked}".`,
      guess ? `Did you mean ${guess}?` : `It is one of: ${PROCESS_NAMES.join(", ")}.`,
    );
  }
  const names = asked ? [asked as ProcessName] : PROCESS_NAMES;
  const files = names.map((name) => ({
    name,
    path: logPath(paths, name),
    label: asked ? "" : `${name.padEnd(NAME_WIDTH)} | `,
  }));
  if (!files.some(({ path }) => existsSync(path))) {
    process.stdout.write("  Nothing has been logged yet.\n");
    if (!words.has("follow")) return 0;
  }
  const followers = files.map(({ path, label }) => {
    const tail = lastLines(path, LINES);
    if (tail) print(label, `${tail}\n`);
    return follower(path, (text) => print(label, text));
  });
  while (words.has("follow")) {
    await new Promise((resolve) => setTimeout(resolve, FOLLOW_MS));
    for (const readNew of followers) readNew();
  }
  return 0;
}

/** Reads what was appended since the last call; starts over when the file was replaced by a shorter one. */
function follower(path: string, onText: (text: string) => void): () => void {
  let offset = sizeOf(path);
  let node = nodeOf(path);
  let decoder = new StringDecoder("utf8");
  let partial = "";
  return () => {
    if (!existsSync(path)) return;
    if (sizeOf(path) < offset || nodeOf(path) !== node) {
      [offset, node, partial, decoder] = [0, nodeOf(path), "", new StringDecoder("utf8")];
    }
    const file = openSync(path, "r");
    try {
      const chunk = Buffer.alloc(65_536);
      for (
        let read = readSync(file, chunk, 0, chunk.length, offset);
        read > 0;
        read = readSync(file, chunk, 0, chunk.length, offset)
      ) {
        offset += read;
        partial += decoder.write(chunk.subarray(0, read));
      }
    } finally {
      closeSync(file);
    }
    const end = partial.lastIndexOf("\n") + 1;
    if (end > 0) onText(partial.slice(0, end));
    partial = partial.slice(end);
  };
}

function print(label: string, text: string): void {
  process.stdout.write(label ? text.replace(/^(?=[^\n])/gm, label) : text);
}

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}
function nodeOf(path: string): number {
  return existsSync(path) ? statSync(path).ino : 0;
}
