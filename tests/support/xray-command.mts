/** `./xray` as a person runs it, on a state folder of its own and with nothing else of this process's environment. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface Run {
  code: number | null;
  out: string;
  err: string;
}
export interface XrayCommand {
  start(args: string[], env?: Record<string, string>): ChildProcess;
  /** Runs to the end; `input` is typed into it. */
  run(args: string[], options?: { input?: string; env?: Record<string, string> }): Promise<Run>;
  /** Ends what was started and still runs. */
  endAll(): void;
}

/** Commands run in `cwd`, with their state in `home`. */
export function xrayCommand(home: string, cwd: string): XrayCommand {
  const children: ChildProcess[] = [];
  const start: XrayCommand["start"] = (args, env = {}) => {
    const { PATH = "", HOME = "" } = process.env;
    const child = spawn(join(ROOT, "xray"), args, { cwd, env: { PATH, HOME, XRAY_HOME: home, ...env } });
    children.push(child);
    return child;
  };
  return {
    start,
    async run(args, { input = "", env } = {}) {
      const child = start(args, env);
      const [out, err] = [textOf(child.stdout!), textOf(child.stderr!)];
      child.stdin!.end(input);
      const [code] = await once(child, "close");
      return { code, out: await out, err: await err };
    },
    endAll: () => {
      for (const child of children) child.kill("SIGKILL");
    },
  };
}

export async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += chunk;
  return text;
}
