/**
 * Where a turn's model calls go. One model runtime serves the process; a provider row becomes a model object of its
 * own, and the row's key is found only through that object. pi's own ways to hand over a key run shell commands and
 * read the environment out of it, so none of them is used.
 */
import { type Api, createProvider, InMemoryCredentialStore, type Model, type Provider } from "@earendil-works/pi-ai";
import { openAICompletionsApi } from "@earendil-works/pi-ai/api/openai-completions.lazy";
import { ModelRuntime } from "@earendil-works/pi-coding-agent";
import type { Limits } from "../../../shared/limits";
import { guardedFetch } from "../lib/outbound";
import type { KernelLog, ModelSource } from "./kernel-types";

type ProviderSource = Extract<ModelSource, { kind: "provider" }>;
interface Secrets {
  apiKey: string;
  fetch: typeof fetch;
}

/** The protocols a row may name, each proven by a test against a server that speaks it. */
const APIS = { "openai-completions": openAICompletionsApi } as const;
type ApiName = keyof typeof APIS;
export const MODEL_APIS = Object.keys(APIS) as readonly ApiName[];

/** Request headers of these protocols. Whatever a client library adds from its environment stays here. */
const REQUEST_HEADERS = ["accept", "authorization", "content-type"];
/** pi's name for the one provider behind which every row stands. */
const PROVIDER_ID = "xray";
const DEMO_MODEL_ID = "demo";

export interface Models {
  runtime: ModelRuntime;
  /** @throws Error when the row names an unknown protocol or an unusable address, or when there is no demo model. */
  resolve(source: ModelSource): Model<Api>;
}

/** `demo` answers for sources of kind "demo". Nothing is read from disk, environment or network here. */
export async function createModels(limits: Limits, log: KernelLog, demo: Provider | undefined): Promise<Models> {
  const runtime = await ModelRuntime.create({
    credentials: new InMemoryCredentialStore(),
    modelsPath: null,
    refreshOnCreate: false,
  });
  const secrets = new WeakMap<object, Secrets>();
  runtime.registerNativeProvider(rowProvider(secrets));
  if (demo) runtime.registerNativeProvider(demo);
  return {
    runtime,
    resolve(source) {
      if (source.kind === "demo") {
        const model = demo?.getModels().find(({ id }) => id === DEMO_MODEL_ID);
        if (!model) throw new Error("there is no demo model");
        return model;
      }
      const model = rowModel(source);
      secrets.set(model, { apiKey: source.apiKey, fetch: rowFetch(source, limits, log) });
      return model;
    },
  };
}

function rowProvider(secrets: WeakMap<object, Secrets>): Provider {
  const withSecrets = <Options>(model: Model<Api>, options: Options): Options & Secrets => {
    const found = secrets.get(model);
    if (!found) throw new Error("the model has no key in this process");
    return { ...options, ...found };
  };
  const apiOf = (model: Model<Api>) => APIS[model.api as ApiName]();
  return createProvider({
    id: PROVIDER_ID,
    models: [],
    auth: { apiKey: { name: PROVIDER_ID, resolve: async () => ({ auth: {} }) } },
    api: {
      stream: (model, context, options) => apiOf(model).stream(model, context, withSecrets(model, options)),
      streamSimple: (model, context, options) => apiOf(model).streamSimple(model, context, withSecrets(model, options)),
    },
  });
}

function rowModel(source: ProviderSource): Model<Api> {
  if (!Object.hasOwn(APIS, source.api)) throw new Error("the provider row names an unknown protocol");
  const url = new URL(source.baseUrl);
  if (url.username !== "" || url.password !== "" || !["https:", "http:"].includes(url.protocol)) {
    throw new Error("the provider row has an unusable address");
  }
  const { input, output, cacheRead, cacheWrite } = source.price;
  return {
    id: source.modelId,
    name: source.modelId,
    api: source.api,
    provider: PROVIDER_ID,
    baseUrl: source.baseUrl,
    reasoning: false,
    input: ["text"],
    // Ours are micro-USD, pi's are USD; both per million tokens.
    cost: {
      input: input / 1e6,
      output: output / 1e6,
      cacheRead: cacheRead / 1e6,
      cacheWrite: cacheWrite / 1e6,
    },
    contextWindow: source.contextWindow,
    maxTokens: source.maxOutput,
    // OpenAI knows these fields; the many servers that speak its protocol often do not.
    ...(url.hostname === "api.openai.com"
      ? {}
      : { compat: { supportsStore: false, supportsDeveloperRole: false, maxTokensField: "max_tokens" } }),
  } as Model<Api>;
}

function rowFetch(source: ProviderSource, limits: Limits, log: KernelLog): typeof fetch {
  return guardedFetch({
    origin: new URL(source.baseUrl).origin,
    headers: REQUEST_HEADERS,
    idleMs: limits.modelIdleMs,
    totalMs: limits.modelTotalMs,
    maxBytes: limits.modelResponseBytes,
    maxSseLineChars: limits.sseLineChars,
    errorBytes: limits.providerErrorBytes,
    secrets: [source.apiKey],
    onFailure: (line) => log.error("a model call failed", line),
  });
}
