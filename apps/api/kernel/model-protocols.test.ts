import { describe, expect, test } from "bun:test";
import { providerRow } from "../../../tests/support/provider-row.mts";
import { scriptedKernel } from "../../../tests/support/scripted-kernel.mts";
import { PROTOCOLS } from "./model-protocols";

describe("addresses", () => {
  test.each([
    ["anthropic-messages", "https://api.anthropic.com", "https://api.anthropic.com"],
    ["anthropic-messages", "https://api.anthropic.com/v1/", "https://api.anthropic.com"],
    ["anthropic-messages", "https://gw.example/anthropic", "https://gw.example/anthropic"],
    ["google-generative-ai", "https://gw.example", "https://gw.example/v1beta"],
    ["google-generative-ai", "https://gw.example/v1/", "https://gw.example/v1"],
    ["openai-completions", "https://gw.example/v1/", "https://gw.example/v1"],
    ["openai-responses", "https://gw.example/v1/", "https://gw.example/v1"],
    ["mistral-conversations", "https://api.mistral.ai/v1", "https://api.mistral.ai"],
  ] as const)("%s at %s calls %s", (api, given, called) => {
    expect(PROTOCOLS[api].baseUrl(new URL(given))).toBe(called);
  });

  test("a subscription's token is no key: it would speak in another product's name", async () => {
    const model = providerRow("https://api.anthropic.com", { api: "anthropic-messages", apiKey: "sk-ant-oat01-abc" });
    await expect((await scriptedKernel({ model })).start("hello")).rejects.toThrow("unusable key");
  });
});
