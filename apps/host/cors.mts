/**
 * Cross-origin answers as Encore's gateway gives them, from `global_cors` of `encore.app`. Handlers set no
 * `access-control-*` header: these are appended to every response, errors included. Unconfigured: any origin may read
 * what is served without credentials, none may read with them. Stricter than the gateway in one point: credentials are
 * allowed only to origins listed for them, so that a browser stops others at the preflight.
 */
export interface CorsConfig {
  withoutCredentials: readonly string[];
  withCredentials: readonly string[];
  allowHeaders: string;
  exposeHeaders: string;
}

const ALWAYS_ALLOWED =
  "accept, authorization, content-type, origin, user-agent, x-correlation-id, x-request-id, x-requested-with";
const ALWAYS_EXPOSED = "x-request-id, x-correlation-id, x-encore-trace-id";

/** Throws when a key is unknown or no list of strings: a misspelt key would otherwise open or close more than meant. */
export function readCors(config: unknown): CorsConfig {
  const given = (config ?? {}) as Record<string, unknown>;
  const list = (key: string, fallback: string[]): string[] => {
    const value = given[key] ?? fallback;
    if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
    throw new TypeError(`encore.app: global_cors.${key} is no list of strings.`);
  };
  const known = [
    "allow_headers",
    "expose_headers",
    "allow_origins_without_credentials",
    "allow_origins_with_credentials",
  ];
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new TypeError(`encore.app: global_cors.${unknown} is unknown to the bundled host.`);
  return {
    withoutCredentials: list("allow_origins_without_credentials", ["*"]),
    withCredentials: list("allow_origins_with_credentials", []),
    allowHeaders: [ALWAYS_ALLOWED, ...list("allow_headers", [])].join(", "),
    exposeHeaders: [ALWAYS_EXPOSED, ...list("expose_headers", [])].join(", "),
  };
}

/** What the browser said that decides the answer. */
export interface CorsQuestion {
  origin: string | undefined;
  /** Whether a Cookie or Authorization header was sent. */
  credentials: boolean;
  requestedMethod?: string | undefined;
}

/** Headers to append; none for a request that names no origin. */
export function corsHeaders(config: CorsConfig, question: CorsQuestion): Record<string, string> {
  const { origin, credentials, requestedMethod } = question;
  if (origin === undefined) return {};
  const trusted = config.withCredentials.some((pattern) => matches(pattern, origin));
  const allowed = trusted || (!credentials && config.withoutCredentials.some((pattern) => matches(pattern, origin)));
  if (!allowed) return { vary: "origin" };
  return {
    vary: "origin",
    "access-control-allow-origin": origin,
    ...(trusted ? { "access-control-allow-credentials": "true" } : {}),
    ...(requestedMethod === undefined
      ? { "access-control-expose-headers": config.exposeHeaders }
      : { "access-control-allow-methods": requestedMethod, "access-control-allow-headers": config.allowHeaders }),
  };
}

/** `*` stands for one or more characters; an origin is compared in lower case. */
function matches(pattern: string, origin: string): boolean {
  if (pattern === "*") return true;
  const [prefix, suffix] = pattern.split("*");
  const value = origin.toLowerCase();
  if (suffix === undefined) return value === prefix;
  return value.length > prefix!.length + suffix.length && value.startsWith(prefix!) && value.endsWith(suffix);
}
