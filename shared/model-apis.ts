/**
 * The wire protocols a provider row may name. A name stands here once the kernel speaks it and a test has shown it
 * against a server of that protocol; writing a row refuses every other.
 */
export const MODEL_APIS = [
  "openai-completions",
  "openai-responses",
  "anthropic-messages",
  "google-generative-ai",
  "mistral-conversations",
] as const;

export type ModelApi = (typeof MODEL_APIS)[number];

export function isModelApi(name: string): name is ModelApi {
  return (MODEL_APIS as readonly string[]).includes(name);
}

/** Hosts that speak a protocol of their own; what is asked of them by another is asked under a path of its own. */
const OWN_PROTOCOL: Readonly<Record<string, ModelApi>> = {
  "api.anthropic.com": "anthropic-messages",
  "generativelanguage.googleapis.com": "google-generative-ai",
  "api.mistral.ai": "mistral-conversations",
};

/** The protocol of an address when nothing else is said: its host's own, else OpenAI's, which nearly everyone speaks. */
export function usualApi(baseUrl: string): ModelApi {
  const { hostname, pathname } = new URL(baseUrl);
  if (/\/openai\/?$/.test(pathname) || !Object.hasOwn(OWN_PROTOCOL, hostname)) return "openai-completions";
  return OWN_PROTOCOL[hostname]!;
}

/**
 * Whether a key can be used with a protocol. A subscription's token (`sk-ant-oat…`) cannot: it belongs to another
 * product, whose name and prompt a client would have to send with it.
 */
export function isKeyFor(api: ModelApi, apiKey: string): boolean {
  return !(api === "anthropic-messages" && apiKey.includes("sk-ant-oat"));
}
