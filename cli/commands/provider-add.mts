/**
 * `./xray provider add`: one model behind an address, by the protocol it speaks. The key is typed blindly or piped in, never an
 * argument, and goes encrypted into the database. A host that is not listed yet is added only when the person says so;
 * then the API starts again, since it reads that list at its start.
 */
import { secretBox } from "../../apps/api/lib/secret-box.ts";
import { llmProviders, type ModelFacts } from "../../apps/api/stores/llm-config.ts";
import { StoreRefusal } from "../../apps/api/stores/store-refusal.ts";
import { checkProviderUrl, parseExtraHosts, type ProviderUrlRefusal } from "../../shared/hosts.ts";
import { isModelApi, MODEL_APIS } from "../../shared/model-apis.ts";
import { restartApi } from "../api-process.mts";
import { nearest, type Words, wholeNumber } from "../args.mts";
import { withSite } from "../database.mts";
import { readEnvFile, setInEnvFile } from "../env-file.mts";
import { confirmed, readHidden } from "../hidden-input.mts";
import { type Paths, pathsOf } from "../paths.mts";
import { Refusal, UsageError } from "../refusal.mts";
import { DEMO } from "./provider-default.mts";

const HOSTS_SETTING = "XRAY_LLM_EXTRA_HOSTS";
/** Sent to a server on this machine that asks for no key; the protocol wants one in the header. */
const NO_KEY = "no-key-needed";
const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

const ADDRESS_FAULTS: Record<ProviderUrlRefusal, string> = {
  not_a_url: "--base-url is not an address, such as https://api.openai.com/v1.",
  not_https: "--base-url must begin with https://; plain http is only for this machine itself (127.0.0.1, localhost).",
  has_userinfo: "--base-url holds a user or a password. Leave them out; the key is asked for.",
  has_query_or_fragment: "--base-url ends before ? or #.",
  host_not_listed: "The host of --base-url is not on the list.",
};

export default async function providerAdd(words: Words): Promise<number> {
  const paths = pathsOf();
  const name = needed(words, "name");
  if (!NAME.test(name)) throw new UsageError("--name is lower-case letters, digits, dots and dashes, at most 64.");
  if (name === DEMO) throw new UsageError(`${DEMO} is the name of the offline demo. Choose another --name.`);
  const baseUrl = needed(words, "base-url");
  const modelId = needed(words, "model");
  const api = knownApi(words.value("api"));
  const models = modelFacts(words, modelId);

  const { extraHosts, added } = await allowHost(paths, baseUrl, words.has("allow-host"));
  const isLocal = baseUrl.startsWith("http://");
  const typed = (await readHidden(`  Key of ${name}${isLocal ? " (Enter for none)" : ""}: `)).trim();
  const apiKey = isLocal && (typed === "" || typed === "none") ? NO_KEY : typed;
  if (!apiKey)
    throw new Refusal("No key was given; nothing was changed.", "Type it at the prompt, or pipe it in: … < key.txt");

  const { written, answers } = await withSite(paths, async ({ db, encryptionKey }) => {
    const row = { provider: name, api, apiKey, baseUrl, modelId, models, makeDefault: words.has("default") };
    const written = await llmProviders.upsert(db, secretBox(encryptionKey), row, extraHosts).catch(asRefusal);
    return { written, answers: (await llmProviders.list(db)).find((known) => known.isDefault)?.provider };
  });

  const next =
    answers === name ? "it answers from the next message on" : `./xray provider default ${name} lets it answer`;
  say(`${written.created ? "Added" : "Changed"} ${name}; ${next}.`);
  if (added) {
    setInEnvFile(paths.env, HOSTS_SETTING, extraHosts.join(","));
    say(`${added} is now in ${HOSTS_SETTING} of ${paths.env}.`);
    if (await restartApi(paths)) say("The API was started again to read it.");
  }
  return 0;
}

/**
 * The hosts that are to count, with this one when it has to be added; the caller writes them down once the provider is
 * stored. Plain http is refused before the question: no list can allow it beyond this machine.
 */
async function allowHost(
  paths: Paths,
  baseUrl: string,
  allow: boolean,
): Promise<{ extraHosts: string[]; added?: string }> {
  const kept = parseExtraHosts(process.env[HOSTS_SETTING] ?? readEnvFile(paths.env)[HOSTS_SETTING] ?? "");
  const check = checkProviderUrl(baseUrl, "llm", kept);
  if (check.ok) return { extraHosts: kept };
  if (check.reason !== "host_not_listed" || !check.host) throw new UsageError(ADDRESS_FAULTS[check.reason]);
  const { host } = check;
  if (process.env[HOSTS_SETTING] !== undefined) {
    throw new Refusal(
      `${host} is not in the shell's ${HOSTS_SETTING}, which stands before ${paths.env}.`,
      `Add it there, or unset the variable and run this again.`,
    );
  }
  const agreed =
    allow || (await confirmed(`  ${host} is not a host that models may be called at. Add it to ${HOSTS_SETTING}?`));
  if (!agreed) {
    throw new Refusal(
      `${host} is not a host that models may be called at; nothing was changed.`,
      "Say --allow-host to add it.",
    );
  }
  return { extraHosts: [...kept, host], added: host };
}

function needed(words: Words, option: string): string {
  const value = words.value(option)?.trim();
  if (!value) throw new UsageError(`--${option} is missing.`, "./xray provider add --help shows them all.");
  return value;
}

function knownApi(api: string | undefined): string | undefined {
  if (api === undefined || isModelApi(api)) return api;
  const guess = nearest(api, MODEL_APIS);
  throw new UsageError(
    `There is no protocol "${api}".`,
    guess ? `Did you mean ${guess}?` : `It is one of: ${MODEL_APIS.join(", ")}.`,
  );
}

/** Undefined when nothing was said of the model, so that a change of key keeps what is known. */
function modelFacts(words: Words, id: string): ModelFacts[] | undefined {
  const contextWindow = wholeNumber("window", words.value("window"), 1_024, 100_000_000);
  const maxOutput = wholeNumber("max-output", words.value("max-output"), 1, 100_000_000);
  const prices = ["price-input", "price-output", "price-cache-read", "price-cache-write"];
  const given = prices.some((option) => words.has(option));
  if (contextWindow === undefined && maxOutput === undefined && !given) return undefined;
  const [input, output, cacheRead, cacheWrite] = prices.map((option) => microUsd(option, words.value(option)));
  const price = given ? { input: input!, output: output!, cacheRead: cacheRead!, cacheWrite: cacheWrite! } : undefined;
  return [{ id, ...(contextWindow && { contextWindow }), ...(maxOutput && { maxOutput }), ...(price && { price }) }];
}

/** US dollars as typed to whole micro-dollars; absent is free. */
function microUsd(option: string, text = "0"): number {
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(text)) throw new UsageError(`--${option} is a price in US dollars, such as 0.27.`);
  return Math.round(Number(text) * 1e6);
}

function asRefusal(error: unknown): never {
  if (!(error instanceof StoreRefusal)) throw error;
  throw new Refusal(error.message, "Nothing was changed.");
}

function say(sentence: string): void {
  process.stdout.write(`  ${sentence}\n`);
}
