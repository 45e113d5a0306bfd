/**
 * Steps a person can watch: on a terminal one living line with the names of the running steps and their seconds, from
 * which a step that is done becomes a line of its own with a tick; elsewhere one line a finished step.
 */
import { type Refusal, refusalOf } from "./refusal.mts";

export interface Step {
  /** Replaces the note behind the step's name. */
  note(text: string): void;
  /** As `note`, and the step ends with a cross although its work returned. */
  fault(text: string): void;
}
export interface Progress {
  step<T>(name: string, work: (step: Step) => Promise<T>): Promise<T>;
}

interface Running {
  name: string;
  note: string;
  faulty: boolean;
  started: number;
}

const NAME_WIDTH = 10;
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
/** Columns before a step's name. */
const INDENT = 4;

export function openProgress(out: NodeJS.WriteStream = process.stderr, env = process.env): Progress {
  const living = out.isTTY === true && env.TERM !== "dumb";
  const paint =
    living && env.NO_COLOR === undefined ? (code: number, text: string) => `\x1b[${code}m${text}\x1b[0m` : plain;
  const clear = living ? "\r\x1b[2K" : "";
  const running = new Set<Running>();
  let frame = 0;
  let timer: ReturnType<typeof setInterval> | undefined;

  const told = ({ name, note, started }: Running) =>
    `${name.padEnd(NAME_WIDTH)} ${note ? `${note} · ` : ""}${seconds(Date.now() - started)}`;
  const draw = () => {
    frame = (frame + 1) % FRAMES.length;
    // A line that is broken in two could not be cleared again.
    const line = [...running]
      .map(told)
      .join("   ")
      .slice(0, (out.columns || 80) - INDENT - 1);
    out.write(`${clear}  ${paint(36, FRAMES[frame]!)} ${line}`);
  };
  const finish = (step: Running, mark: string) => {
    running.delete(step);
    out.write(`${clear}  ${mark} ${told(step)}\n`);
    if (running.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    async step(name, work) {
      const step: Running = { name, note: "", faulty: false, started: Date.now() };
      running.add(step);
      if (living) timer ??= setInterval(draw, 100);
      try {
        const result = await work({
          note(text) {
            step.note = text;
          },
          fault(text) {
            [step.note, step.faulty] = [text, true];
          },
        });
        finish(step, step.faulty ? paint(31, "✗") : paint(32, "✓"));
        return result;
      } catch (error) {
        step.note = "";
        finish(step, paint(31, "✗"));
        throw refusalOf(error, `working on "${name}"`);
      }
    },
  };
}

/** The two lines of a refusal, for standard error. */
export function refusalText(refusal: Refusal): string {
  return `\n  ${refusal.sentence}\n${refusal.remedy ? `  ${refusal.remedy}\n` : ""}\n`;
}

export function seconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}

function plain(_code: number, text: string): string {
  return text;
}
