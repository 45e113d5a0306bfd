/**
 * The one way from this process to a runner: its protocol over one keep-alive agent (§13.4; `runner/README.md` is the
 * runner's own side). It sends a name, a hash and an input, and takes back a bounded reply. Leaving a run, by abort or by
 * the deadline, closes the connection, and the runner then kills what it had started. No body of a runner leaves here
 * unread: a reply that is not exactly one of the protocol's is a failure.
 */
import { Agent, type ClientRequest, type IncomingMessage, request } from "node:http";
import { z } from "zod";
import type { SkillInput } from "../../../../shared/skill-manifest";
import type { RunnerAddress } from "./runner-address";

export interface RunRequest {
  skill: string;
  script: string;
  /** Of the script, as this side knows it. */
  sha256: string;
  input: SkillInput;
  /** From the arrival at the runner to the end, time in its queue included. */
  timeoutMs: number;
}

export const RUN_OUTCOMES = [
  "ok",
  "script_error",
  "timeout",
  "cpu_limit",
  "memory_limit",
  "output_limit",
  "disk_limit",
  "crashed",
  "sandbox_violation",
] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

const runReply = z.object({
  outcome: z.enum(RUN_OUTCOMES),
  exitCode: z.number().int().nullable(),
  durationMs: z.number().nonnegative(),
  stdout: z.string(),
  stderr: z.string(),
  stdoutBytes: z.number().int().nonnegative(),
  stderrBytes: z.number().int().nonnegative(),
  stderrTruncated: z.boolean(),
});
export type RunReply = z.infer<typeof runReply>;

/** Answers of a runner that mean: nothing was started. */
const REFUSALS = [
  "bad_request",
  "not_found",
  "network_mismatch",
  "unknown_skill",
  "unknown_script",
  "hash_mismatch",
  "input_too_large",
  "queue_full",
  "sandbox_unavailable",
  "sandbox_setup",
  "sandbox_attestation",
  "spawn_timeout",
] as const;
/** `unreachable`: nobody listens. The others may have run something: `lost`, `late`, `garbage`, `zygote_died`, `internal`. */
export type RunnerFailureCode =
  | (typeof REFUSALS)[number]
  | "unreachable"
  | "lost"
  | "late"
  | "garbage"
  | "too_large"
  | "zygote_died"
  | "internal";

/** A run without a reply. The code is fixed; what the runner or the system said stays out of it. */
export class RunnerFailure extends Error {
  override name = "RunnerFailure";
  constructor(readonly code: RunnerFailureCode) {
    super(`the runner gave no reply: ${code}`);
  }
  /** Whether it is certain that no script was started. */
  get startedNothing(): boolean {
    return this.code === "unreachable" || (REFUSALS as readonly string[]).includes(this.code);
  }
}

export interface RunnerClient {
  /** Rejects with a `RunnerFailure`, or with the signal's reason. */
  run(request: RunRequest, signal: AbortSignal): Promise<RunReply>;
  close(): void;
}

export interface RunnerClientOptions {
  connections: number;
  replyBytes: number;
  /** What the runner may take beyond the run's own time. */
  graceMs: number;
}

export function runnerClient(address: RunnerAddress, options: RunnerClientOptions): RunnerClient {
  const agent = new Agent({ keepAlive: true, maxSockets: options.connections });
  return {
    async run(run, signal) {
      signal.throwIfAborted();
      const late = AbortSignal.timeout(run.timeoutMs + options.graceMs);
      const either = AbortSignal.any([signal, late]);
      try {
        const call = { method: "POST", path: "/run", body: JSON.stringify(run) };
        const { status, text } = await exchange(address, agent, call, options.replyBytes, either);
        return replyOf(status, text);
      } catch (error) {
        signal.throwIfAborted();
        if (late.aborted) throw new RunnerFailure("late");
        throw error instanceof RunnerFailure ? error : new RunnerFailure("lost");
      }
    },
    close: () => agent.destroy(),
  };
}

/** What a runner says of itself. */
export interface RunnerHealth {
  /** Whether runs are possible. */
  ok: boolean;
  /** Codes of what stands in the way of them. */
  missing: string[];
  /** Runs at a time. */
  slots: number;
  active: number;
  /** Requests that wait for a free place. */
  waiting: number;
}

const count = z.number().int().nonnegative();
const healthReply = z.object({
  ok: z.boolean(),
  missing: z.array(z.string().regex(/^[a-z0-9_]{1,64}$/)),
  slots: count,
  active: count,
  waiting: count,
});

/** Asks a runner how it is. Undefined when nobody answers as a runner would. */
export async function runnerHealth(address: RunnerAddress, timeoutMs: number): Promise<RunnerHealth | undefined> {
  const text = await healthText(address, timeoutMs);
  return text === undefined ? undefined : healthReply.safeParse(parsed(text)).data;
}

/** What a runner says of its health, on a connection of its own; undefined when nobody says anything within bounds. */
export async function healthText(address: RunnerAddress, timeoutMs: number): Promise<string | undefined> {
  const agent = new Agent();
  const call = { method: "GET", path: "/health", body: "" };
  try {
    return (await exchange(address, agent, call, HEALTH_BYTES, AbortSignal.timeout(timeoutMs))).text;
  } catch {
    return undefined;
  } finally {
    agent.destroy();
  }
}

const HEALTH_BYTES = 65_536;

/** One request and its whole answer; `signal` ends both by closing the connection. */
function exchange(
  address: RunnerAddress,
  agent: Agent,
  { method, path, body }: { method: string; path: string; body: string },
  replyBytes: number,
  signal: AbortSignal,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const ofBody = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const headers = body === "" ? {} : ofBody;
    const call: ClientRequest = request(
      { ...address, agent, method, path, headers, signal },
      (reply: IncomingMessage) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        reply.on("data", (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > replyBytes) {
            reject(new RunnerFailure("too_large"));
            call.destroy();
          } else chunks.push(chunk);
        });
        reply.on("end", () => {
          // A cut body also ends; only a complete one is an answer.
          if (reply.complete) resolve({ status: reply.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") });
          else reject(new RunnerFailure("lost"));
        });
        reply.on("error", () => reject(new RunnerFailure("lost")));
        reply.on("close", () => reject(new RunnerFailure("lost")));
      },
    );
    call.on("error", (error: NodeJS.ErrnoException) => {
      const nobody = ["ENOENT", "ECONNREFUSED", "EACCES", "FailedToOpenSocket", "ConnectionRefused"];
      reject(new RunnerFailure(nobody.includes(error.code ?? "") ? "unreachable" : "lost"));
    });
    call.end(body);
  });
}

const refusalBody = z.object({ error: z.string() });

function replyOf(status: number, text: string): RunReply {
  const given = parsed(text);
  if (status === 200) {
    const reply = runReply.safeParse(given);
    if (!reply.success) throw new RunnerFailure("garbage");
    return reply.data;
  }
  const refusal = refusalBody.safeParse(given);
  if (!refusal.success) throw new RunnerFailure("garbage");
  const { error } = refusal.data;
  const known = REFUSALS.find((code) => code === error);
  throw new RunnerFailure(known ?? (error === "zygote_died" ? "zygote_died" : "internal"));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
