import { describe, expect, test } from "bun:test";
import { allowedHosts, checkProviderUrl, PROVIDER_HOSTS, parseExtraHosts, type ProviderFamily } from "./hosts";

const EXTRA = [
  "models.example",
  "gateway.example:8443",
  "127.0.0.1:11434",
  "localhost:1234",
  "[::1]:11434",
  "127.0.0.1",
];

describe("a provider's address is taken", () => {
  test.each([
    ["https://api.openai.com/v1", "https://api.openai.com/v1"],
    ["https://api.deepseek.com", "https://api.deepseek.com"],
    ["https://api.anthropic.com/v1/", "https://api.anthropic.com/v1"],
    ["https://api.openai.com:443/v1", "https://api.openai.com/v1"],
    ["HTTPS://API.OpenAI.com/V1", "https://api.openai.com/V1"],
    ["https://models.example/openai/v1///", "https://models.example/openai/v1"],
    ["https://gateway.example:8443/v1", "https://gateway.example:8443/v1"],
    ["http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1"],
    ["https://127.0.0.1:11434/v1", "https://127.0.0.1:11434/v1"],
    ["http://localhost:1234/v1", "http://localhost:1234/v1"],
    ["http://[::1]:11434/v1", "http://[::1]:11434/v1"],
    ["http://[0:0:0:0:0:0:0:1]:11434/v1", "http://[::1]:11434/v1"],
  ])("%s", (text, url) => {
    expect(checkProviderUrl(text, "llm", EXTRA)).toEqual({ ok: true, url });
  });
});

describe("a provider's address is refused", () => {
  test.each([
    // Not the host, though it looks like it.
    ["https://api.openai.com.evil.example/v1", "host_not_listed"],
    ["https://evil-api.openai.com/v1", "host_not_listed"],
    ["https://openai.com/v1", "host_not_listed"],
    ["https://sub.models.example/v1", "host_not_listed"],
    ["https://xmodels.example/v1", "host_not_listed"],
    ["https://api.openai.com./v1", "host_not_listed"],
    ["https://api.openai.com@evil.example/v1", "has_userinfo"],
    ["https://key@api.openai.com/v1", "has_userinfo"],
    ["https://key:secret@api.openai.com/v1", "has_userinfo"],
    ["https://@api.openai.com/v1", "has_userinfo"],
    ["https://:@api.openai.com/v1", "has_userinfo"],
    // Another port is another server.
    ["https://api.openai.com:8443/v1", "host_not_listed"],
    ["https://models.example:444/v1", "host_not_listed"],
    ["https://gateway.example/v1", "host_not_listed"],
    ["https://api.openai.com:80/v1", "host_not_listed"],
    ["http://127.0.0.1:11435/v1", "host_not_listed"],
    // Plain http needs loopback and a listed port, and loopback alone is not enough.
    ["http://api.openai.com/v1", "not_https"],
    ["http://models.example/v1", "not_https"],
    ["http://127.0.0.1/v1", "host_not_listed"],
    ["http://127.0.0.1:443/v1", "host_not_listed"],
    ["http://127.0.0.2:11434/v1", "host_not_listed"],
    ["http://localhost.evil.example:1234/v1", "not_https"],
    ["http://127.0.0.1.evil.example:11434/v1", "not_https"],
    ["http://[::ffff:127.0.0.1]:11434/v1", "not_https"],
    ["http://10.0.0.1:11434/v1", "not_https"],
    // Nothing after the path.
    ["https://api.openai.com/v1?x=1", "has_query_or_fragment"],
    ["https://api.openai.com/v1#x", "has_query_or_fragment"],
    ["https://api.openai.com/v1?", "has_query_or_fragment"],
    ["https://api.openai.com/v1#", "has_query_or_fragment"],
    // Spellings that a lenient parser would repair.
    ["https:/api.openai.com/v1", "not_a_url"],
    ["https:api.openai.com/v1", "not_a_url"],
    ["//api.openai.com/v1", "not_a_url"],
    ["api.openai.com/v1", "not_a_url"],
    ["https:\\\\api.openai.com\\v1", "not_a_url"],
    ["https://evil.example\\@api.openai.com/v1", "not_a_url"],
    ["https://api.openai.com /v1", "not_a_url"],
    [" https://api.openai.com/v1", "not_a_url"],
    ["https://api.openai.com/v1\n", "not_a_url"],
    ["https://api.ope\tnai.com/v1", "not_a_url"],
    ["https://аpi.openai.com/v1", "not_a_url"],
    ["https://api.openai.com。/v1", "not_a_url"],
    ["https://ａpi.openai.com/v1", "not_a_url"],
    ["https://[::1/v1", "not_a_url"],
    ["https://", "not_a_url"],
    ["", "not_a_url"],
    ["ftp://api.openai.com/v1", "not_a_url"],
    ["javascript:alert(1)", "not_a_url"],
    ["data:text/plain,x", "not_a_url"],
    ["file:///etc/passwd", "not_a_url"],
    // Numbers that mean an address.
    ["http://2130706433:11434/v1", "ok as 127.0.0.1"],
    ["https://%61pi.openai.com:444/v1", "host_not_listed"],
  ])("%p: %s", (text, reason) => {
    const check = checkProviderUrl(text, "llm", EXTRA);
    if (reason === "ok as 127.0.0.1") expect(check).toEqual({ ok: true, url: "http://127.0.0.1:11434/v1" });
    else expect(check).toMatchObject({ ok: false, reason });
  });

  test("with what would have to be listed", () => {
    expect(checkProviderUrl("https://new.example/v1", "llm", [])).toMatchObject({ host: "new.example" });
    expect(checkProviderUrl("https://new.example:8443/v1", "llm", [])).toMatchObject({ host: "new.example:8443" });
    expect(checkProviderUrl("http://localhost:11434/v1", "llm", [])).toMatchObject({ host: "localhost:11434" });
  });
});

const FAMILIES = Object.keys(PROVIDER_HOSTS) as ProviderFamily[];

test("a host of one family is none of another's, and looks of one do not make it one", () => {
  const admitting = (host: string) => FAMILIES.filter((family) => checkProviderUrl(`https://${host}`, family, []).ok);
  expect(admitting("api.deepseek.com")).toEqual(["llm", "websearch"]);
  expect(admitting("api.openai.com")).toEqual(["llm", "imagegen"]);
  expect(admitting("api.anthropic.com")).toEqual(["llm"]);
  for (const host of [
    "api.deepseek.com.evil.tld",
    "evil-api.deepseek.com",
    "deepseek.com",
    "api.openai.com.evil.tld",
  ]) {
    expect(admitting(host)).toEqual([]);
  }
});

test("what may be called is the family's own hosts and the added ones, each once", () => {
  expect(allowedHosts("imagegen", ["a.example", "api.openai.com"])).toEqual(["api.openai.com", "a.example"]);
});

test("whatever the extra hosts are, the built-in ones stay and nothing else opens", () => {
  for (const broken of [
    ["*"],
    ["*.example"],
    [".example"],
    ["https://evil.example"],
    ["evil.example/path"],
    [""],
    ["@"],
  ]) {
    for (const family of FAMILIES) {
      for (const host of PROVIDER_HOSTS[family]) {
        expect(checkProviderUrl(`https://${host}/v1`, family, broken).ok).toBe(true);
      }
      expect(checkProviderUrl("https://a.example/v1", family, broken).ok).toBe(false);
    }
  }
});

test("a list of extra hosts keeps what is one, in lower case, and drops the rest", () => {
  const list =
    " Models.Example , gateway.example:8443,,*.example, https://x.example, a b, x:0, x:99999x, [::1]:1, http://y,localhost:11434 ";
  expect(parseExtraHosts(list)).toEqual(["models.example", "gateway.example:8443", "[::1]:1", "localhost:11434"]);
});
