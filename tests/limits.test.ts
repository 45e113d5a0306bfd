/** The table of limits as a whole: each row bounds something, and rows that lean on each other stand the right way. */
import { describe, expect, it } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "../cli/files.mts";
import { LIMITS } from "../shared/limits";

const ROOT = join(import.meta.dir, "..");
describe("the table of limits", () => {
  it("holds whole positive numbers", () => {
    expect(Object.entries(LIMITS).filter(([, value]) => !Number.isSafeInteger(value) || value <= 0)).toEqual([]);
  });

  it("has no row that bounds nothing", () => {
    const words = new Set(
      ["apps", "shared", "cli"]
        .flatMap((folder) => filesBelow(join(ROOT, folder), /^(node_modules|\..*|limits\.ts)$/))
        // Some rows are a CHECK of a table and nothing else; the database's own test names those.
        .filter((path) => /\.(ts|mts|tsx)$/.test(path) && !/(?<!\.db)\.test\./.test(path))
        .flatMap((path) => readFileSync(path, "utf8").match(/\w+/g) ?? []),
    );
    expect(Object.keys(LIMITS).filter((name) => !words.has(name))).toEqual([]);
  });

  it.each<[string, number, number]>([
    // A prompt whose every character is escaped must fit into the body that carries it.
    ["the longest prompt fits into its body", LIMITS.promptChars * "\\uffff".length + 1_000, LIMITS.askBodyBytes],
    ["an ask body fits through the host", LIMITS.askBodyBytes, LIMITS.hostBodyBytes],
    ["an ask body fits through the web port", LIMITS.askBodyBytes, LIMITS.webBodyBytes],
    // A trace joins stored rows with those in memory: rows must be stored before memory forgets them.
    ["rows are stored before the bus drops them", LIMITS.traceFlushRows, LIMITS.traceBusRows],
    ["a full batch fits among the pending rows", LIMITS.traceFlushRows, LIMITS.tracePendingRows],
    ["one event's previews fit into an event", LIMITS.previewChars * "\\uffff".length, LIMITS.eventBytes],
    ["a page hears two heartbeats before it calls a stream dead", 2 * LIMITS.heartbeatMs, LIMITS.streamSilenceMs],
    ["one session cannot take every trace seat", LIMITS.traceConnectionsPerSession, LIMITS.traceConnections],
    ["a silent model is noticed before its total time", LIMITS.modelIdleMs, LIMITS.modelTotalMs],
    ["a turn outlives a tool", LIMITS.toolTimeoutMs, LIMITS.turnTotalMs],
    ["the default list is not longer than the longest", LIMITS.sessionsListDefault, LIMITS.sessionsListMax],
    ["a stopped turn ends within the host's patience", LIMITS.abortGraceMs, LIMITS.hostShutdownMs],
  ])("is consistent: %s", (_case, smaller, larger) => {
    expect(smaller).toBeLessThan(larger);
  });
});
