import { expect, test } from "bun:test";
import { repository } from "./repository";

test("a named repository gives its address", () => {
  expect(repository("an-owner/a.repo_1")).toEqual({
    repo: "an-owner/a.repo_1",
    repoUrl: "https://github.com/an-owner/a.repo_1",
  });
});

test.each([
  "",
  "owner",
  "owner/",
  "/repo",
  "a/b/c",
  "https://evil.example/a/b",
  "a/b?c",
  "a/b#c",
  "a b/c",
  "../..",
  "a/b\n",
])("%j names none", (named) => expect(repository(named)).toEqual({ repo: null, repoUrl: null }));
