import { expect, it } from "bun:test";
import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { traceRow } from "../../../../shared/contracts/frames";
import fixture from "../../../../shared/fixtures/trace-turn.json";
import type { TraceRow } from "../../../../shared/trace-events";
import en from "../../messages/trace.en.json";
import { wholeTurn } from "./__tests__/scripted-turn";
import { readRow } from "./event-facts";
import { addRows, EMPTY_TRACE } from "./reduce";
import type { TraceTurn } from "./trace-model";
import { traceFileText } from "./trace-file";
import { TurnTable } from "./turn-table";

/** The cells of each row as text, the first of them the head. */
function table(turn: TraceTurn): string[][] {
  const html = renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={en} timeZone="UTC">
      <TurnTable turn={turn} />
    </NextIntlClientProvider>,
  );
  return html
    .split("<tr")
    .slice(1)
    .map((row) =>
      row
        .split(/<t[dh]/)
        .slice(1)
        .map((cell) =>
          cell
            .replace(/^[^>]*>/, "")
            .replace(/<[^>]+>/g, "")
            .trim(),
        ),
    );
}

it("shows every row with all folds open, who returned what, and a duration only where there is a pair", () => {
  const rows = table(addRows(EMPTY_TRACE, wholeTurn(), 0).turns[0]!);
  expect(rows[0]).toEqual(["no.", "event", "at, ms", "took"]);
  expect(rows.slice(1, 5)).toEqual([
    ["0", "input “hi”", "0", ""],
    ["1", "before_agent_start", "5", ""],
    ["2", "agent_start", "8", ""],
    ["", "Round trip 1 model after 100 ms, 37 events", "10", "260 ms"],
  ]);
  expect(rows.find(([, name]) => name === "notes_search x")).toEqual(["14–22", "notes_search x", "230", "32 ms"]);
  const blocked = rows.findIndex(([, name]) => name === "tool_call blocked by xray-guard");
  expect(rows[blocked + 1]?.[1]).toContain(
    "xray-guard: {&quot;block&quot;:true,&quot;reason&quot;:&quot;no such script&quot;}",
  );
  expect(rows.filter(([, name]) => name?.startsWith("message_update")).map((row) => row[3])).toEqual(["100 ms", ""]);
});

it("has every recorded row of a real session in it", () => {
  const recorded = fixture as unknown as TraceRow[];
  const shown = addRows(EMPTY_TRACE, recorded, 0).turns.flatMap((turn) =>
    table(turn).flatMap(([seqs = ""]) => {
      const [first, last = first] = seqs.split("–").map(Number);
      return seqs === "" || Number.isNaN(first) ? [] : recorded.filter(({ seq }) => seq >= first! && seq <= last!);
    }),
  );
  expect(recorded.filter((row) => !shown.includes(row))).toEqual([]);
});

it("keeps the rows in a file as they came over the wire", () => {
  const rows = wholeTurn();
  const file = JSON.parse(traceFileText(rows, new Date("2026-03-01T12:00:00Z")));
  expect(Object.keys(file)).toEqual(["format", "version", "exportedAt", "isFromStart", "rows"]);
  expect(file).toMatchObject({ format: "agent-x-ray-trace", version: 1, isFromStart: true });
  expect(file.rows).toEqual(rows);
  expect(file.rows.map((row: unknown) => traceRow.parse(row))).toEqual(rows);
  expect(JSON.parse(traceFileText(rows.slice(3), new Date())).isFromStart).toBe(false);
  expect(JSON.parse(traceFileText([], new Date())).rows).toEqual([]);
  const later = { ...rows[0]!, mode: "quorum", span: { id: 7 } };
  const read = addRows(EMPTY_TRACE, [readRow(later)], 0).turns[0]!.rows;
  expect(JSON.parse(traceFileText(read, new Date())).rows).toEqual([later]);
});
