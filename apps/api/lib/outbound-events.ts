/**
 * The check of event data on its way in (§2.3): what a server calls data must be JSON or `[DONE]`. A client library
 * prints what it cannot parse, and with it what a visitor said. Works on any body: a server may name its stream's type
 * wrongly, and in other text no line begins like data.
 */
export type EventFault = "too_large" | "malformed";

export interface EventDataCheck {
  /** The fault that the body up to this chunk shows, if any. */
  add(chunk: Uint8Array): EventFault | undefined;
  /** The same for what the body ended with: clients also read an event without its closing line. */
  end(): EventFault | undefined;
}

/** `maxChars` bounds one line, and the data of one event, in UTF-16 units. */
export function eventDataCheck(maxChars: number): EventDataCheck {
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  let dataChars = 0;

  const endEvent = (): EventFault | undefined => {
    const text = data.join("\n").trim();
    data = [];
    dataChars = 0;
    return text === "" || text.startsWith("[DONE]") || isJson(text) ? undefined : "malformed";
  };
  const addLine = (line: string): EventFault | undefined => {
    if (line === "") return endEvent();
    if (!line.startsWith("data:")) return undefined;
    data.push(line.slice(5));
    dataChars += line.length;
    return dataChars > maxChars ? "too_large" : undefined;
  };
  const addText = (text: string, isLast: boolean): EventFault | undefined => {
    // A long line in small chunks is put together, not searched again for each of them.
    const mayEndLine = isLast || rest.endsWith("\r") || /[\r\n]/.test(text);
    const lines = mayEndLine ? (rest + text).split(/\r\n|\n|\r(?=[^\n])/) : [rest + text];
    rest = isLast ? "" : lines.pop()!;
    for (const line of lines) {
      const fault = addLine(line);
      if (fault) return fault;
    }
    return rest.length > maxChars ? "too_large" : undefined;
  };

  return {
    add: (chunk) => addText(decoder.decode(chunk, { stream: true }), false),
    end: () => addText(decoder.decode(), true) ?? endEvent(),
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
