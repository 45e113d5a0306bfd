/** Values that somebody may send for any field: ordinary ones, nearly right ones, and what breaks careless code. */
import type { Random } from "./random.mts";

const ALPHABETS = [
  "abcdefghijklmnopqrstuvwxyz0123456789-_",
  "ABC xyz.,:;/?&=#+%\"'\\<>",
  "0123456789.-+eEx",
  "中文混排。，ﬀéß",
  "😀👩‍👩‍👧🏳️‍🌈",
  "\u200b\u202e\u0301\ufeff\t\n\r\u0001\u007f",
];
const STRINGS = [
  "",
  " ",
  "0",
  "1",
  "-1",
  "-0",
  "01",
  "+1",
  "1.0",
  "1e1",
  "0x1",
  "50",
  "200",
  "201",
  "999999999",
  "1000000000",
  "99999999999999999999",
  "٣",
  "１",
  "1 ",
  "0.0",
  "2.1",
  "1.2.3",
  "1.",
  "00000000-0000-0000-0000-000000000000",
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
  "01890a5d-ac96-774b-bcce-b302099a8057",
  "01890a5d-ac96-974b-bcce-b302099a8057",
  "{01890a5d-ac96-774b-bcce-b302099a8057}",
  "null",
  "undefined",
  "true",
  "[object Object]",
  "__proto__",
  "constructor",
  "hi",
  "a-slug",
  "-slug",
  "A-Slug",
  "panel",
  "panel\n",
  "' OR TRUE --",
  "'; DROP TABLE sessions; --",
  "$(id)",
  "{{7*7}}",
  "<script>alert(1)</script>",
  "a\0b",
  "%00",
  "%",
  "\\u0000",
];

/** A string, most often one of `known`: values that exist, such as ids, or something close to one. */
export function stringValue(chance: Random, known: readonly string[]): string {
  switch (chance.below(known.length > 0 ? 8 : 4)) {
    case 0:
      return text(chance, chance.onceIn(6) ? 64 + chance.below(1_900) : 1 + chance.below(40));
    case 1:
      return chance.onceIn(2) ? uuid(chance) : chance.pick(STRINGS);
    case 2:
      return damagedText(chance, chance.pick(known.length > 0 ? known : STRINGS));
    case 3:
      return chance.pick(STRINGS);
    default:
      return chance.pick(known);
  }
}

/** Any JSON value, at most four levels deep. */
export function jsonValue(chance: Random, depth = 0): unknown {
  const kinds = depth < 4 ? 9 : 7;
  switch (chance.below(kinds)) {
    case 0:
      return null;
    case 1:
      return chance.onceIn(2);
    case 2:
      return chance.pick([0, -1, 1.5, 1e308, -1e-308, Number.MAX_SAFE_INTEGER, chance.below(1_000)]);
    case 7:
      return Array.from({ length: chance.below(4) }, () => jsonValue(chance, depth + 1));
    case 8:
      return Object.fromEntries(
        Array.from({ length: chance.below(4) }, () => [
          stringValue(chance, []).slice(0, 80),
          jsonValue(chance, depth + 1),
        ]),
      );
    default:
      return stringValue(chance, []);
  }
}

export function uuid(chance: Random): string {
  const hex = (length: number) => Array.from({ length }, () => chance.below(16).toString(16)).join("");
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${chance.pick(["8", "9", "a", "b"])}${hex(3)}-${hex(12)}`;
}

function text(chance: Random, length: number): string {
  const alphabet = [...chance.pick(ALPHABETS)];
  return Array.from({ length }, () => chance.pick(alphabet)).join("");
}

function damagedText(chance: Random, whole: string): string {
  const at = chance.below(whole.length + 1);
  const added = chance.onceIn(2) ? text(chance, 1) : "";
  return whole.slice(0, at) + added + whole.slice(at + chance.below(2));
}
