/**
 * Starts the application of the current directory on the bundled host: `bun --bun apps/host/main.mts`. It finds the
 * endpoints in the sources, gives the unmodified `encore.dev` package our native half, and hands the handlers over as
 * Encore's generated entry point would.
 *
 * ENCORE_LISTEN_ADDR (`host:port`, default 127.0.0.1:4000; port 0 picks one, named in the `listening` log line),
 * ENCORE_INFRA_CONFIG_PATH (databases, secrets, metadata), HOST_STRICT=1 (hide what Encore's runtime would not show),
 * HOST_STOP_WITH_STDIN=1 (stop when standard input closes: whoever started the process is gone).
 */
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Application, discover, type Endpoint, formatOffence, type Service } from "./discover.mts";
import { logError, writeLog } from "./host-log.mts";
import { NO_INFRA, readInfraFile } from "./infra.mts";
import { configureRuntime } from "./runtime.mts";

const DEFAULT_ADDRESS = "127.0.0.1:4000";

process.on("unhandledRejection", (reason) => logError("unhandled rejection", reason));
if (process.env.HOST_STOP_WITH_STDIN === "1") {
  process.stdin.once("end", () => process.kill(process.pid, "SIGTERM")).resume();
}

try {
  await start(process.cwd());
} catch (error) {
  logError("the application did not start", error);
  process.exit(1);
}

async function start(root: string): Promise<void> {
  const { application, offences } = discover(root);
  for (const item of offences) writeLog("error", formatOffence(item));
  if (offences.length > 0) throw new Error(`Encore would not accept it: ${offences.length} offences.`);
  const infraPath = process.env.ENCORE_INFRA_CONFIG_PATH;
  configureRuntime({
    application,
    infra: infraPath ? readInfraFile(infraPath, process.env) : NO_INFRA,
    listenAddress: process.env.ENCORE_LISTEN_ADDR || DEFAULT_ADDRESS,
    strict: process.env.HOST_STRICT === "1",
  });
  // The package loads its native half at its first import, so this comes before any application file.
  process.env.ENCORE_RUNTIME_LIB = fileURLToPath(new URL("./runtime.mts", import.meta.url));
  const { registerHandlers, run } = await import("encore.dev/internal/codegen/appinit");
  registerHandlers(await loadHandlers(application));
  await run(import.meta.url);
}

type Handler = Parameters<typeof import("encore.dev/internal/codegen/appinit").registerHandlers>[0][number];
// biome-ignore lint/suspicious/noExplicitAny: an endpoint's module exports whatever it exports
type Module = Record<string, any>;

async function loadHandlers(application: Application): Promise<Handler[]> {
  const services = new Map<string, Module>();
  for (const service of application.services) services.set(service.name, await load(service));
  const handlers: Handler[] = [];
  for (const endpoint of application.endpoints) {
    const exported = (await load(endpoint))[endpoint.name];
    handlers.push({
      apiRoute: {
        service: endpoint.service,
        name: endpoint.name,
        raw: true,
        streamingRequest: false,
        streamingResponse: false,
        handler: withRawPair(exported),
      },
      endpointOptions: { expose: endpoint.expose, auth: false, isRaw: true, isStream: false, tags: endpoint.tags },
      middlewares: services.get(endpoint.service)?.default.cfg.middlewares ?? [],
    });
  }
  return handlers;
}

function load({ path }: Service | Endpoint): Promise<Module> {
  return import(pathToFileURL(path).href);
}

/** Encore keeps its stream objects to itself; wrapping the handler is where the host gets to see them. */
// biome-ignore lint/suspicious/noExplicitAny: Encore's own RawRequest and RawResponse, whose writer is private
function withRawPair(handler: (request: any, response: any) => unknown): (request: any, response: any) => unknown {
  return (request, response) => {
    response.w.call.enter(request, response);
    return handler(request, response);
  };
}
