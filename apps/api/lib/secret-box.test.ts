import { describe, expect, test } from "bun:test";
import { maskSecret, secretBox, SecretBoxError } from "./secret-box";

const KEY = Buffer.alloc(32, 7).toString("base64");
const box = secretBox(KEY);
const AAD = "llm_config:main";

describe("a secret box", () => {
  test("opens what it sealed, in any script and also when empty", () => {
    for (const plain of ["sk-0123456789abcdef", "密钥🔑", ""]) expect(box.open(box.seal(plain, AAD), AAD)).toBe(plain);
  });

  test("is nonce, ciphertext and tag, and nothing of the plain text", () => {
    const sealed = box.seal("sk-0123456789abcdef", AAD);
    expect(sealed.length).toBe(12 + "sk-0123456789abcdef".length + 16);
    expect(sealed.includes("0123456789")).toBe(false);
  });

  test("seals the same text into other bytes each time", () => {
    const seals = new Set(Array.from({ length: 50 }, () => box.seal("the same key", AAD).toString("hex")));
    expect(seals.size).toBe(50);
  });

  test("refuses a change of any single byte", () => {
    const sealed = box.seal("sk-0123", AAD);
    for (let place = 0; place < sealed.length; place++) {
      const changed = Buffer.from(sealed);
      changed[place]! ^= 1;
      expect(() => box.open(changed, AAD)).toThrow(SecretBoxError);
    }
  });

  test("refuses a value moved to another row, another key, and bytes cut short", () => {
    const sealed = box.seal("sk-0123", AAD);
    expect(() => box.open(sealed, "llm_config:other")).toThrow(SecretBoxError);
    expect(() => secretBox(Buffer.alloc(32, 8).toString("base64")).open(sealed, AAD)).toThrow(SecretBoxError);
    for (const length of [0, 11, 27, sealed.length - 1]) {
      expect(() => box.open(sealed.subarray(0, length), AAD)).toThrow(SecretBoxError);
    }
  });

  test("with a missing or short key seals and opens nothing", () => {
    for (const key of ["", "c2hvcnQ=", Buffer.alloc(31).toString("base64"), Buffer.alloc(33).toString("base64")]) {
      expect(() => secretBox(key).seal("x", AAD)).toThrow(SecretBoxError);
      expect(() => secretBox(key).open(box.seal("x", AAD), AAD)).toThrow(SecretBoxError);
    }
  });
});

test.each([
  ["", "…"],
  ["short-key-1", "…"],
  ["twelve-chars", "twe…hars"],
  ["sk-0123456789abcd", "sk-…abcd"],
])("the mask of %p is %p", (plain, mask) => {
  expect(maskSecret(plain)).toBe(mask);
});
