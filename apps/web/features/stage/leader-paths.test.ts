import { expect, it } from "bun:test";
import { leaderPaths, type LeaderEnd } from "./leader-paths";

const end = (link: string, y: number, tone: LeaderEnd["tone"] = "linked"): LeaderEnd => ({ link, y, tone });

it("joins what has two halves, in the order of the chat, and leaves out what has one", () => {
  const leaders = leaderPaths(
    [end("0:user", 10), end("0:a", 40), end("0:lost", 60)],
    [end("0:a", 90), end("0:user", 10), end("2:x", 5)],
    100,
  );
  expect(leaders.map(({ link, path }) => [link, path])).toEqual([
    ["0:user", "M52 10.5H100"],
    ["0:a", "M52 40.5H71.5V90.5H100"],
  ]);
});

it("gives neighbours different lanes, all of them inside the spine", () => {
  const ends = Array.from({ length: 7 }, (_, index) => end(`0:${index}`, index * 20));
  const rows = ends.map(({ link, y }) => end(link, y + 300));
  const lanes = leaderPaths(ends, rows, 40).map(({ path }) => Number(/H([\d.]+)V/.exec(path)![1]));
  expect(lanes).toEqual([11.5, 16.5, 21.5, 26.5, 31.5, 11.5, 16.5]);
});

it("shows the stronger of two tones: failed before live before linked", () => {
  const tones = ["linked", "live", "danger"] as const;
  const shown = tones.flatMap((a) => tones.map((b) => leaderPaths([end("x", 0, a)], [end("x", 50, b)], 0)[0]!.tone));
  expect(shown).toEqual(["linked", "live", "danger", "live", "live", "danger", "danger", "danger", "danger"]);
});
