/**
 * Asks a person at a terminal: a line that must not be seen, or a yes. Without a terminal the secret is read from
 * standard input to its end, and the answer is no.
 */
import { Refusal } from "./refusal.mts";

/** Where it is asked and answered: standard error and standard input, another pair in tests. */
export interface Dialogue {
  input: NodeJS.ReadStream;
  output: Pick<NodeJS.WritableStream, "write">;
}
const STANDARD: Dialogue = { input: process.stdin, output: process.stderr };

export async function readHidden(prompt: string, dialogue = STANDARD): Promise<string> {
  return dialogue.input.isTTY ? await typedLine(prompt, dialogue, false) : await readAll(dialogue.input);
}

export async function confirmed(question: string, dialogue = STANDARD): Promise<boolean> {
  return dialogue.input.isTTY && /^y(es)?$/i.test((await typedLine(`${question} [y/N] `, dialogue, true)).trim());
}

/**
 * One line in raw mode, so that nothing is echoed unless asked for. Backspace works, Ctrl-C refuses, a pasted line
 * break ends it. (One reader for both questions: a closed readline leaves the stream unusable for the next.)
 */
async function typedLine(prompt: string, { input, output }: Dialogue, echo: boolean): Promise<string> {
  output.write(prompt);
  input.setRawMode(true);
  input.setEncoding("utf8");
  const line = Promise.withResolvers<string>();
  let typed = "";
  const onData = (text: string) => {
    for (const character of text) {
      if (character === "\r" || character === "\n" || character === "\u0004") return line.resolve(typed);
      if (character === "\u0003") return line.reject(new Refusal("Stopped; nothing was changed.", "", 130));
      if (character === "\u007f" || character === "\b") {
        if (echo && typed) output.write("\b \b");
        typed = typed.slice(0, -1);
      } else if (character >= " ") {
        if (echo) output.write(character);
        typed += character;
      }
    }
  };
  input.on("data", onData);
  input.resume();
  try {
    return await line.promise;
  } finally {
    input.off("data", onData);
    input.pause();
    input.setRawMode(false);
    output.write("\n");
  }
}

async function readAll(input: AsyncIterable<unknown>): Promise<string> {
  let text = "";
  for await (const chunk of input) text += String(chunk);
  return text.replace(/\r?\n$/, "");
}
