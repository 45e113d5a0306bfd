/** Whatever JSON a model writes: no exception, and nothing accepted that could send more than it may. */
import { expect, it } from "bun:test";
import { LIMITS } from "../limits";
import { longestMessageChars } from "./compose";
import { parseCard } from "./parse-card";

const KEYS =
  "v kind title collapsed links action rows columns items tabs options fields prompt multiple submit sortable ordered k a b text note label value unit card type placeholder required href ask".split(
    " ",
  );
const KINDS = ["kv", "table", "list", "stat", "compare", "tabs", "choice", "form"];
const LONG = ["", "a", "x".repeat(40), "x".repeat(60), "x".repeat(200), "\u202E", "说\uD800", "1e400"];

/** A small generator with a seed, so that a failure can be repeated. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

function anything(roll: (sides: number) => number, depth: number): unknown {
  switch (roll(depth > 3 ? 4 : 8)) {
    case 0:
      return LONG[roll(LONG.length)];
    case 1:
      return [0, 1, -1.5, null, true, false][roll(6)];
    case 2:
      return KINDS[roll(KINDS.length)];
    case 3:
      return "a";
    case 4:
    case 5:
      return Array.from({ length: roll(9) }, () => anything(roll, depth + 1));
    default:
      return Object.fromEntries(
        Array.from({ length: roll(8) }, () => [KEYS[roll(KEYS.length)]!, anything(roll, depth + 1)]),
      );
  }
}

it("any JSON is a card or none, never an exception", () => {
  for (let seed = 1; seed <= 400; seed++) {
    const roll = dice(seed);
    const value = { v: 1, kind: KINDS[roll(KINDS.length)], ...(anything(roll, 0) as object) };
    expect(() => parseCard(JSON.stringify(value))).not.toThrow();
  }
  for (const source of ["[".repeat(8_000), '{"v":1,'.repeat(1_000), "", "\u0000", '"x"', "1", "nul"]) {
    expect(parseCard(source)).toBeNull();
  }
});

it("no card that asks can send more than its bound, whatever was left out or put in", () => {
  let accepted = 0;
  for (let seed = 1; seed <= 400; seed++) {
    const roll = dice(seed);
    const text = () => LONG[1 + roll(3)]!;
    const options = () => Array.from({ length: 1 + roll(9) }, () => ({ label: text() }));
    const fields = () =>
      Array.from({ length: 1 + roll(6) }, () => ({
        label: LONG[1 + roll(2)],
        type: ["text", "select"][roll(2)],
        options: options().map(({ label }) => label),
      }));
    const prompt = [undefined, text(), LONG[4]][roll(3)];
    const card = parseCard(
      JSON.stringify(
        roll(2) === 0
          ? { v: 1, kind: "choice", prompt, multiple: roll(2) === 0, options: options() }
          : { v: 1, kind: "form", prompt, fields: fields() },
      ),
    );
    if (card === null || (card.kind !== "choice" && card.kind !== "form")) continue;
    accepted += 1;
    expect(longestMessageChars(card)).toBeLessThanOrEqual(LIMITS.cardMessageChars);
  }
  expect(accepted).toBeGreaterThan(100);
});
