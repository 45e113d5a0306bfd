/** The addresses of `tests/cases/ssrf.json`, judged by the rules that a fetch really keeps. */
import { expect, it } from "bun:test";
import { readFileSync } from "node:fs";
import { FORMATS } from "./formats.mts";
import { ssrfFormat } from "./ssrf.mts";

const file = JSON.parse(readFileSync("tests/cases/ssrf.json", "utf8")) as Record<string, { id: string }[]>;

it("every case of the file is judged, and web-fetch does what each says", async () => {
  expect(FORMATS.filter((format) => format.recognises(file))).toEqual([ssrfFormat]);
  const judged = await ssrfFormat.judge(file);
  const lists = [file.url_cases, file.ip_cases, file.resolution_sets, file.redirect_chains];
  expect(judged.map(({ id }) => id)).toEqual(lists.flatMap((list) => list!.map(({ id }) => id)));
  expect(judged.filter(({ fault }) => fault !== null)).toEqual([]);
});

it("a case that says something else is a mismatch, whatever its kind", async () => {
  const judged = await ssrfFormat.judge({
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
  expect(judged).toEqual([
    { id: "u1", level: "must", fault: "refused, and should not be" },
    { id: "u2", level: "must", fault: 'accepted, and should not be: "https://example.com/"' },
    { id: "u3", level: "must", fault: 'read as "https://example.com/a"' },
    { id: "u4", level: "must", fault: 'accepted, and should not be: "93.184.215.14"' },
    { id: "u5", level: "must", fault: "refused, and should not be" },
    { id: "i1", level: "should", fault: "refused, and should not be" },
    { id: "r1", level: "must", fault: 'accepted, and should not be: "93.184.215.14"' },
    { id: "c1", level: "must", fault: 'accepted, and should not be: "https://example.com/next"' },
    { id: "c2", level: "must", fault: "refused, and should not be" },
  ]);
});
