/** The help texts, made from the command table. */
import type { Command } from "./commands.mts";

export function help(commands: Readonly<Record<string, Command>>): string {
  const rows = Object.entries(commands).map(([name, { words = [], summary }]) => [[name, ...words].join(" "), summary]);
  return `
  Agent X-Ray: watch an agent think.

${columns(rows as [string, string][])}

  Options of a command: ./xray COMMAND --help
`.concat("\n");
}

export function commandHelp(name: string, { words = [], options, summary }: Command): string {
  const rows = Object.entries(options).map(([option, { value, short, text }]): [string, string] => [
    `${short ? `-${short}, ` : ""}--${option}${value ? ` ${value}` : ""}`,
    text,
  ]);
  const usage = ["./xray", name, ...words, ...(rows.length > 0 ? ["[options]"] : [])].join(" ");
  return `\n  ${usage}\n  ${summary}\n${rows.length > 0 ? `\n${columns(rows)}\n` : ""}\n`;
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`).join("\n");
}
