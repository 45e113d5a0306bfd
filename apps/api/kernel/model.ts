/**
 * Where a turn's model calls go. One model runtime serves the process; a provider row becomes a model object of its
 * own, and the row's key is found only through that object. pi's own ways to hand over a key run shell commands and
 * read the environment out of it, so none of them is used.
 */
import { type Api, createProvider, InMemoryCredentialStore, type Model, type Provider } from "@earendil-works/pi-ai";
import { ModelRuntime } from "@earendil-works/pi-coding-agent";
import type { Limits } from "../../../shared/limits";
import { isKeyFor, isModelApi } from "../../../shared/model-apis";
import { guardedFetch } from "../lib/outbound";
import { safeErrorText } from "../lib/safe-error";
import type { KernelLog, ModelSource } from "./kernel-types";
import { PROTOCOLS, type Protocol } from "./model-protocols";

type ProviderSource = Extract<ModelSource, { kind: "provider" }>;
/** A row as its calls need it. */
interface Row {
  source: ProviderSource;
  protocol: Protocol;
}

/** pi's name for the one provider behind which every row stands. */
const PROVIDER_ID = "xray";
const DEMO_MODEL_ID = "demo";

export interface Models {
  runtime: ModelRuntime;
  /** @throws Error when the row names an unknown protocol or an unusable address or key, or when there is no demo model. */
  resolve(source: ModelSource): Model<Api>;
}

/** `demo` answers for sources of kind "demo". Nothing is read from disk, environment or network here. */
export async function createModels(limits: Limits, log: KernelLog, demo: Provider | undefined): Promise<Models> {
  const runtime = await ModelRuntime.create({
    credentials: new InMemoryCredentialStore(),
    modelsPath: null,
    refreshOnCreate: false,
  });
  const rows = new WeakMap<object, Row>();
  runtime.registerNativeProvider(rowProvider(rows, limits, log));
  if (demo) runtime.registerNativeProvider(demo);
  return {
    runtime,
    resolve(source) {
      if (source.kind === "demo") {
        const model = demo?.getModels().find(({ id }) => id === DEMO_MODEL_ID);
        if (!model) throw new Error("there is no demo model");
        return model;
      }
      const row = { source, protocol: protocolOf(source) };
      const model = rowModel(row);
      rows.set(model, row);
      return model;
    },
  };
}

function rowProvider(rows: WeakMap<object, Row>, limits: Limits, log: KernelLog): Provider {
  /** Makes one call with the row's key and a fetch of its own; a failure leaves exactly one line in the log. */
  const call = (how: "stream" | "streamSimple", ...[model, context, options]: Parameters<Provider["streamSimple"]>) => {
    const row = rows.get(model);
    if (!row) throw new Error("the model has no key in this process");
    const { source, protocol } = row;
    let reported = false;
    const report = (line: string) => {
      reported = true;
      log.error("a model call failed", line);
    };
    const send = rowFetch(row, limits, report);
    let answer = "no answer";
    const fetch = async (...request: Parameters<typeof send>) => {
      const response = await send(...request);
      answer = `${response.status} ${response.headers.get("content-type")}`;
      if (protocol.keepsHeadToItself) await options?.onResponse?.({ status: response.status, headers: {} }, model);
      return response;
    };
    // Clients send the session's id as a key of the provider's cache. It is a visitor's; the cache works without.
    const own = { apiKey: source.apiKey, fetch: fetch as typeof send, sessionId: undefined };
    const events = protocol.client()[how](model, context, { ...options, ...own });
    // What the fetch let through may still be none: a page, an error inside the stream, an end without a reason.
    void events.result().then(({ stopReason, errorMessage }) => {
      if (stopReason !== "error" || reported) return;
      report(safeErrorText(`${errorMessage} (${answer})`, [source.apiKey]));
    });
    return events;
  };
  return createProvider({
    id: PROVIDER_ID,
    models: [],
    auth: { apiKey: { name: PROVIDER_ID, resolve: async () => ({ auth: {} }) } },
    api: {
      stream: (model, context, options) => call("stream", model, context, options),
      streamSimple: (model, context, options) => call("streamSimple", model, context, options),
    },
  });
}

function protocolOf(source: ProviderSource): Protocol {
  if (!isModelApi(source.api)) throw new Error("the provider row names an unknown protocol");
  if (!isKeyFor(source.api, source.apiKey)) throw new Error("the provider row has an unusable key");
  return PROTOCOLS[source.api];
}

function rowModel({ source, protocol }: Row): Model<Api> {
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
    baseUrl: protocol.baseUrl(url),
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
    ...protocol.fields(url),
  } as Model<Api>;
}

function rowFetch({ source, protocol }: Row, limits: Limits, onFailure: (line: string) => void): typeof fetch {
  return guardedFetch({
    origin: new URL(source.baseUrl).origin,
    // Whatever a client library adds from its environment stays here.
    headers: protocol.headers,
    idleMs: limits.modelIdleMs,
    totalMs: limits.modelTotalMs,
    maxBytes: limits.modelResponseBytes,
    maxSseLineChars: limits.sseLineChars,
    errorBytes: limits.providerErrorBytes,
    secrets: [source.apiKey],
    onFailure,
  });
}
