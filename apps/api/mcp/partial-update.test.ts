/** Which of a call's arguments are a change of the row. */
import { expect, test } from "bun:test";
import { patchOf } from "./partial-update";
import { ToolRefusal } from "./tool-refusal";

const FIELDS = { name: null, note: null, list: null };

test("a patch is the fields that were sent, those that clear among them, and nothing beside", () => {
  const args = { slug: "a", name: "A", note: null, list: [], expectedRevision: "0" };
  expect(patchOf(args, FIELDS)).toEqual({ name: "A", note: null, list: [] } as never);
  expect(Object.keys(patchOf({ slug: "a", note: "", name: undefined }, FIELDS))).toEqual(["note"]);
});

test.each<object>([{}, { slug: "a" }, { slug: "a", name: undefined, expectedRevision: "0" }, { toString: "x" }])(
  "a write of no field is refused with the fields there are: %j",
  (args) => {
    expect(() => patchOf(args, FIELDS)).toThrow(ToolRefusal);
    try {
      patchOf(args, FIELDS);
    } catch (error) {
      expect((error as ToolRefusal).facts).toMatchObject({ allowed: ["name", "note", "list"] });
    }
  },
);
