/**
 * The three layers of a frame in Chromium: every case of `tests/cases/html.json`, and each layer by itself. An attack is
 * first seen to work where there is no layer; then one layer stands alone, and stops what it claims and nothing else.
 */
import { describe, expect, it } from "bun:test";
import { readFileSync } from "node:fs";
import { FORMATS } from "./formats.mts";
import { htmlFormat } from "./html.mts";
import { type Happening, PAGE_URL, watchFragments } from "./html-browser.mts";
import type { Walls } from "./html-page.mts";

const PATIENCE_MS = 240_000;
const file = JSON.parse(readFileSync("tests/cases/html.json", "utf8")) as { cases: { id: string }[] };

it(
  "every case of the file is judged, in the parser and in the browser, and the product does what each says",
  async () => {
    expect(FORMATS.filter((format) => format.recognises(file))).toEqual([htmlFormat]);
    const judged = await htmlFormat.judge(file);
    expect(judged.map(({ id }) => id)).toEqual(file.cases.map(({ id }) => id));
    expect(judged.filter(({ fault, skipped }) => fault !== null || skipped !== undefined)).toEqual([]);
  },
  PATIENCE_MS,
);

type Layer = keyof Walls;
interface Attack {
  name: string;
  html: string;
  /** What is seen of it where no layer stands: an address asked for, or a kind of happening. */
  seen: string;
  /** The layers that stop it alone. */
  stoppedBy: readonly Layer[];
}

const FAR = "http://evil.example";
/** Every attack on the network asks for an address of its own, the one that its HTML names. */
function asks(name: string, html: string, stoppedBy: readonly Layer[]): Attack {
  return { name, html, seen: /http:\/\/evil\.example\/\w+/.exec(html)![0], stoppedBy };
}
/** Loads something. The sandbox has nothing against that. */
const loads = (name: string, html: string, stoppedBy: readonly Layer[] = ["clean", "policy"]) =>
  asks(name, html, stoppedBy);
/** Goes elsewhere, by itself or when clicked. Only the cleaning has anything against that. */
const leaves = (name: string, html: string) => asks(name, html, ["clean"]);
/** Runs. */
const runs = (name: string, html: string): Attack => ({
  name,
  html,
  seen: "script",
  stoppedBy: ["clean", "policy", "sandbox"],
});

const ATTACKS: readonly Attack[] = [
  loads("img", `<img src="${FAR}/1">`),
  loads("picture", `<picture><source srcset="${FAR}/2"><img alt=""></picture>`),
  loads("style sheet", `<link rel="stylesheet" href="${FAR}/3">`),
  loads("iframe", `<iframe src="${FAR}/4"></iframe>`),
  loads("object", `<object data="${FAR}/5" type="text/html"></object>`),
  loads("embed", `<embed src="${FAR}/6" type="text/html">`),
  loads("video", `<video src="${FAR}/7" preload="auto"></video>`),
  loads("audio", `<audio src="${FAR}/8" preload="auto"></audio>`),
  loads("poster", `<video poster="${FAR}/9"></video>`),
  loads("input", `<input type="image" src="${FAR}/10">`),
  loads("SVG image", `<svg><image href="${FAR}/11" width="9" height="9"></image></svg>`),
  loads("table", `<table background="${FAR}/12"><tr><td>x</td></tr></table>`),
  loads("@import", `<style>@import "${FAR}/13";</style>`, ["policy"]),
  loads("url()", `<p style="background:url(${FAR}/14)">x</p>`, ["policy"]),
  loads("font", `<style>@font-face{font-family:f;src:url(${FAR}/15)}p{font-family:f}</style><p>x</p>`, ["policy"]),
  loads("its own policy", `<meta http-equiv="Content-Security-Policy" content="default-src *"><img src="${FAR}/16">`),
  asks("refresh", `<meta http-equiv="refresh" content="0;url=${FAR}/20">`, ["clean", "sandbox"]),
  leaves("link", `<a href="${FAR}/21">x</a>`),
  leaves("SVG link", `<svg><a href="${FAR}/22"><text y="20">x</text></a></svg>`),
  leaves("animated link", `<svg><a><set attributeName="href" to="${FAR}/23"></set><text y="20">x</text></a></svg>`),
  leaves(
    "area",
    `<map name="m"><area href="${FAR}/24" shape="default"></map><img usemap="#m" alt="x" width="9" height="9">`,
  ),
  {
    name: "link to a part of itself",
    html: '<a href="#part">x</a><p id="part">y</p>',
    seen: PAGE_URL,
    stoppedBy: ["clean"],
  },
  runs("script", "<script>alert(1)</script>"),
  runs("handler", '<p onclick="alert(1)">x</p>'),
  runs("javascript:", '<a href="javascript:alert(1)">x</a>'),
  asks("form", `<form method="post" action="${FAR}/30"><button>x</button></form>`, ["clean", "sandbox"]),
  asks("whole page", `<a href="${FAR}/31" target="_top">x</a>`, ["clean", "sandbox"]),
  asks("new window", `<a href="${FAR}/32" target="_blank">x</a>`, ["clean", "sandbox"]),
];

const NO_WALLS: Walls = { clean: false, policy: false, sandbox: false };

const seenIn = (log: readonly Happening[], { name, seen }: Attack) =>
  log.some(({ id, what, detail }) => detail === seen || (id === name && what === seen));

/** The attacks that did what they do, by name. What is expected of a busy machine is waited for. */
async function succeeding(walls: Walls, expected: readonly Attack[]): Promise<string[]> {
  const log = await watchFragments(
    ATTACKS.map(({ name, html }) => ({ id: name, source: html, walls })),
    "bare",
    (log) => expected.every((attack) => seenIn(log, attack)),
  );
  return namesOf(ATTACKS.filter((attack) => seenIn(log, attack)));
}
const namesOf = (attacks: readonly Attack[]) => attacks.map(({ name }) => name);

describe("the layers of a frame", () => {
  it(
    "are needed: without them every attack does what it says",
    async () => {
      expect(await succeeding(NO_WALLS, ATTACKS)).toEqual(namesOf(ATTACKS));
    },
    PATIENCE_MS,
  );

  it.each<[string, Layer]>([
    ["the sandbox runs nothing and keeps what happens inside the frame", "sandbox"],
    ["the policy loads nothing and runs nothing", "policy"],
    ["the cleaning leaves nothing that leads anywhere", "clean"],
  ])(
    "stand alone: %s",
    async (_claim, layer) => {
      const left = ATTACKS.filter(({ stoppedBy }) => !stoppedBy.includes(layer));
      expect(await succeeding({ ...NO_WALLS, [layer]: true }, left)).toEqual(namesOf(left));
    },
    PATIENCE_MS,
  );

  it(
    "together let nothing happen at all",
    async () => {
      const walls = { clean: true, policy: true, sandbox: true };
      const log = await watchFragments(ATTACKS.map(({ name, html }) => ({ id: name, source: html, walls })));
      expect(log).toEqual([]);
    },
    PATIENCE_MS,
  );
});
