/** Structural sharing for freshly built plain values: what equals its predecessor keeps the predecessor's identity. */

/** Returns `next`, with every part that equals the part at the same place (or, in lists, of the same `key`) reused. */
export function keepUnchanged<T>(before: unknown, next: T): T {
  if (Object.is(before, next)) return next;
  if (Array.isArray(next)) return (Array.isArray(before) ? keepList(before, next) : next) as T;
  if (!isPlain(before) || !isPlain(next)) return next;
  if (isShallowEqual(before, next)) return before as T;
  const kept: Record<string, unknown> = {};
  const keys = Object.keys(next);
  let same = keys.length === Object.keys(before).length;
  for (const key of keys) {
    kept[key] = keepUnchanged(before[key], next[key]);
    same &&= Object.is(kept[key], before[key]);
  }
  return (same ? before : kept) as T;
}

/** Most parts of a long list: told without building anything. */
function isShallowEqual(before: Record<string, unknown>, next: Record<string, unknown>): boolean {
  let fields = 0;
  for (const key in next) {
    if (!Object.is(before[key], next[key])) return false;
    fields += 1;
  }
  for (const _ in before) fields -= 1;
  return fields === 0;
}

function keepList(before: readonly unknown[], next: readonly unknown[]): readonly unknown[] {
  // A list that only grew has every part where it was; the parts are looked up by key once one is elsewhere.
  let byKey: Map<unknown, unknown> | null = null;
  const kept = next.map((value, index) => {
    const key = keyOf(value, index);
    if (byKey === null) {
      if (index >= before.length) return value;
      if (keyOf(before[index], index) === key) return keepUnchanged(before[index], value);
      byKey = new Map(before.map((one, at) => [keyOf(one, at), one]));
    }
    return keepUnchanged(byKey.get(key), value);
  });
  const same = kept.length === before.length && kept.every((value, index) => Object.is(value, before[index]));
  return same ? before : kept;
}

const keyOf = (value: unknown, index: number): unknown => (isPlain(value) ? (value.key ?? index) : index);

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
