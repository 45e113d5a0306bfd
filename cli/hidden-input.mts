/** Reads what must not be seen: from a terminal without echo, else from standard input to its end. */
import { createInterface } from "node:readline/promises";
import { Refusal } from "./refusal.mts";

/** One line typed blindly. Backspace works, Ctrl-C refuses, a pasted line break ends it. */
export async function readHidden(prompt: string, input = process.stdin, output = process.stderr): Promise<string> {
  if (!input.isTTY) return await readAll(input);
  output.write(prompt);
  input.setRawMode(true);
  input.setEncoding("utf8");
  let typed = "";
  try {
    for await (const text of input as AsyncIterable<string>) {
      for (const character of text) {
        if (character === "\r" || character === "\n" || character === "\u0004") return typed;
        if (character === "\u0003") throw new Refusal("Stopped; nothing was changed.", "", 130);
        if (character === "\u007f" || character === "\b") typed = typed.slice(0, -1);
        else if (character >= " ") typed += character;
      }
    }
    return typed;
  } finally {
    input.setRawMode(false);
    input.pause();
    output.write("\n");
  }
}

/** A yes typed at a terminal; without one the answer is no. */
export async function confirmed(question: string, input = process.stdin, output = process.stderr): Promise<boolean> {
  if (!input.isTTY) return false;
  const lines = createInterface({ input, output });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}

async function readAll(input: AsyncIterable<unknown>): Promise<string> {
  let text = "";
  for await (const chunk of input) text += String(chunk);
  return text.replace(/\r?\n$/, "");
}
