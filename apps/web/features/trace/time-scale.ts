/** Durations as text, and the scale of the time axis. Pure; numbers are milliseconds. */

/** `331 ms`, `2.0 s`, `72.4 s`; `-` for what is not known. */
export function formatDuration(ms: number | null): string {
  if (ms === null || !Number.isFinite(ms) || ms < 0) return "-";
  const whole = Math.round(ms);
  return whole < 1_000 ? `${whole} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** The axis never shows less than this, so that a turn of a few events is not blown up to look like work. */
const SHORTEST_SPAN_MS = 1_200;
const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 7.5, 10];
const PARTS = 6;

/** The round span that holds `ms`: six equal parts of a round step. */
export function axisSpanMs(ms: number): number {
  const wanted = Math.max(ms, SHORTEST_SPAN_MS) / PARTS;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = STEPS.find((factor) => factor * power >= wanted - 1e-9)!;
  return Math.round(step * power * PARTS);
}

export interface AxisTick {
  /** Share of the axis, 0 to 1. */
  at: number;
  label: string;
}

/** Beside seconds, what keeps the numbers short where the recorder's clock has leapt. */
const UNITS = [
  { unit: "d", ms: 86_400_000 },
  { unit: "h", ms: 3_600_000 },
];

/** Seven ticks, the last with its unit: 0 2 4 6 8 10 12 s. */
export function axisTicks(spanMs: number): AxisTick[] {
  const { unit, ms } = UNITS.find(({ ms }) => spanMs >= 4 * ms) ?? { unit: "s", ms: 1_000 };
  return Array.from({ length: PARTS + 1 }, (_, part) => {
    const label = String(Number(((spanMs * part) / PARTS / ms).toFixed(2)));
    return { at: part / PARTS, label: part === PARTS ? `${label} ${unit}` : label };
  });
}

/** 1204 → `1,204`, the same in both languages. Not by `Intl`, whose first use takes a page that begins 15 ms and more. */
export const formatCount = (count: number): string => String(Math.round(count)).replace(/\B(?=(?:\d{3})+$)/g, ",");
