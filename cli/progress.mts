/**
 * Steps a person can watch: on a terminal one living line with the step's name and its seconds, which becomes a tick
 * when the step is done; elsewhere one line a finished step.
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

const NAME_WIDTH = 10;
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

export function openProgress(out: NodeJS.WriteStream = process.stderr, env = process.env): Progress {
  const living = out.isTTY === true && env.TERM !== "dumb";
  const paint =
    living && env.NO_COLOR === undefined ? (code: number, text: string) => `\x1b[${code}m${text}\x1b[0m` : plain;
  const line = (mark: string, name: string, note: string, sinceMs: number) =>
    `  ${mark} ${name.padEnd(NAME_WIDTH)} ${note ? `${note} · ` : ""}${seconds(sinceMs)}`;

  return {
    async step(name, work) {
      const started = Date.now();
      let note = "";
      let frame = 0;
      let faulty = false;
      const draw = () => {
        frame = (frame + 1) % FRAMES.length;
        out.write(`\r\x1b[2K${line(paint(36, FRAMES[frame]!), name, note, Date.now() - started)}`);
      };
      const timer = living ? setInterval(draw, 100) : undefined;
      const finish = (mark: string) => {
        clearInterval(timer);
        out.write(`${living ? "\r\x1b[2K" : ""}${line(mark, name, note, Date.now() - started)}\n`);
      };
      try {
        const result = await work({
          note(text) {
            note = text;
          },
          fault(text) {
            [note, faulty] = [text, true];
          },
        });
        finish(faulty ? paint(31, "✗") : paint(32, "✓"));
        return result;
      } catch (error) {
        note = "";
        finish(paint(31, "✗"));
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
