/** A bare stage for the browser test: a plain chat of linked lines beside the real panel, fed from the test. */
import "../../../app/tokens.css";
import { NextIntlClientProvider } from "next-intl";
import { useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import en from "../../../messages/trace.en.json";
import { Leaders } from "../../stage/leaders";
import { focusTraceRow, TraceAxis, TraceFilm, TurnTrace } from "../index";
import { addRows, EMPTY_TRACE } from "../reduce";

/** What the test calls. `rows` are trace rows as on the wire. */
export interface StageHandle {
  add(rows: unknown[], receivedAtMs: number): void;
  run(turnSeq: number | null): void;
  /** As "show in trace" does. */
  focusRow(link: string): void;
  /** Starts over with nothing recorded. */
  reset(): void;
}

function Stage() {
  const root = useRef<HTMLElement>(null);
  const [trace, setTrace] = useState(EMPTY_TRACE);
  const [running, setRunning] = useState<number | null>(null);
  const [question, setQuestion] = useState("");
  Object.assign(window, {
    stage: {
      add: (rows, receivedAtMs) => setTrace((before) => addRows(before, rows, receivedAtMs)),
      run: setRunning,
      focusRow: (link) => focusTraceRow(root.current!, link),
      reset: render,
    } satisfies StageHandle,
  });
  const panel = { turns: trace.turns, runningTurnSeq: running, root };
  return (
    <main
      ref={root}
      data-trace-rows=""
      style={{ position: "relative", height: 800, overflowY: "auto", isolation: "isolate" }}
    >
      <output>{question}</output>
      <div style={{ position: "sticky", top: 0, marginLeft: 540, width: 648, zIndex: 3 }}>
        <TraceFilm {...panel} />
        <TraceAxis {...panel} clockOffsetMs={trace.clockOffsetMs} />
      </div>
      {trace.turns.map((turn) => (
        <section key={turn.turnSeq} style={{ display: "grid", gridTemplateColumns: "500px 40px 648px" }}>
          <div>
            {["user", "a", "b", "answer"].map((half) => (
              <p key={half} data-link={`${turn.turnSeq}:${half}`} data-tone={half === "b" ? "danger" : undefined}>
                {half}
              </p>
            ))}
          </div>
          <div style={{ gridColumn: 3 }}>
            <TurnTrace
              turn={turn}
              running={turn.turnSeq !== null && turn.turnSeq === running}
              clockOffsetMs={trace.clockOffsetMs}
              onAskWhy={setQuestion}
            />
          </div>
        </section>
      ))}
      <Leaders root={root} />
    </main>
  );
}

const page = createRoot(document.getElementById("page")!);
let mounts = 0;
function render() {
  mounts += 1;
  page.render(
    <NextIntlClientProvider locale="en" messages={en} timeZone="UTC">
      <Stage key={mounts} />
    </NextIntlClientProvider>,
  );
}
render();
