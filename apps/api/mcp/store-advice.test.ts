/** What a store's refusal becomes once the tool has said what to do about it. */
import { expect, test } from "bun:test";
import { StaleRevision, StoreRefusal } from "../stores/store-refusal";
import { advised, noSuch } from "./store-advice";
import { ToolRefusal } from "./tool-refusal";

const thrown = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error);

test("work that is done is its own result", async () => {
  expect(await advised(Promise.resolve(7), { in_use: () => ({ retry: "Never said." }) })).toBe(7);
});

test("a refusal that there is advice for keeps its facts, and what the advice says is added or said in their place", async () => {
  const refusal = new StoreRefusal("missing_reference", { field: "categorySlug", allowed: ["a"], count: 0 });
  const error = (await thrown(
    advised(Promise.reject(refusal), { missing_reference: () => ({ cause: "No such category.", retry: "Make one." }) }),
  )) as ToolRefusal;
  expect(error).toBeInstanceOf(ToolRefusal);
  expect(error.facts).toEqual({
    cause: "No such category.",
    field: "categorySlug",
    allowed: ["a"],
    count: 0,
    retry: "Make one.",
  });
});

test("whatever there is no advice for is thrown as it is", async () => {
  for (const error of [new StoreRefusal("in_use"), new StaleRevision(null), new Error("boom")]) {
    expect(await thrown(advised(Promise.reject(error), { not_found: () => ({ retry: "Never said." }) }))).toBe(error);
  }
});

test("a row that is not there is refused with the first hundred of those that are, read only then", async () => {
  let reads = 0;
  const advice = noSuch("slug", "series", async () => {
    reads += 1;
    return Array.from({ length: 150 }, (_, index) => `series-${index}`);
  });
  await advised(Promise.resolve(), advice);
  expect(reads).toBe(0);
  const { facts } = (await thrown(advised(Promise.reject(new StoreRefusal("not_found")), advice))) as ToolRefusal;
  expect([facts.cause, facts.field, facts.existing?.length]).toEqual(["There is no series of that name.", "slug", 100]);
});
