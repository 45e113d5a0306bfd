/** Which addresses may become a link. */
import { expect, it } from "bun:test";
import { isWebUrl } from "./web-url";

it.each([
  "https://example.com",
  "http://example.com/a?b=c#d",
  "https://例子.测试/路径",
  "HTTPS://EXAMPLE.COM/",
  "http://localhost:3000",
])("%p is one", (text) => expect(isWebUrl(text)).toBe(true));

it.each([
  "",
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  "java\nscript:alert(1)",
  " https://example.com",
  "https://example.com\n",
  "https://exa\tmple.com",
  "//example.com",
  "/path",
  "https:/example.com",
  "https:\\\\example.com",
  "https://a\\b.example",
  "data:text/html,x",
  "ftp://example.com",
  "https://",
  "https://user@example.com",
  "https://user:pass@example.com",
  "https://example.com:99999",
])("%p is none", (text) => expect(isWebUrl(text)).toBe(false));
