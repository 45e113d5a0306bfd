/** Whether an Ollama answers on this machine, and the line that connects it. Asks loopback only, and briefly. */
import { LIMITS } from "../shared/limits.ts";

const ADDRESS = "http://127.0.0.1:11434";

/** One sentence with the command, or undefined when nothing answers in time. */
export async function localModelHint(
  address = ADDRESS,
  patienceMs: number = LIMITS.localModelProbeMs,
): Promise<string | undefined> {
  try {
    const answer = await fetch(`${address}/api/tags`, { signal: AbortSignal.timeout(patienceMs) });
    const { models } = (await answer.json()) as { models?: { name?: unknown }[] };
    const first = models
      ?.map(({ name }) => name)
      .find((name) => typeof name === "string" && /^[\w.:/-]{1,100}$/.test(name));
    if (!first) return undefined;
    return `An Ollama answers here. To use it: ./xray provider add --name ollama --base-url ${address}/v1 --model ${first} --allow-host --default`;
  } catch {
    return undefined;
  }
}
