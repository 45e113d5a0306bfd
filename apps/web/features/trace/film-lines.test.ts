/** The film's geometry: every turn on it, inside it, in order; every kind of event in its own hue. */
import { expect, it } from "bun:test";
import { rowWriter, T0, wholeTurn } from "./__tests__/scripted-turn";
import { FILM_WIDTH, filmOf, filmX } from "./film-lines";
import { addRows, EMPTY_TRACE } from "./reduce";

const turnsOf = (rows: unknown[]) => addRows(EMPTY_TRACE, rows, T0).turns;
const xs = (path: string) => [...path.matchAll(/M([\d.]+) /g)].map(([, x]) => Number(x));

it("puts turns side by side without overlap and never past the edge, however many there are", () => {
  for (const count of [1, 2, 7, 200]) {
    const rows = Array.from({ length: count }, (_, index) => wholeTurn(index * 2, index * 30)).flat();
    const { turns } = filmOf(turnsOf(rows));
    expect(turns.length).toBe(count);
    for (const [index, { x, width }] of turns.entries()) {
      expect(width).toBeGreaterThan(0);
      expect(x).toBeGreaterThanOrEqual(index === 0 ? 0 : turns[index - 1]!.x + turns[index - 1]!.width);
    }
    expect(turns.at(-1)!.x + turns.at(-1)!.width).toBeLessThanOrEqual(FILM_WIDTH);
  }
});

it("draws a line an event in the hue of its mode, and a stopped one in its own", () => {
  const { paths, turns } = filmOf(turnsOf(wholeTurn()));
  expect(xs(paths.takeover)).toEqual([turns[0]!.x]);
  expect([xs(paths.veto).length, xs(paths.danger).length]).toEqual([1, 1]);
  expect(xs(paths.danger)[0]!).toBeCloseTo(filmX(turns[0]!, 233), 0);
});

it("draws events at the same half pixel once, as high as the highest", () => {
  const row = rowWriter();
  const crowd = [
    row("input", 0),
    ...Array.from({ length: 5_000 }, () => row("message_update", 500)),
    row("agent_end", 500),
    row("agent_settled", 1_000),
  ];
  const { paths } = filmOf(turnsOf(crowd));
  expect(paths.notify.match(/V\d+/g)).toEqual(["V21", "V21"]);
});

it("holds for an empty session, for a turn of one instant and for events outside any turn", () => {
  expect(filmOf([]).paths.notify).toBe("");
  const outside = rowWriter(null, 10);
  const { turns, paths } = filmOf(
    turnsOf([rowWriter()("input", 0), outside("session_start", 0), outside("session_shutdown", 900_000)]),
  );
  expect(turns.every(({ x, width }) => Number.isFinite(x) && width > 0)).toBe(true);
  expect(turns[0]!.width).toBeLessThan(turns[1]!.width);
  expect(Object.values(paths).join("")).not.toContain("NaN");
});
