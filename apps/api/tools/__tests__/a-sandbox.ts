/** A sandbox for tests: two small skills, and a runner that answers what it is told to and keeps what it was sent. */
import type { ManifestSkill } from "../../../../shared/skill-manifest";
import type { RunnerClient, RunReply, RunRequest } from "../sandbox/runner-client";
import type { Sandbox } from "../sandbox/sandbox";

export function aSkill(changes: Partial<ManifestSkill> = {}): ManifestSkill {
  return {
    name: "counting",
    description: "Counts what it is given.",
    network: "none",
    skillMd: "---\nname: counting\n---\n\n# Counting\n",
    files: [
      { path: "SKILL.md", sha256: "a".repeat(64) },
      { path: "scripts/count.py", sha256: "b".repeat(64) },
      { path: "xray.json", sha256: "c".repeat(64) },
    ],
    scripts: [
      {
        file: "count.py",
        description: "Counts words.",
        sha256: "b".repeat(64),
        input: {
          text: { type: "string", description: "the text", maxLength: 100 },
          top: { type: "integer", description: "how many", minimum: 1, maximum: 9, optional: true },
        },
      },
    ],
    ...changes,
  };
}

/** A skill whose script takes an address. */
export function aFetchingSkill(): ManifestSkill {
  const url = { type: "string", description: "the page", format: "https-url", maxLength: 2_048 } as const;
  return aSkill({
    name: "fetching",
    network: "egress",
    scripts: [{ file: "fetch.py", description: "Gets a page.", sha256: "d".repeat(64), input: { url } }],
  });
}

export function aReply(changes: Partial<RunReply> = {}): RunReply {
  const usual = { outcome: "ok", exitCode: 0, durationMs: 7.4, stdout: "3 words\n", stderr: "" } as const;
  return { ...usual, stdoutBytes: 8, stderrBytes: 0, stderrTruncated: false, ...changes };
}

export interface RecordingRunner extends RunnerClient {
  sent: RunRequest[];
}

export function runnerThat(answer: (request: RunRequest, signal: AbortSignal) => Promise<RunReply>): RecordingRunner {
  const sent: RunRequest[] = [];
  return {
    sent,
    run(request, signal) {
      sent.push(request);
      return answer(request, signal);
    },
    close() {},
  };
}

export function sandboxWith(changes: Partial<Sandbox> = {}): Sandbox {
  const runner = runnerThat(async () => aReply());
  return { skills: [aSkill()], runners: { none: runner }, dailyRunLimit: 0, totalTimeoutMs: 30_000, ...changes };
}
