/** A key that is typed is not seen, whatever is typed with it. */
import { describe, expect, it } from "bun:test";
import { PassThrough } from "node:stream";
import { confirmed, type Dialogue, readHidden } from "../../cli/hidden-input.mts";

/** A terminal, or a pipe: what is typed, and what is seen. */
function dialogue(isTTY: boolean) {
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), { isTTY, setRawMode: (on: boolean) => modes.push(on) });
  let seen = "";
  const output = { write: (text: string) => (seen += text) };
  return { input, modes, seen: () => seen, asked: { input, output } as unknown as Dialogue };
}

describe("a key", () => {
  it("typed at a terminal is read blindly, with backspace, up to the line break", async () => {
    const { input, modes, seen, asked } = dialogue(true);
    const key = readHidden("Key: ", asked);
    input.write("sk-1x\u007f2\u001b3");
    input.write("4\rrest");
    expect(await key).toBe("sk-1234");
    expect(seen()).toBe("Key: \n");
    expect(modes).toEqual([true, false]);
  });

  it("can be asked for after another question at the same terminal", async () => {
    const { input, seen, asked } = dialogue(true);
    const yes = confirmed("Sure?", asked);
    input.write("nx\u007f\u007fyes\r");
    expect(await yes).toBe(true);
    const key = readHidden("Key: ", asked);
    input.write("secret\n");
    expect(await key).toBe("secret");
    expect(seen()).toBe("Sure? [y/N] nx\b \b\b \byes\nKey: \n");
  });

  it("is given up with Ctrl-C, and the terminal echoes again", async () => {
    const { input, modes, asked } = dialogue(true);
    const key = readHidden("Key: ", asked).catch((error) => [error.sentence, error.exitCode]);
    input.write("sk\u0003");
    expect(await key).toEqual(["Stopped; nothing was changed.", 130]);
    expect(modes).toEqual([true, false]);
  });

  it("is read from a pipe to its end, without its last line break, and without a question", async () => {
    const { input, seen, asked } = dialogue(false);
    const key = readHidden("Key: ", asked);
    input.end("sk-1\n");
    expect(await key).toBe("sk-1");
    expect(seen()).toBe("");
  });
});

describe("a yes", () => {
  it("is only a typed y or yes; without a terminal it is no", async () => {
    for (const [typed, answer] of [
      ["y", true],
      ["YES", true],
      ["", false],
      ["yep", false],
      ["n", false],
    ] as const) {
      const { input, asked } = dialogue(true);
      const said = confirmed("Sure?", asked);
      input.write(`${typed}\r`);
      expect([typed, await said]).toEqual([typed, answer]);
    }
    expect(await confirmed("Sure?", dialogue(false).asked)).toBe(false);
  });
});
