/** What a provider's name, address and key may be, and how a key is sealed. Each refusal names the field and the rule. */
import { allowedHosts, checkProviderUrl, type ProviderFamily, type ProviderUrlRefusal } from "../../../shared/hosts";
import { LIMITS } from "../../../shared/limits";
import { redactText } from "../../../shared/text/redact";
import { type SecretBox, SecretBoxError } from "../lib/secret-box";
import { invalid } from "./owner-fields";
import { StoreRefusal } from "./store-refusal";

export const PROVIDER_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

const ADDRESS_REASONS: Record<ProviderUrlRefusal, string> = {
  not_a_url: "It is an address such as https://api.openai.com/v1.",
  not_https: "It begins with https://; plain http is only for a listed host:port of the server itself.",
  has_userinfo: "It holds no user and no password; the key is a field of its own.",
  has_query_or_fragment: "It ends before ? or #.",
  host_not_listed: "Its host is not one that may be called.",
};

export function checkName(provider: string): void {
  if (PROVIDER_NAME.test(provider)) return;
  throw invalid("provider", "It is 1 to 64 of a-z, 0-9, dot, - and _, and begins with a letter or a digit.");
}

/** The address in normal form. */
export function addressField(text: string, hosts: ProviderFamily, extraHosts: readonly string[]): string {
  const address = checkProviderUrl(text, hosts, extraHosts);
  if (!address.ok) {
    const allowed = address.reason === "host_not_listed" ? allowedHosts(hosts, extraHosts) : undefined;
    throw invalid("baseUrl", ADDRESS_REASONS[address.reason], allowed);
  }
  if (address.url.length <= LIMITS.providerUrlChars) return address.url;
  throw invalid("baseUrl", `It is at most ${LIMITS.providerUrlChars} characters.`);
}

/** A key goes into a header as it is. Whoever reads a mask back as the key would lose the real one by it. */
export function checkKey(apiKey: string): void {
  if (apiKey.includes("…")) throw maskedKey();
  const { providerKeyMinChars: min, providerKeyChars: max } = LIMITS;
  if (apiKey.length < min || apiKey.length > max) throw invalid("apiKey", `A key has ${min} to ${max} characters.`);
  if (!/^[!-~]+$/.test(apiKey)) throw invalid("apiKey", "A key is printable ASCII without spaces.");
}

/** A key pasted into a field that is shown would be shown: visitors see the model's name. */
export function refuseKeyIn(field: string, value = "", apiKey?: string): void {
  if (redactText(value) === value && !(apiKey && value.includes(apiKey))) return;
  throw invalid(field, "This looks like a key. A key goes into apiKey, where nobody can read it again.");
}

/** Whether a key is the mask of the stored one, also as a model retypes it. */
export function masks(apiKey: string, hint: string): boolean {
  return apiKey === hint || apiKey === hint.replace("…", "...");
}

/** A key belongs to whom it was given for: a new server gets it only from somebody who knows it. */
export function refuseMovedKey(url: string, before: string): void {
  if (URL.canParse(before) && new URL(before).origin === new URL(url).origin) return;
  throw new StoreRefusal("required", { field: "apiKey", reason: "A new host needs its key to be sent with it." });
}

export function maskedKey(): StoreRefusal {
  return invalid("apiKey", "This is the mask of a key, not a key. Leave the field out to keep the key.");
}

export function sealed(box: SecretBox, apiKey: string, aad: string): Buffer {
  try {
    return box.seal(apiKey, aad);
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    throw invalid("apiKey", "The server cannot keep a key: CONFIG_ENCRYPTION_KEY is not 32 bytes of base64.");
  }
}

/** Undefined when it was sealed with another configuration key, moved from another row, or changed. */
export function opened(box: SecretBox, sealed: Buffer, aad: string): string | undefined {
  try {
    return box.open(sealed, aad);
  } catch {
    return undefined;
  }
}
