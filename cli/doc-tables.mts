/**
 * The tables that documents repeat from the code. Run with `--write` to bring the documents up to date; a test fails
 * while one of them says something else.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { inputJson } from "../apps/api/mcp/advertised.ts";
import { TOOLS } from "../apps/api/mcp/tools/index.ts";
import { SANITISE_FIELDS } from "../apps/api/kernel/sanitise.ts";
import { ENVIRONMENT } from "../apps/api/lib/env.ts";
import type { Contract } from "../shared/contracts/contract.ts";
import { CONTRACTS } from "../shared/contracts/index.ts";
import { ERRORS } from "../shared/errors.ts";
import { LIMITS } from "../shared/limits.ts";
import { TRACE_EVENTS, TRACE_MODES, type TraceEventName } from "../shared/trace-events.ts";

/** `file`'s text between `<!-- name:begin -->` and `<!-- name:end -->` is the table. */
export const DOC_TABLES = [
  { file: "docs/security.md", name: "limits", text: limitsTable() },
  { file: "docs/trace-events.md", name: "events", text: eventsTable() },
  { file: "docs/operations.md", name: "environment", text: environmentTable() },
  { file: "docs/http-api.md", name: "endpoints", text: endpointsTable() },
  { file: "docs/http-api.md", name: "errors", text: errorsTable() },
  { file: "docs/mcp-tools.md", name: "tools", text: toolsTable() },
];

function limitsTable(): string {
  const rows = Object.entries(LIMITS).map(([name, value]) => [`\`${name}\``, value.toLocaleString("en-US")]);
  return table(["limit", "value"], rows);
}

function eventsTable(): string {
  const names = Object.keys(TRACE_EVENTS) as TraceEventName[];
  const byMode = TRACE_MODES.flatMap((mode) => names.filter((name) => TRACE_EVENTS[name] === mode));
  const fields = (name: TraceEventName) => Object.keys(SANITISE_FIELDS[name]).map((field) => `\`${field}\``);
  return table(
    ["event", "mode", "fields beside `type`"],
    byMode.map((name) => [`\`${name}\``, TRACE_EVENTS[name], fields(name).join(", ") || "none"]),
  );
}

function environmentTable(): string {
  const rows = Object.entries(ENVIRONMENT).map(([name, { default: value, meaning }]) => [
    `\`${name}\``,
    value ? `\`${value}\`` : "unset",
    meaning,
  ]);
  return table(["variable", "default", "meaning"], rows);
}

function endpointsTable(): string {
  const rows = CONTRACTS.map((contract) => [
    `\`${contract.method} ${contract.path}\``,
    contract.summary,
    cookieOf(contract),
    answerOf(contract),
  ]);
  return table(["endpoint", "does", "cookie", "answer"], rows);
}

function cookieOf({ visitor }: Contract): string {
  if (visitor === undefined) return "not read";
  return visitor.needed ? `needed, ${visitor.cookie}` : visitor.cookie;
}

function answerOf({ answer, media, stream }: Contract): string {
  if (answer === "bytes") return (media ?? []).map((type) => `\`${type}\``).join(", ");
  if (answer === "sse") return stream?.mayBeIdle ? "SSE or 204" : "SSE";
  return answer === null ? "204" : "JSON";
}

function errorsTable(): string {
  const rows = Object.entries(ERRORS).map(([code, { status, sentence }]) => [`\`${code}\``, String(status), sentence]);
  return table(["code", "status", "sentence"], rows);
}

/** An argument with a question mark may be left out. */
function toolsTable(): string {
  const access = { read: "read", set: "write", destroy: "write, removes" };
  const rows = TOOLS.map((tool) => {
    const { properties = {}, required = [] } = inputJson(tool) as { properties?: object; required?: string[] };
    const names = Object.keys(properties).map((name) => `\`${name}${required.includes(name) ? "" : "?"}\``);
    return [
      `\`${tool.name}\``,
      access[tool.effect],
      names.join(" ") || "none",
      tool.description.replaceAll("|", "\\|"),
    ];
  });
  return table(["tool", "access", "arguments", "does"], rows);
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** The document with its table replaced. Throws when the markers are missing. */
export function withTable(document: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from < 0 || to < from) throw new Error(`no place for the table "${name}"`);
  return `${document.slice(0, from + begin.length)}\n${text}\n${document.slice(to)}`;
}

if (import.meta.main && process.argv.includes("--write")) {
  for (const { file, name, text } of DOC_TABLES) writeFileSync(file, withTable(readFileSync(file, "utf8"), name, text));
}
