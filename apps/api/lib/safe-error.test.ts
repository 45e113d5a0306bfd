import { expect, test } from "bun:test";
import { safeErrorText, scrub } from "./safe-error";

test("gives the message on one line, without the stack", () => {
  const text = safeErrorText(new Error("first\nsecond\u2028third"));
  expect(text).toBe("Error: first second third");
});

test("adds the message of the cause and survives throws that are no errors", () => {
  expect(safeErrorText(new Error("outer", { cause: new TypeError("inner") }))).toBe("Error: outer (inner)");
  expect(safeErrorText("plain")).toBe("plain");
  expect(safeErrorText({ message: "object" })).toBe("thrown object");
  expect(safeErrorText(undefined)).toBe("thrown undefined");
});

test.each([
  ["connect postgres://app:hunter2@db/x failed", "connect postgres://app:[redacted]@db/x failed"],
  ['{"api_key": "abc123"}', '{"api_key": [redacted]}'],
  ["Authorization: Bearer abc.def-ghi", "Authorization: [redacted]"],
  ["password=hunter2&x=1", "password=[redacted]&x=1"],
  ["got sk-abcdefghij0123", "got [redacted]"],
])("takes credentials out of %j", (message, expected) => {
  expect(safeErrorText(message)).toBe(expected);
});

test("removes the exact secrets of a call in every form they take on the wire", () => {
  const key = 'f00d"/+cafe';
  const text = scrub(`plain ${key}, url ${encodeURIComponent(key)}, json ${JSON.stringify({ k: key })}`, [key]);
  expect(text).toBe('plain [redacted], url [redacted], json {"k":"[redacted]"}');
  expect(scrub("abc", ["a", ""])).toBe("abc");
});

test.each(["f00d-/+cafe-beef", "0f1e2d3c4b5a6978", "ключ-от-модели"])(
  "removes %j also from the base64 of something longer, wherever it falls in it, and leaves its neighbours",
  (key) => {
    for (const before of ["", "u", "us", "usr", "Bearer "]) {
      for (const encoding of ["base64", "base64url"] as const) {
        const text = Buffer.from(`${before}${key} and more`).toString(encoding);
        const clean = scrub(`got ${text}.`, [key]);
        expect(clean).toContain("[redacted]");
        const left = Buffer.from(clean.slice(4, -1).replace("[redacted]", ""), encoding).toString("latin1");
        expect(left.length).toBeLessThanOrEqual(before.length + " and more".length + 3);
      }
    }
    expect(scrub("nothing of it here", [key])).toBe("nothing of it here");
  },
);

test("removes a percent-encoded value in either case", () => {
  expect(scrub("k=a%2fb%2bc%3d and a%2Fb%2Bc%3D", ["a/b+c="])).toBe("k=[redacted] and [redacted]");
});

test("cuts a long message", () => {
  expect(safeErrorText("x".repeat(5_000)).length).toBe(501);
});
