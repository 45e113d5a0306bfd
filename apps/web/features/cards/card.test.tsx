/** A card as markup: what it is called, that values are text, and where its links lead. */
import { expect, it } from "bun:test";
import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { parseCard } from "../../../../shared/cards/parse-card";
import cards from "../../messages/cards.en.json";
import en from "../../messages/en.json";
import { AnswerGrows } from "./answer-grows";
import { Card } from "./card";
import ReplyFence from "./reply-fence";

function markup(children: React.ReactNode): string {
  return renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={{ ...en, ...cards }} timeZone="UTC">
      {children}
    </NextIntlClientProvider>,
  );
}

function drawn(fields: object): string {
  const card = parseCard(JSON.stringify({ v: 1, ...fields }));
  if (card === null) throw new Error("no card");
  return markup(<Card card={card} />);
}

const EVIL = '<img src=x onerror="alert(1)">';
const ESCAPED = "&lt;img src=x onerror=&quot;alert(1)&quot;&gt;";
const EVERY = [
  { kind: "kv", rows: [{ k: EVIL, v: EVIL }] },
  { kind: "table", columns: [EVIL], rows: [[EVIL]] },
  { kind: "list", items: [{ text: EVIL, note: EVIL }] },
  { kind: "stat", items: [1, 2].map(() => ({ label: EVIL, value: EVIL, unit: EVIL, note: EVIL })) },
  { kind: "compare", columns: [EVIL, EVIL], rows: [{ k: EVIL, a: EVIL, b: EVIL }] },
  { kind: "tabs", tabs: [{ label: EVIL, card: { v: 1, kind: "list", items: [{ text: EVIL }] } }] },
  { kind: "choice", prompt: EVIL, options: [1, 2].map(() => ({ label: EVIL, note: EVIL })) },
  { kind: "form", prompt: EVIL, fields: [{ label: EVIL, placeholder: EVIL }] },
];

it.each(EVERY.map((fields) => [fields.kind, fields] as const))("%s shows markup as the text it is", (_, fields) => {
  const html = drawn({ ...fields, title: EVIL });
  expect(html).not.toContain("<img");
  expect(html).toContain(ESCAPED);
});

it("an outside link has no authority over the page, and a page of this site opens in place", () => {
  const links = [
    { text: "out", href: "https://example.org/" },
    { text: "in", href: "/notes" },
  ];
  const anchors = drawn({ ...EVERY[0], links }).match(/<a [^>]*>/g);
  expect(anchors).toEqual([
    '<a href="https://example.org/" target="_blank" rel="noopener noreferrer nofollow ugc" dir="auto">',
    '<a dir="auto" href="/notes">',
  ]);
});

it("a choice has no action, whatever its text says", () => {
  const action = { label: "press me", ask: "x" };
  expect(drawn({ ...EVERY[6], action })).not.toContain("press me");
  expect(drawn({ ...EVERY[0], action })).toContain("press me");
});

it("a fence that is open is three lines in a running answer, and code in one that has ended", () => {
  const fence = { language: "xray-card", meta: "", source: '{"v":1', closed: false, offset: 0 };
  const [running, ended] = [true, false].map((each) =>
    markup(
      <AnswerGrows value={each}>
        <ReplyFence fence={fence} />
      </AnswerGrows>,
    ),
  );
  expect([running!.includes("being written"), running!.includes("<pre")]).toEqual([true, false]);
  expect([ended!.includes("being written"), ended!.includes("<pre")]).toEqual([false, true]);
});
