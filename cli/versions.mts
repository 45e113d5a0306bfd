/** Dotted version against the least one, number by number. */
export function isAtLeast(version: string, least: readonly number[]): boolean {
  const parts = version.split(".").map(Number);
  for (const [i, wanted] of least.entries()) {
    const part = parts[i] ?? 0;
    if (!(part === wanted)) return part > wanted;
  }
  return version !== "";
}
