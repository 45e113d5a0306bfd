/**
 * The JSON of an answer as it arrives: each event of a stream, or the one value of an answer that is no stream. Which of
 * the two it is shows in the first character; what a service says of its type is not asked. The bytes were counted, and
 * event data was found to be JSON, by the fetch that the response came from.
 */
export interface AnswerValue {
  /** The event's own name; "" where it has none. */
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a service may send whatever JSON it likes; every reader looks before it takes.
  value: any;
}

/** Marks the end of a stream in the chat completions protocol. */
export const DONE = "[DONE]";

/**
 * Yields the values in order; `DONE` as a string where the stream says so. Leaving the loop hangs up.
 * @throws SyntaxError for a single value that is no JSON; whatever the body rejects with.
 */
export async function* answerValues(response: Response): AsyncGenerator<AnswerValue> {
  let whole: string | undefined;
  let lines: string[] = [];
  for await (const line of linesOf(response)) {
    if (whole !== undefined) whole += `\n${line}`;
    else if (lines.length === 0 && /^\s*[{[]/.test(line)) whole = line;
    else if (line !== "") lines.push(line);
    else {
      yield* valueIn(lines);
      lines = [];
    }
  }
  if (whole !== undefined) yield { event: "", value: JSON.parse(whole) };
  else yield* valueIn(lines);
}

function* valueIn(lines: readonly string[]): Generator<AnswerValue> {
  const field = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).replace(/^ /, ""));
  const data = field("data").join("\n").trim();
  if (data === "") return;
  yield { event: field("event").at(-1) ?? "", value: data.startsWith(DONE) ? DONE : JSON.parse(data) };
}

/** Lines that end in LF, CRLF or CR, however the bytes were cut; the last one needs no end. */
async function* linesOf(response: Response): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      rest += text;
      // A long line in small chunks is put together, not searched again for each of them.
      if (!done && !/[\r\n]/.test(text)) continue;
      const lines = rest.split(/\r\n|\n|\r/);
      rest = done ? "" : lines.pop()!;
      yield* lines;
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
