import { expect, it } from "bun:test";
import { type KeyPlace, type KeyPress, SINGLE_KEYS, shortcutFor } from "./shortcuts";

const PAGE: KeyPlace = { typing: false, covered: false, singleKeys: true };
const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  ...more,
});

it("a single key acts where nothing is typed, and nowhere else", () => {
  for (const [key, action] of Object.entries(SINGLE_KEYS)) {
    expect(shortcutFor(press(key), PAGE)).toBe(action);
    for (const place of [{ typing: true }, { covered: true }, { singleKeys: false }]) {
      expect([key, shortcutFor(press(key), { ...PAGE, ...place })]).toEqual([key, null]);
    }
    for (const more of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { isComposing: true }]) {
      expect([key, shortcutFor(press(key, more), PAGE)]).toEqual([key, null]);
    }
  }
  for (const key of ["x", "Enter", "constructor", "N"]) expect(shortcutFor(press(key), PAGE)).toBeNull();
});

it("Ctrl or Command with K searches from the composer too", () => {
  const typing = { ...PAGE, typing: true, singleKeys: false };
  expect(shortcutFor(press("k", { ctrlKey: true }), typing)).toBe("search");
  expect(shortcutFor(press("K", { metaKey: true }), typing)).toBe("search");
  expect(shortcutFor(press("k", { ctrlKey: true }), { ...typing, covered: true })).toBeNull();
});
