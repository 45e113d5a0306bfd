/**
 * What the kernel knows of each wire protocol: whose client speaks it, which headers may leave, what address that
 * client wants, and which of its habits are switched off. Every client here takes our fetch; one that does not, or that
 * finds credentials of its own, cannot be offered.
 */
import type { Api, Model, ProviderStreams } from "@earendil-works/pi-ai";
import { anthropicMessagesApi } from "@earendil-works/pi-ai/api/anthropic-messages.lazy";
import { googleGenerativeAIApi } from "@earendil-works/pi-ai/api/google-generative-ai.lazy";
import { mistralConversationsApi } from "@earendil-works/pi-ai/api/mistral-conversations.lazy";
import { openAICompletionsApi } from "@earendil-works/pi-ai/api/openai-completions.lazy";
import { openAIResponsesApi } from "@earendil-works/pi-ai/api/openai-responses.lazy";
import type { ModelApi } from "../../../shared/model-apis";

export interface Protocol {
  client(): ProviderStreams;
  /** Lower-case request headers that may leave, the one with the key among them. */
  headers: readonly string[];
  /** The address as the client wants it, without a trailing slash. */
  baseUrl(url: URL): string;
  /** Further fields of pi's model. */
  fields(url: URL): Partial<Model<Api>>;
  /** Its client does not say when the head of an answer has come; it is said for it. */
  keepsHeadToItself?: true;
}

const plainAddress = (url: URL) => url.href.replace(/\/+$/, "");
/** For clients that add the version themselves: owners copy addresses with it as often as without. */
const withoutVersion = (url: URL) => plainAddress(url).replace(/\/v1$/, "");

export const PROTOCOLS: Record<ModelApi, Protocol> = {
  "openai-completions": {
    client: openAICompletionsApi,
    headers: ["accept", "authorization", "content-type"],
    baseUrl: plainAddress,
    // OpenAI knows these fields; the many servers that speak its protocol often do not.
    fields: (url) =>
      url.hostname === "api.openai.com"
        ? {}
        : { compat: { supportsStore: false, supportsDeveloperRole: false, maxTokensField: "max_tokens" } },
  },

  "openai-responses": {
    client: openAIResponsesApi,
    headers: ["accept", "authorization", "content-type"],
    baseUrl: plainAddress,
    fields: () => ({ compat: { supportsDeveloperRole: false, supportsLongCacheRetention: false } }),
  },

  "anthropic-messages": {
    client: anthropicMessagesApi,
    headers: ["accept", "anthropic-version", "content-type", "x-api-key"],
    baseUrl: withoutVersion,
    fields: () => ({
      compat: {
        // Only Anthropic's own server knows it. What the client then asks for by a beta header stays here.
        supportsEagerToolInputStreaming: false,
        supportsLongCacheRetention: false,
        // A thread would leave the conversation on the provider's side, past the days that we keep it.
        supportsMessageThreads: false,
      },
    }),
  },

  "google-generative-ai": {
    client: googleGenerativeAIApi,
    keepsHeadToItself: true,
    headers: ["accept", "content-type", "x-goog-api-key"],
    // The client takes the version as a part of the address.
    baseUrl: (url) => (url.pathname === "/" ? `${url.origin}/v1beta` : plainAddress(url)),
    fields: () => ({}),
  },

  "mistral-conversations": {
    client: mistralConversationsApi,
    headers: ["accept", "authorization", "content-type"],
    baseUrl: withoutVersion,
    fields: () => ({}),
  },
};
