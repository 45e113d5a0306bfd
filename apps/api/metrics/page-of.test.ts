import { expect, it } from "bun:test";
import { pageOf } from "./page-of";

it.each([
  ["/", "/"],
  ["/notes", "/notes"],
  ["/notes/", "/notes"],
  ["/skills", "/skills"],
  ["/about", "/about"],
  ["/source", "/source"],
  ["/source/apps/api/lib/env.ts", "/source"],
  ["/notes/events", { kind: "series", series: "events" }],
  ["/notes/events/", { kind: "series", series: "events" }],
  ["/notes/events/one-turn", { kind: "chapter", series: "events", chapter: "one-turn" }],
  ["/skills/json-tools", { kind: "skill", name: "json-tools" }],
  ["/skills/json-tools/SKILL.md", { kind: "skill", name: "json-tools" }],
] as const)("%p is a page", (path, page) => {
  expect(pageOf(path)).toEqual(typeof page === "string" ? { kind: "fixed", path: page } : page);
});

it.each([
  "",
  "notes",
  "x/notes/events",
  "/admin",
  "/notes//one-turn",
  "/notes/Events",
  "/notes/events/one-turn/more",
  "/notes/events/..",
  "/notes/%65vents",
  "/notes?x=1",
  "/notes#x",
  "/about/me",
  "//evil.example/notes",
  "https://evil.example/notes",
  "/*",
  `/notes/${"a".repeat(65)}`,
  "/notes/e\u0000",
])("%p is none", (path) => {
  expect(pageOf(path)).toEqual({ kind: "other" });
});
