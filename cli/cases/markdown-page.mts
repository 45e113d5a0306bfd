/**
 * A page without a browser that draws replies with the components of the site, and says what came out in the terms of
 * a case file. The product's own captions and buttons around code are left out of what is judged.
 */
import { JSDOM } from "jsdom";
import { NextIntlClientProvider } from "next-intl";
import { act, createElement, type ReactElement } from "react";
import { createRoot } from "react-dom/client";
import { renderToStaticMarkup } from "react-dom/server";
import { Markdown } from "../../apps/web/features/markdown/markdown";
import messages from "../../apps/web/messages/en.json" with { type: "json" };

export interface DrawnReply {
  /** What a reader sees, each run of blanks as one. */
  words: string;
  /** Where its links lead, in order, as written. */
  links: string[];
  /** The texts of its code elements, without a last line break. */
  codes: string[];
  /** Elements and attributes that no reply may have. */
  foreign: string[];
  markup: string;
  count(selector: string): number;
}

export interface ReplyPage {
  /** `isWhole`: nothing more will come. */
  draw(text: string, isWhole: boolean): DrawnReply;
  /** One reply that grows in place. `keptBlocks`: what stood before its last block is still the very same. */
  grow(): { show(text: string, isWhole: boolean): { reply: DrawnReply; keptBlocks: boolean } };
}

/** All that a reply is made of. */
const ELEMENTS = new Set(
  (
    "div p a em strong del code pre br hr blockquote ul ol li h1 h2 h3 h4 h5 h6 table thead tbody tr th td sup input " +
    "figure section img span"
  ).split(" "),
);
const ATTRIBUTES = new Set(
  (
    "class href target rel title id start checked disabled type align style src alt loading decoding width height " +
    "tabindex dir role aria-label aria-describedby data-end data-footnotes data-footnote-ref data-footnote-backref"
  ).split(" "),
);
const HREF = /^(?:https?:|mailto:|ircs?:|xmpp:|[^:]*(?:[/?#]|$))/i;
const OWN_PICTURE = /^\/(?![/\\])/;
const BLOCKS = "p,li,pre,blockquote,h1,h2,h3,h4,h5,h6,tr,td,th,hr,br,table,figure,section";

/**
 * Calls `use` with a page and takes it away again. React asks for a window while it works; inside `act` it has worked
 * off everything when it returns, so that nothing looks for one later.
 */
export function withReplyPage<T>(use: (page: ReplyPage) => T): T {
  const { window } = new JSDOM("<!doctype html><body>");
  const { document } = window;
  const before = new Map(
    Object.entries({ window, IS_REACT_ACT_ENVIRONMENT: true }).map(([name, value]) => {
      const was = Object.getOwnPropertyDescriptor(globalThis, name);
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
      return [name, was] as const;
    }),
  );
  const undo: (() => void)[] = [];
  try {
    return use({
      draw(text, isWhole) {
        const host = document.createElement("div");
        host.innerHTML = renderToStaticMarkup(replyOf(text, isWhole));
        return describeReply(host);
      },
      grow() {
        const host = document.createElement("div");
        const root = createRoot(host);
        undo.push(() => act(() => root.unmount()));
        let earlier: Element[] = [];
        return {
          show(text, isWhole) {
            act(() => root.render(replyOf(text, isWhole)));
            const blocks = [...(host.firstElementChild?.children ?? [])].flatMap(({ children }) => [...children]);
            const keptBlocks = earlier.slice(0, -1).every((block, index) => block === blocks[index]);
            earlier = blocks;
            return { reply: describeReply(host), keptBlocks };
          },
        };
      },
    });
  } finally {
    for (const step of undo) step();
    for (const [name, was] of before) {
      if (was === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, was);
    }
    window.close();
  }
}

function replyOf(text: string, isWhole: boolean): ReactElement {
  const end = isWhole ? undefined : "caret";
  const children = createElement(Markdown, { text, partial: !isWhole, end });
  return createElement(NextIntlClientProvider, { locale: "en", messages, timeZone: "UTC", children });
}

/** Of any markup of a reply; the outermost element is the page's own, and so are the blocks that it stands in. */
export function describeReply(drawn: Element): DrawnReply {
  const host = drawn.cloneNode(true) as Element;
  for (const caption of host.querySelectorAll("figcaption")) caption.remove();
  const reply = host.firstElementChild!;
  for (const block of reply.querySelectorAll(":scope > div")) block.replaceWith(...block.childNodes);
  const all = [...reply.querySelectorAll("*")];
  return {
    words: wordsOf(reply),
    links: all.filter((one) => one.hasAttribute("href")).map((one) => one.getAttribute("href")!),
    codes: [...reply.querySelectorAll("code")].map((code) => code.textContent.replace(/\n$/, "")),
    foreign: all.flatMap(foreignOf),
    markup: reply.innerHTML,
    count: (selector) => reply.querySelectorAll(selector).length,
  };
}

function wordsOf(reply: Element): string {
  const copy = reply.cloneNode(true) as Element;
  // A break between blocks is seen as one.
  for (const block of copy.querySelectorAll(BLOCKS)) {
    block.before(" ");
    block.after(" ");
  }
  return copy.textContent.replace(/\s+/g, " ").trim();
}

function foreignOf(element: Element): string[] {
  const tag = element.localName;
  if (!ELEMENTS.has(tag)) return [tag];
  const attributes = [...element.attributes]
    .filter(
      ({ name, value }) =>
        !ATTRIBUTES.has(name) ||
        (name === "style" && !/^text-align: ?\w+;?$/.test(value)) ||
        (name === "role" && value !== "group"),
    )
    .map(({ name }) => `${tag}[${name}]`);
  const href = element.getAttribute("href");
  const src = element.getAttribute("src");
  return [
    ...attributes,
    ...(href !== null && !HREF.test(href) ? [`a[href=${href}]`] : []),
    ...(src !== null && !OWN_PICTURE.test(src) ? [`img[src=${src}]`] : []),
    ...(tag === "input" && !element.matches("[type=checkbox][disabled]") ? ["input"] : []),
  ];
}
