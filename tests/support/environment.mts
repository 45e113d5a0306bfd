/** Sets variables (undefined: unsets them) for the time of `work`, and puts back what was there. */
export async function withEnvironment<T>(
  values: Record<string, string | undefined>,
  work: () => T | Promise<T>,
): Promise<T> {
  const before = Object.fromEntries(Object.keys(values).map((name) => [name, process.env[name]]));
  setAll(values);
  try {
    return await work();
  } finally {
    setAll(before);
  }
}

function setAll(values: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
