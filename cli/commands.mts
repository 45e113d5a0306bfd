/** The table of commands: what each is called, takes and does. Help and parsing read nothing else. */
import { MODEL_APIS } from "../shared/model-apis.ts";
import type { OptionTable, Words } from "./args.mts";

export interface Command {
  summary: string;
  /** Names of the positional words, for the help; their number is the most it takes. */
  words?: readonly string[];
  options: OptionTable;
  load(): Promise<{ default: (words: Words) => Promise<number> }>;
}

const JSON_OPTION = { json: { text: "machine-readable" } };

export const COMMANDS: Readonly<Record<string, Command>> = {
  up: {
    summary: "start everything and print the one address to open",
    options: {
      background: { text: "return when it is ready; stop it with ./xray down", short: "b" },
      port: { text: "port of the site (default 3000)", value: "N", short: "p" },
      host: { text: "address the site listens on (default 127.0.0.1: this machine only)", value: "ADDR" },
      dev: { text: "rebuild pages as their source changes" },
    },
    load: () => import("./commands/up.mts"),
  },
  down: {
    summary: "stop what up started, and nothing else",
    options: {},
    load: () => import("./commands/down.mts"),
  },
  status: {
    summary: "state, address, versions, memory by process",
    options: JSON_OPTION,
    load: () => import("./commands/status.mts"),
  },
  logs: {
    summary: "the last lines of the logs",
    words: ["[api|web|runner|runner-egress|postgres]"],
    options: { follow: { text: "keep printing new lines", short: "f" } },
    load: () => import("./commands/logs.mts"),
  },
  doctor: {
    summary: "check each prerequisite and say how to get it",
    options: JSON_OPTION,
    load: () => import("./commands/doctor.mts"),
  },
  test: {
    summary: "run the suites, from bare",
    options: {
      only: {
        text: "one of static, unit, runner, db, http, mcp, browser; or screenshots; may be repeated",
        value: "SUITE",
        many: true,
      },
    },
    load: () => import("./commands/test.mts"),
  },
  "provider add": {
    summary: "connect a model; its key is asked for, or read from standard input",
    options: {
      name: { text: "what to call it", value: "NAME" },
      "base-url": { text: "address of its API, such as https://api.openai.com/v1", value: "URL" },
      model: { text: "id of the model", value: "ID" },
      window: { text: "tokens its context holds", value: "TOKENS" },
      "max-output": { text: "tokens it may answer with", value: "TOKENS" },
      api: { text: `protocol it speaks, when not its host's usual one: ${MODEL_APIS.join(", ")}`, value: "NAME" },
      default: { text: "let it answer from now on" },
      "allow-host": { text: "add its host to XRAY_LLM_EXTRA_HOSTS without asking" },
      "price-input": { text: "US dollars per million tokens it reads", value: "USD" },
      "price-output": { text: "… it writes", value: "USD" },
      "price-cache-read": { text: "… it reads from its cache", value: "USD" },
      "price-cache-write": { text: "… it writes to its cache", value: "USD" },
    },
    load: () => import("./commands/provider-add.mts"),
  },
  "provider list": {
    summary: "the models that are connected, keys masked",
    options: {},
    load: () => import("./commands/provider-list.mts"),
  },
  "provider default": {
    summary: "choose the model that answers; demo is the offline one",
    words: ["NAME"],
    options: {},
    load: () => import("./commands/provider-default.mts"),
  },
  token: {
    summary: "mint a token of the admin endpoint and print it once, with what clients need",
    options: {
      name: { text: "what to call it (default owner)", value: "NAME" },
      "read-only": { text: "let it see and call the reading tools only" },
    },
    load: () => import("./commands/token.mts"),
  },
  "token list": {
    summary: "the tokens by name; they themselves are kept nowhere",
    options: {},
    load: () => import("./commands/token-list.mts"),
  },
  "token revoke": {
    summary: "take a token back",
    words: ["NAME"],
    options: {},
    load: () => import("./commands/token-revoke.mts"),
  },
  "notes push": {
    summary: "publish a folder of Markdown with pictures as the site's notes",
    words: ["DIR"],
    options: {
      "dry-run": { text: "only say what would change" },
      prune: { text: "delete notes that the folder does not have" },
    },
    load: () => import("./commands/notes-push.mts"),
  },
  migrate: {
    summary: "bring the database to this version",
    options: { status: { text: "only say where it stands" } },
    load: () => import("./commands/migrate.mts"),
  },
  cases: {
    summary: "judge a file of cases with the product's own rules",
    words: ["FILE"],
    options: {},
    load: () => import("./commands/cases.mts"),
  },
  bench: {
    summary: "measure a claim; without a name, all of them",
    words: ["[NAME]"],
    options: {},
    load: () => import("./commands/bench.mts"),
  },
};
