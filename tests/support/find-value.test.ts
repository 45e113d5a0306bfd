import { expect, it } from "bun:test";
import { findValue } from "./find-value.mts";

const VALUE = 'mark0key0"1f2e3d4c';
const frame = (text: string) => `event: delta\ndata: ${JSON.stringify({ text })}\n\n`;

it.each([
  ["as it stands", `a ${VALUE} b`],
  ["in capitals", VALUE.toUpperCase()],
  ["in JSON", JSON.stringify({ key: VALUE })],
  ["in JSON inside JSON", JSON.stringify({ data: JSON.stringify({ key: VALUE }) })],
  ["in an address", `/x?key=${encodeURIComponent(VALUE)}`],
  ["in hex", Buffer.from(VALUE).toString("hex")],
  ["backwards", [...VALUE].reverse().join("")],
  ["in base64", Buffer.from(VALUE).toString("base64")],
  ["in base64 after one byte", Buffer.from(`:${VALUE}`).toString("base64")],
  ["in base64 of a pair", Buffer.from(`me:${VALUE}!`).toString("base64")],
  ["over two pieces of an answer", frame(VALUE.slice(0, 7)) + frame(VALUE.slice(7))],
])("finds a value %s", (_how, text) => {
  expect(findValue(text, VALUE)).toBeString();
});

it("finds nothing where nothing is, nor a part of the value", () => {
  expect(findValue(frame("Nothing to see."), VALUE)).toBeUndefined();
  expect(findValue(VALUE.slice(1), VALUE)).toBeUndefined();
});

it("takes a short number for one only where it stands alone", () => {
  expect(findValue('{"timeoutMs":29317}', "29317")).toBeString();
  expect(findValue("sha 0c29317f, #29317", "29317")).toBeUndefined();
});
