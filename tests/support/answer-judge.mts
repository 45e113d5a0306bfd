/** Whether an answer is one that the OpenAPI document announces: status, headers, content type, body, every frame. */
import type { OpenApiDocument } from "../../cli/openapi/document.mts";
import { type PlacedOperation, faultsOf, frameFaults } from "./api-document.mts";
import { parseSse } from "./visitor.mts";

export interface ReceivedAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/** Every way in which the answer differs from the document; empty when it does not. */
export function answerFaults(document: OpenApiDocument, operation: PlacedOperation, answer: ReceivedAnswer): string[] {
  const { status, headers, text } = answer;
  const described = operation.responses[status];
  if (described === undefined) return [`status ${status} is not in the document`];
  const faults: string[] = [];
  if (status === 500) faults.push("the server failed");
  for (const [name, header] of [
    ["set-cookie", "Set-Cookie"],
    ["retry-after", "Retry-After"],
  ] as const) {
    if (headers.has(name) && !described.headers?.[header]) faults.push(`${header} is not in the document`);
  }
  const type = headers.get("content-type")?.split(";")[0];
  if (described.content === undefined) {
    return text === "" && type === undefined ? faults : [...faults, "a body is not in the document"];
  }
  const content = type === undefined ? undefined : described.content[type];
  if (content === undefined) return [...faults, `content type ${type} is not in the document`];
  if (type === "text/event-stream") {
    faults.push(...parseSse(text).flatMap((frame) => frameFaults(document, content.schema, frame)));
  } else if (type === "application/json") {
    faults.push(...faultsOf(document, content.schema, JSON.parse(text)));
  }
  return faults;
}
