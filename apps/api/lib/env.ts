/**
 * The environment, in one table: every variable the application reads, its default and what it means. Nothing else in
 * `apps/api` or `shared/` reads `process.env`, so that this list is whole; the documentation is compared to it.
 */
import { type ProviderFamily, parseExtraHosts } from "../../../shared/hosts";

export const ENVIRONMENT = {
  API_INTERNAL_URL: { default: "http://127.0.0.1:4000", meaning: "Where the web server reaches the API." },
  SITE_ORIGIN: {
    default: undefined,
    meaning: "Public origin of the site. Its scheme decides whether cookies are Secure. Set by `up` to localhost.",
  },
  XRAY_DEMO_MODEL: {
    default: undefined,
    meaning: "`1` lets the scripted offline demo answer while no provider is configured.",
  },
  XRAY_LLM_EXTRA_HOSTS: {
    default: undefined,
    meaning: "Comma list of further hosts a provider may use: `host` (port 443) or `host:port`.",
  },
  XRAY_WEBSEARCH_EXTRA_HOSTS: {
    default: undefined,
    meaning: "The same for providers of web search. A host for one kind is not one for another.",
  },
  XRAY_IMAGEGEN_EXTRA_HOSTS: {
    default: undefined,
    meaning: "The same for providers of pictures.",
  },
  XRAY_UNLOCK_DANGEROUS_TOOLS: {
    default: undefined,
    meaning: "`1` is the second of two keys for tools that run scripts; the first is their switch in the database.",
  },
  XRAY_TRUSTED_HOPS: {
    default: "1",
    meaning: "How many proxies of yours stand in front of the API; the caller's address is read past them.",
  },
  XRAY_SOURCE_REPO: {
    default: undefined,
    meaning: "`owner/repo` on GitHub: where the pages of the site's source link to. Without it they link nowhere.",
  },
  XRAY_SKILL_RUNNER_URL: {
    default: undefined,
    meaning:
      "Where the runner of scripts without a network listens: `unix:/path/of.sock` or `http://127.0.0.1:<port>`. Set by `up`.",
  },
  XRAY_SKILL_RUNNER_EGRESS_URL: {
    default: undefined,
    meaning: "The same for the runner whose scripts may reach public https addresses.",
  },
  XRAY_TEST_LIMITS: {
    default: undefined,
    meaning: "JSON of scaled limits. Only for databases whose name begins with `xray_test`; elsewhere start fails.",
  },
} as const satisfies Record<string, { default: string | undefined; meaning: string }>;

export type EnvironmentName = keyof typeof ENVIRONMENT;

/** The variable's value, else its default. An empty value counts as unset. */
export function readEnvironment(name: EnvironmentName): string | undefined {
  return process.env[name] || ENVIRONMENT[name].default;
}

/** Whether a switch is on: exactly `1`, so that `0`, `false` and `no` cannot turn one on. */
export function isSwitchedOn(name: EnvironmentName): boolean {
  return readEnvironment(name) === "1";
}

/** Names the variable that adds to a family's hosts. */
export const EXTRA_HOSTS = {
  llm: "XRAY_LLM_EXTRA_HOSTS",
  websearch: "XRAY_WEBSEARCH_EXTRA_HOSTS",
  imagegen: "XRAY_IMAGEGEN_EXTRA_HOSTS",
} as const satisfies Record<ProviderFamily, EnvironmentName>;

/** The hosts that the environment adds to a family's own. */
export function extraHostsOf(family: ProviderFamily): string[] {
  return parseExtraHosts(readEnvironment(EXTRA_HOSTS[family]));
}

/** Names the variable with the address of the runner of a network tier. */
export const RUNNER_OF = {
  none: "XRAY_SKILL_RUNNER_URL",
  egress: "XRAY_SKILL_RUNNER_EGRESS_URL",
} as const satisfies Record<string, EnvironmentName>;

/** Where the site is reached, without a slash at its end; the first port of a bare machine when nobody said. */
export function siteOrigin(): string {
  return new URL(readEnvironment("SITE_ORIGIN") ?? "http://localhost:3000").origin;
}
