/**
 * The progress of an outbound call, as the trace shows it: keys of a closed set, a second apart, and only so many. A phase
 * is reported whenever something of it happens; most of that says nothing new and is not told.
 */
import { LIMITS } from "../../../../shared/limits";

/** `now` in milliseconds. The same phase is told again only after a longer while, as a sign of life. */
export function phaseReporter<Phase extends string>(
  onPhase: (phase: string) => void,
  now: () => number = Date.now,
): (phase: Phase) => void {
  let told = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  let last: Phase | undefined;
  return (phase) => {
    const pauseMs = phase === last ? LIMITS.outboundPhaseAgainMs : LIMITS.outboundPhaseMs;
    if (told === LIMITS.outboundPhases || now() - lastMs < pauseMs) return;
    told += 1;
    lastMs = now();
    last = phase;
    onPhase(phase);
  };
}
