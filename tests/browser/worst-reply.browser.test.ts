/** A model that writes the worst there is: the page shows text, answers its visitor, and asks nothing of anyone. */
import { afterAll, afterEach, beforeAll, expect, it } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { newVisitor, openBrowser, type Watched } from "../support/browser.mts";
import { START_MS, startWebSite, type WebSite } from "../support/web-site.mts";
import { type WrittenAnswers, writeAnswers } from "../support/written-answers.mts";

const PATIENCE_MS = 120_000;
const FAR = "https://third.example";
/** Pictures and links in spellings that look like this site's, or like nothing. */
const SPELLINGS = `![a](&#104;ttps://third.example/1) ![b](${FAR.toUpperCase()}/2) ![c](/\\third.example/3) ![d](\\\\third.example/4)
![e](data:image/svg+xml,<svg/onload=alert(1)>) ![f](/api/agent/sessions/stolen) ![g](api/agent/sessions/stolen)
![h](/notes/../api/agent/sessions/stolen) ![i](/notes/a/%2e%2e/%2e%2e/stolen.png) ![j](?ask=stolen) ![k](#stolen)
[![l][far]][js] [m][js] [n](JaVaScRiPt:alert(1)) [o](data:text/html,<script>alert(1)</script>) [p](vbscript:x) ![][far]
[q](/.//third.example/q) <javascript:alert(1)> [^1]

[^1]: ![r](${FAR}/r.png)
[far]: ${FAR}/far.png
[js]: javascript:alert(1)
`;
const card = (fields: object) => `\`\`\`xray-card\n${JSON.stringify({ v: 1, ...fields })}\n\`\`\``;
const LIST = { v: 1, kind: "list", items: [{ text: "x" }] };
/** What a reply is made of, and what is seen of it. Each ends with a line of its own. */
const WORST: [name: string, text: string][] = [
  ["two megabytes in one line", "x".repeat(2_000_000)],
  ["ten thousand rows", `|a|b|\n|-|-|\n${"|1|2|\n".repeat(10_000)}`],
  ["rows that write no cells", `${"a|".repeat(1_000)}\n${"-|".repeat(1_000)}\n${"a\n".repeat(10_000)}`],
  ["lists in lists", Array.from({ length: 200 }, (_, depth) => `${" ".repeat(depth * 2)}- x`).join("\n")],
  ["quotes in items", "- > a\n".repeat(20_000)],
  ["marks that nothing closes", `${"*a ".repeat(20_000)}${"]".repeat(20_000)}${"~".repeat(100_000)}\``],
  ["signs that turn or hide", "\u202E\u2066\u200B\u{E0041}".repeat(2_000)],
  ["cards that are none", [card({ ...LIST, kind: "__proto__" }), card({ kind: "tabs", tabs: [] })].join("\n\n")],
  ["JSON without end", `\`\`\`xray-card\n${"[".repeat(8_000)}\n\`\`\``],
  ["a card over its bound", card({ ...LIST, note: "字".repeat(2_800) })],
  [
    "tabs in tabs",
    card({ kind: "tabs", tabs: [{ label: "x", card: { v: 1, kind: "tabs", tabs: [{ label: "y", card: LIST }] } }] }),
  ],
  ["a frame over its bound", `\`\`\`xray-html\n${"<b>".repeat(6_000)}\n\`\`\``],
  ["spellings of an address", SPELLINGS],
];

let browser: Browser;
let site: WebSite;
const open: Watched[] = [];
beforeAll(async () => {
  [site, browser] = await Promise.all([startWebSite(), openBrowser()]);
}, START_MS);
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});
afterEach(async () => {
  for (const visitor of open.splice(0)) await visitor.close();
});

it(
  "whatever a reply says, the page shows it as text, lets its visitor write, and asks nothing of anyone",
  async () => {
    const { page, answers, origins, complaints } = await visit();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    for (const [name, text] of WORST) {
      await ask(page, answers);
      // In two pieces, so that it is drawn while it grows as well.
      await answers.say(text.slice(0, text.length / 2));
      await answers.say(`${text.slice(text.length / 2)}\n\nThe end of ${name}.`);
      await answers.end();
      await page.getByText(`The end of ${name}.`).waitFor();
      await page.locator("textarea").fill(name);
      expect(await page.locator("textarea").inputValue()).toBe(name);
    }
    expect(await page.locator("[data-turn] :is(img, iframe, [data-card], script)").count()).toBe(0);
    const leads = await page
      .locator("[data-turn] a")
      .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).protocol));
    expect(leads.filter((protocol) => !/^https?:$/.test(protocol))).toEqual([]);
    expect(asked.filter((url) => /third\.example|stolen/.test(url))).toEqual([]);
    expect([...origins]).toEqual([new URL(site.url).origin]);
    // The session of a written answer is none of the server's.
    expect(complaints.filter((complaint) => !complaint.includes("status of 404"))).toEqual([]);
  },
  PATIENCE_MS,
);

it(
  "a frame has these attributes and no other, is nobody's origin, and is at most 360 px high on a phone",
  async () => {
    const { page, answers } = await visit();
    await ask(page, answers);
    const outbreak = `</iframe>"'><img src="${FAR}/x"></body></html><script>document.title = document.cookie</script>`;
    await answers.say(`\`\`\`xray-html height=9999\n<p>inside</p>${outbreak}\n\`\`\`\n`);
    await answers.end();
    const frame = page.locator("[data-turn] iframe");
    await frame.waitFor();
    const attributes = await frame.evaluate((element) =>
      Object.fromEntries([...element.attributes].map((one) => [one.name, one.value])),
    );
    const { srcdoc, title, ...others } = attributes;
    expect(others).toEqual({ sandbox: "", referrerpolicy: "no-referrer", loading: "lazy", height: "480" });
    expect(title).not.toBe("");
    expect(srcdoc).toEndWith("<p>inside</p>\"'&gt;</body></html>");
    expect(await frame.evaluate((element) => (element as HTMLIFrameElement).contentDocument)).toBeNull();
    const inside = page.frames().find((one) => one.parentFrame() !== null)!;
    const cookie = () => {
      try {
        return document.cookie;
      } catch (error) {
        return (error as Error).name;
      }
    };
    expect([await page.evaluate(cookie), await inside.evaluate(cookie)]).toEqual([expect.any(String), "SecurityError"]);
    expect(await page.evaluate(cookie)).not.toBe("SecurityError");

    const heights = [];
    for (const width of [1_440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      heights.push((await frame.boundingBox())?.height);
    }
    expect(heights).toEqual([480, 360]);
  },
  PATIENCE_MS,
);

async function visit(): Promise<Watched & { answers: WrittenAnswers }> {
  let answers: WrittenAnswers | undefined;
  const visitor = await newVisitor(browser, {
    prepare: async (page) => {
      answers = await writeAnswers(page);
    },
  });
  open.push(visitor);
  visitor.page.setDefaultTimeout(50_000);
  await visitor.page.goto(site.url);
  return { ...visitor, answers: answers! };
}

async function ask(page: Page, answers: WrittenAnswers): Promise<void> {
  const before = (await answers.asked()).length;
  await page.locator("textarea").fill("?");
  await page.keyboard.press("Enter");
  await page.waitForFunction(
    (count) => (window as unknown as { answers: { asked(): string[] } }).answers.asked().length > count,
    before,
  );
}
