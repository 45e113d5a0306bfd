import { expect, it } from "bun:test";
import { type Leader, leaderPaths, type LeaderEnd } from "./leader-paths";

const end = (link: string, y: number, tone: LeaderEnd["tone"] = "linked"): LeaderEnd => ({ link, y, tone });

it("joins what has two halves, in the order of the chat, and leaves out what has one", () => {
  const leaders = leaderPaths(
    [end("0:user", 10), end("0:a", 40), end("0:lost", 60)],
    [end("0:a", 90), end("0:user", 10), end("2:x", 5)],
    100,
  );
  expect(leaders.map(({ link, path }) => [link, path])).toEqual([
    ["0:user", "M52 10.5H100"],
    ["0:a", "M52 40.5H91.5V90.5H100"],
  ]);
});

/** x of the vertical part. */
const laneOf = ({ path }: { path: string }) => Number(/H([\d.]+)V/.exec(path)![1]);

it("gives lines that pass each other lanes of their own, all of them inside the spine", () => {
  const ends = Array.from({ length: 9 }, (_, index) => end(`0:${index}`, index * 20));
  const lanes = (byPx: number) =>
    leaderPaths(
      ends,
      ends.map(({ link, y }) => end(link, y + byPx)),
      40,
    ).map(laneOf);
  expect(lanes(300)).toEqual([31.5, 28.5, 26.5, 23.5, 21.5, 18.5, 16.5, 13.5, 11.5]);
  expect(lanes(-300)).toEqual(lanes(300).toReversed());
});

it("never lets two lines cross whose ends are in the same order on both sides", () => {
  const random = seeded(7);
  for (let round = 0; round < 300; round++) {
    const count = 2 + Math.floor(random() * 18);
    const climb = () => {
      let y = random() * 400;
      return Array.from({ length: count }, () => (y += 4 + random() * 120));
    };
    const [chat, rows] = [climb(), climb()];
    const leaders = leaderPaths(
      chat.map((y, index) => end(`${index}`, y)),
      rows.map((y, index) => end(`${index}`, y)),
      100,
    );
    for (const [index, one] of leaders.entries()) {
      for (const other of leaders.slice(index + 1)) {
        expect([round, one.path, other.path, crosses(one, other)]).toEqual([round, one.path, other.path, false]);
      }
    }
  }
});

it("ends within a pixel of both halves", () => {
  for (const y of [0, 0.2, 0.5, 10.49, 10.51, 99.99]) {
    const [{ from, to }] = leaderPaths([end("x", y)], [end("x", y + 33.3)], 100) as [Leader];
    expect([Math.abs(from.y - y) <= 1, Math.abs(to.y - y - 33.3) <= 1]).toEqual([true, true]);
  }
});

/** Whether a horizontal part of one lies across the vertical part of the other. */
function crosses(a: Leader, b: Leader): boolean {
  return cuts(a, b) || cuts(b, a);
}
function cuts({ from, to, path }: Leader, other: Leader): boolean {
  if (!other.path.includes("V")) return false;
  const x = laneOf(other);
  const [top, bottom] = [Math.min(other.from.y, other.to.y), Math.max(other.from.y, other.to.y)];
  const turn = path.includes("V") ? laneOf({ path }) : to.x;
  const across = (y: number, fromX: number, toX: number) => y > top && y < bottom && x > fromX && x < toX;
  return across(from.y, from.x, turn) || across(to.y, turn, to.x);
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

it("shows the stronger of two tones: failed before live before linked", () => {
  const tones = ["linked", "live", "danger"] as const;
  const shown = tones.flatMap((a) => tones.map((b) => leaderPaths([end("x", 0, a)], [end("x", 50, b)], 0)[0]!.tone));
  expect(shown).toEqual(["linked", "live", "danger", "live", "live", "danger", "danger", "danger", "danger"]);
});
