/** The addresses of `tests/cases/ssrf.json`, judged by the rules that a fetch really keeps. */
import { expect, it } from "bun:test";
import { readFileSync } from "node:fs";
import { judgeSsrf, type SsrfFile } from "./ssrf.mts";

const file = JSON.parse(readFileSync("tests/cases/ssrf.json", "utf8")) as SsrfFile;
const problems = (verdicts: Awaited<ReturnType<typeof judgeSsrf>>) => verdicts.filter(({ problem }) => problem);

it("every case of the file is judged, and web-fetch does what each says", async () => {
  const verdicts = await judgeSsrf(file);
  const ids = [file.url_cases, file.ip_cases, file.resolution_sets, file.redirect_chains].flatMap((list) =>
    list.map(({ id }) => id),
  );
  expect(verdicts.map(({ id }) => id)).toEqual(ids);
  expect(problems(verdicts)).toEqual([]);
});

it("a case that says something else is a mismatch, whatever its kind", async () => {
  const verdicts = await judgeSsrf({
    url_cases: [
      { id: "u1", verdict: "accept", url: "http://example.com/" },
      { id: "u2", verdict: "reject", url: "https://example.com" },
      { id: "u3", verdict: "either", url: "https://Example.com/a", href: "https://example.com/b" },
      { id: "u4", verdict: "accept", url: "https://example.com/", resolves_to: ["93.184.215.14"], final: "reject" },
      { id: "u5", verdict: "accept", url: "https://example.com/", resolves_to: ["10.0.0.1"], final: "accept" },
    ],
    ip_cases: [{ id: "i1", verdict: "accept", level: "should", ip: "127.0.0.1" }],
    resolution_sets: [{ id: "r1", verdict: "reject", answers: ["93.184.215.14"] }],
    redirect_chains: [
      { id: "c1", verdict: "reject", hops: ["https://example.com/", "/next"] },
      { id: "c2", verdict: "accept", hops: ["https://example.com/", "/next", "/"], loop: true },
    ],
  });
  expect(verdicts).toEqual([
    { id: "u1", level: "must", problem: "is refused" },
    { id: "u2", level: "must", problem: "is accepted as https://example.com/" },
    { id: "u3", level: "must", problem: "is read as https://example.com/a" },
    { id: "u4", level: "must", problem: "is connected to at 93.184.215.14" },
    { id: "u5", level: "must", problem: "is refused by its addresses" },
    { id: "i1", level: "should", problem: "is refused" },
    { id: "r1", level: "must", problem: "is accepted as 93.184.215.14" },
    { id: "c1", level: "must", problem: "is accepted as https://example.com/next" },
    { id: "c2", level: "must", problem: "is refused" },
  ]);
});
