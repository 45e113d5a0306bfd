/**
 * The native half of `encore.dev`, in TypeScript: the module that the package loads from `ENCORE_RUNTIME_LIB`. It has
 * the names of the package's native declarations that an application on raw endpoints can reach; the others fail with
 * a sentence, never with a wrong answer. `configureRuntime` gives it the application before any of it is imported.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Limits } from "../../shared/limits.ts";
import { limitsFor } from "../api/lib/limits.ts";
import { safeErrorText } from "../api/lib/safe-error.ts";
import type { Request } from "./call-request.mts";
import type { Application, Endpoint } from "./discover.mts";
import { createDispatcher } from "./dispatcher.mts";
import type { NativeHandler } from "./endpoint-call.mts";
import { LEVELS, type Level, writeLog } from "./host-log.mts";
import { listen, runUntilStopped } from "./http-host.mts";
import { type Infra, NO_INFRA } from "./infra.mts";

export { BodyReader } from "./body-reader.mts";
export { Request } from "./call-request.mts";
export { ResponseWriter } from "./response-writer.mts";

export interface RuntimeSettings {
  application: Application;
  infra: Infra;
  listenAddress: string;
  strict: boolean;
}
interface ApiRoute {
  service: string;
  name: string;
  handler: NativeHandler;
}

let settings: RuntimeSettings | undefined;

export function configureRuntime(value: RuntimeSettings): void {
  settings = value;
}

export class Runtime {
  readonly #handlers = new Map<string, NativeHandler>();
  #metrics: MetricsRegistry | undefined;

  /** The package warns when this is not its own version. */
  static version(): string {
    const manifest = createRequire(import.meta.url).resolve("encore.dev/package.json");
    return `v${(JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version}`;
  }

  static buildCommit(): string {
    return "";
  }

  registerHandlers(routes: ApiRoute[]): void {
    for (const route of routes) this.#handlers.set(`${route.service}.${route.name}`, route.handler);
  }

  /** Serves until a signal ends it; resolves to the exit code. */
  async runForever(): Promise<number> {
    const { application, infra, listenAddress, strict } = configured();
    const dispatcher = createDispatcher({
      endpoints: application.endpoints,
      handlerOf: (endpoint) => this.#handlerOf(endpoint),
      cors: application.cors,
      strict,
    });
    const { address, server } = await listen(dispatcher, listenAddress, limitsOf(infra));
    writeLog("info", "listening", { address });
    return runUntilStopped(server, dispatcher, infra.shutdownMs);
  }

  #handlerOf(endpoint: Endpoint): NativeHandler {
    const handler = this.#handlers.get(`${endpoint.service}.${endpoint.name}`);
    if (handler === undefined) throw new Error(`Endpoint ${endpoint.service}.${endpoint.name} was not registered.`);
    return handler;
  }

  sqlDatabase(name: string): SqlDatabase {
    return new SqlDatabase(name);
  }

  secret(name: string): { cached(): string } | null {
    const value = (settings?.infra ?? NO_INFRA).secrets.get(name);
    return value === undefined ? null : { cached: () => value };
  }

  logger(): Logger {
    return new Logger({}, LEVELS.trace);
  }

  appMeta() {
    const { metadata } = settings?.infra ?? NO_INFRA;
    const services = settings?.application.services ?? [];
    return {
      appId: metadata.appId,
      apiBaseUrl: metadata.baseUrl,
      environment: {
        name: metadata.environment,
        type: enumValue(EnvironmentType, metadata.environmentType, EnvironmentType.Development),
        cloud: enumValue(CloudProvider, metadata.cloud, CloudProvider.Local),
      },
      build: { revision: "", uncommittedChanges: false },
      deploy: {
        id: "",
        deployTime: "",
        hostedServices: Object.fromEntries(services.map(({ name }) => [name, { name }])),
      },
    };
  }

  runtimeConfig(): { metrics: Record<string, never> } {
    return { metrics: {} };
  }

  numWorkerThreads(): number {
    return 1;
  }

  createMetricsRegistry(_buffer: BigUint64Array): void {
    this.#metrics = new MetricsRegistry();
  }

  getMetricsRegistry(): MetricsRegistry | undefined {
    return this.#metrics;
  }

  registerTestHandler(): never {
    return unsupported("registerTestHandler");
  }
  gateway(): never {
    return unsupported("gateways");
  }
  apiCall(): never {
    return unsupported("calls between services");
  }
  stream(): never {
    return unsupported("streams between services");
  }
  pubsubTopic(): never {
    return unsupported("topics");
  }
  pubsubSubscription(): never {
    return unsupported("subscriptions");
  }
  bucket(): never {
    return unsupported("buckets");
  }
  cacheCluster(): never {
    return unsupported("caches");
  }
}

/** A test scales the host's patience as it scales every other limit, and under the same guard. */
function limitsOf({ databases }: Infra): Limits {
  const [url] = databases.values();
  return limitsFor(url === undefined ? "" : decodeURIComponent(new URL(url).pathname.slice(1)));
}

function configured(): RuntimeSettings {
  if (settings === undefined) throw new Error("The bundled host was not started: run apps/host/main.mts.");
  return settings;
}

function unsupported(what: string): never {
  throw new Error(`The bundled host has no ${what}.`);
}

function enumValue(names: Record<string, number>, name: string, fallback: number): number {
  return Object.entries(names).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1] ?? fallback;
}

/** The database by its address only: the application brings its own driver and pool. */
export class SqlDatabase {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  connString(): string {
    const url = configured().infra.databases.get(this.#name);
    if (url === undefined) throw new Error(`The infrastructure configuration names no database "${this.#name}".`);
    return url;
  }

  query(): never {
    return unsupported("queries of its own; use the connection string");
  }
  queryRow(): never {
    return this.query();
  }
  begin(): never {
    return this.query();
  }
  acquire(): never {
    return this.query();
  }
}
export { SqlDatabase as SQLDatabase };

/** Slots of the shared metrics buffer, one for each metric, label set, service and type. Nothing is exported from here. */
export class MetricsRegistry {
  readonly #slots = new Map<string, number>();

  allocateSlot(name: string, labels: [string, string][], service: string | null | undefined, type: string): number {
    const key = JSON.stringify([name, labels, service ?? null, type]);
    const slot = this.#slots.get(key) ?? this.#slots.size;
    this.#slots.set(key, slot);
    return slot;
  }

  slotCount(): number {
    return this.#slots.size;
  }
}

export class Logger {
  readonly #fields: Record<string, unknown>;
  readonly #lowest: number;

  constructor(fields: Record<string, unknown>, lowest: number) {
    this.#fields = fields;
    this.#lowest = lowest;
  }

  /** One JSON line. An error becomes its redacted message; its stack stays out of the log. */
  log(
    request: Request | null | undefined,
    level: number,
    message: string,
    error?: Error,
    _caller?: string,
    fields?: Record<string, unknown>,
  ): void {
    if (level < this.#lowest) return;
    const name = (Object.keys(LEVELS) as Level[]).find((key) => LEVELS[key] === level) ?? "info";
    const meta = request?.meta();
    const origin = meta && {
      service: meta.apiCall.api.service,
      endpoint: meta.apiCall.api.endpoint,
      trace_id: meta.trace.traceId,
    };
    const cause = error && { error: safeErrorText(error) };
    writeLog(name, message, { ...origin, ...this.#fields, ...fields, ...cause });
  }

  with(fields: Record<string, unknown>): Logger {
    return new Logger({ ...this.#fields, ...fields }, this.#lowest);
  }

  withLevel(level: number): Logger {
    return new Logger(this.#fields, level);
  }
}

export const LogLevel = { Trace: 1, Debug: 2, Info: 3, Warn: 4, Error: 5 } as const;
export const EnvironmentType = { Production: 0, Development: 1, Ephemeral: 2, Test: 3 } as const;
export const CloudProvider = { AWS: 0, GCP: 1, Azure: 2, Encore: 3, Local: 4 } as const;
export const MetricType = { Counter: "Counter", Gauge: "Gauge" } as const;
export const ObjectErrorKind = {
  NotFound: 0,
  PreconditionFailed: 1,
  InvalidArgument: 2,
  Other: 3,
  Internal: 4,
} as const;

// The package tests values against these classes with `instanceof`, so they must exist; the host makes none of them.
export class ApiCallError {}
export { ApiCallError as APICallError };
export class Stream {}
export class Socket {}
export class Sink {}
export class TypedObjectError {}
export class Decimal {
  constructor() {
    unsupported("decimals");
  }
}
