import { expect, test } from "bun:test";
import { clusterErrorFrom } from "./cluster-error.mts";

const context = { port: 5_432, logFile: "/somewhere/postgres.log" };

test.each([
  ["initdb: error: could not write to file: No space left on device", "The disk is full while starting."],
  ["PANIC:  could not write to file: No space left on device", "The disk is full while starting."],
  ['LOG:  could not bind IPv4 address "127.0.0.1": Address already in use', "Port 5432 is taken while starting."],
  ['FATAL:  data directory "/x" has wrong ownership', "No permission while starting."],
  ["initdb: error: could not access directory: Permission denied", "No permission while starting."],
  ["FATAL:  database files are incompatible with server", "The database files were made by another Postgres."],
  ["postgres: error while loading shared libraries: libicuuc.so.60", "The Postgres program is not complete."],
  ["one line\nFATAL:  something new\n", "Failed while starting: FATAL:  something new"],
  ["", "Failed while starting."],
])("%p becomes %p, with a remedy", (output, sentence) => {
  const error = clusterErrorFrom(output, "starting", context);
  expect(error.message).toBe(sentence);
  expect(error.remedy).not.toBe("");
});
