import { expect, test } from "bun:test";
import { isKeyFor, isModelApi, usualApi } from "./model-apis";

test.each([
  ["https://api.anthropic.com", "anthropic-messages"],
  ["https://api.anthropic.com/v1", "anthropic-messages"],
  ["https://generativelanguage.googleapis.com/v1beta", "google-generative-ai"],
  ["https://generativelanguage.googleapis.com/v1beta/openai", "openai-completions"],
  ["https://api.mistral.ai/v1", "mistral-conversations"],
  ["https://api.openai.com/v1", "openai-completions"],
  ["https://api.anthropic.com.evil.example", "openai-completions"],
  ["http://127.0.0.1:11434/v1", "openai-completions"],
  ["https://constructor", "openai-completions"],
] as const)("%s speaks %s unless told otherwise", (baseUrl, api) => {
  expect(usualApi(baseUrl)).toBe(api);
});

test("a protocol is one of the list, not any word that an object knows", () => {
  expect(["openai-completions", "toString", "", "OpenAI-Completions"].map(isModelApi)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test("a subscription's token is no key of Anthropic's protocol", () => {
  expect(isKeyFor("anthropic-messages", "sk-ant-oat01-x")).toBe(false);
  expect(isKeyFor("anthropic-messages", "sk-ant-api03-x")).toBe(true);
  expect(isKeyFor("openai-completions", "sk-ant-oat01-x")).toBe(true);
});
