import { expect, it } from "bun:test";
import { Seats } from "./seats";

it("a seat is taken for all of its holders or for none", () => {
  const seats = new Seats();
  const [a, b, network] = ["a", "b", "network"].map((who) => ({ who, most: who === "network" ? 3 : 2 }));
  expect([seats.take([a!, network!]), seats.take([a!, network!])].every(Boolean)).toBe(true);
  expect(seats.take([a!, network!])).toBeUndefined();
  // The refused one holds no seat of the network's.
  expect(seats.take([b!, network!])).toBeDefined();
  expect(seats.take([b!, network!])).toBeUndefined();
});

it("a seat is free once however often it is given back, and nothing is kept of who is gone", () => {
  const seats = new Seats();
  const one = { who: "a", most: 2 };
  const leave = [seats.take([one])!, seats.take([one])!];
  leave[0]!();
  leave[0]!();
  expect(seats.take([one])).toBeDefined();
  expect(seats.take([one])).toBeUndefined();
  leave[1]!();
  expect(seats.size).toBe(1);
});

it("0 is no limit, and is counted all the same for the limit that may follow", () => {
  const seats = new Seats();
  for (let n = 0; n < 50; n++) expect(seats.take([{ who: "a", most: 0 }])).toBeDefined();
  expect(seats.take([{ who: "a", most: 50 }])).toBeUndefined();
});
