/**
 * Where a runner listens. Two spellings and no other: `unix:` with an absolute path, and, for development, plain http on
 * this machine with a port. The server's environment names it; no row and no caller can.
 */
export type RunnerAddress = { socketPath: string } | { host: "127.0.0.1"; port: number };

/** Undefined for whatever is spelled otherwise. */
export function parseRunnerAddress(text: string): RunnerAddress | undefined {
  const socketPath = /^unix:(\/[^\0]+)$/.exec(text)?.[1];
  if (socketPath !== undefined) return { socketPath };
  const port = Number(/^http:\/\/127\.0\.0\.1:(\d{1,5})\/?$/.exec(text)?.[1]);
  return port >= 1 && port <= 65_535 ? { host: "127.0.0.1", port } : undefined;
}
