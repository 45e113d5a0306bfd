/**
 * What is left of a fragment once it is cleaned, judged as the parser of jsdom reads it: as a document and as a fragment,
 * and so again after one more round of cleaning and parsing, since a text that changes its meaning when it is read twice
 * is the classical way past a cleaner.
 */
import { JSDOM } from "jsdom";
import { fragmentCleaner } from "../../apps/web/features/frames/clean-fragment.ts";
import { shown } from "./format.mts";
import type { HtmlCase } from "./html-case.mts";

const words = (text: string) => new Set(text.trim().split(/\s+/));

/** Never in a frame, whatever the case says of its own fragment. */
const NO_ELEMENTS = words(`
  script iframe object embed form input button meta link base img image video audio source track bgsound frame frameset
  animate animatetransform animatemotion animatecolor set discard mpath
`);
const NO_ATTRIBUTES = words(`
  target srcdoc srcset action formaction poster background cite longdesc ping manifest profile usemap xml:base
`);
const FRAGMENT_ONLY = words("href xlink:href src data");

const dom = new JSDOM("");
// The purifier names the globals that it reads; jsdom's window has them all.
const clean = fragmentCleaner(dom.window as unknown as Parameters<typeof fragmentCleaner>[0]);

/** The first thing wrong with what is left, on one line; null when nothing is. */
export function staticFault(one: HtmlCase, fragment: string): string | null {
  const once = clean(fragment);
  const twice = clean(once);
  for (const text of [once, twice]) {
    for (const root of [parsedAsDocument(text), parsedAsFragment(text)]) {
      const fault = faultIn(root, one);
      if (fault !== null) return fault;
    }
  }
  return null;
}

function parsedAsDocument(text: string): ParentNode & Node {
  return new dom.window.DOMParser().parseFromString(`<body>${text}`, "text/html");
}

function parsedAsFragment(text: string): ParentNode & Node {
  const template = dom.window.document.createElement("template");
  template.innerHTML = text;
  return template.content;
}

function faultIn(root: ParentNode & Node, { gone, stays }: HtmlCase): string | null {
  const elements = elementsOf(root);
  const values = gone.values.map((pattern) => new RegExp(pattern));
  for (const element of elements) {
    const name = element.localName.toLowerCase();
    if (NO_ELEMENTS.has(name) || gone.elements.includes(name)) return `an element ${shown(name)} is left`;
    for (const attribute of element.attributes) {
      const at = attribute.name.toLowerCase();
      if (at.startsWith("on") || NO_ATTRIBUTES.has(at) || gone.attrs.includes(at))
        return `an attribute ${shown(at)} is left`;
      if (FRAGMENT_ONLY.has(at) && !attribute.value.startsWith("#")) return `${shown(at)} leads out of the frame`;
      if (values.some((pattern) => pattern.test(attribute.value))) return `a value is left: ${shown(attribute.value)}`;
    }
  }
  const text = collapsed(root.nodeType === 9 ? (root as Document).documentElement.textContent : root.textContent);
  const lostText = stays.text.find((part) => !text.includes(collapsed(part)));
  if (lostText !== undefined) return `a text is lost: ${shown(lostText)}`;
  const lostElement = stays.elements.find(
    (name) => !elements.some(({ localName }) => localName.toLowerCase() === name),
  );
  if (lostElement !== undefined) return `an element is lost: ${shown(lostElement)}`;
  const lostAttribute = stays.attrs.find(
    ([name, attribute, value]) =>
      !elements.some((element) => element.localName === name && element.getAttribute(attribute) === value),
  );
  return lostAttribute === undefined ? null : `an attribute is lost: ${shown(lostAttribute.join(" "))}`;
}

/** All of them, those inside templates too. The parser's own html, head and body are no part of a fragment. */
function elementsOf(root: ParentNode): Element[] {
  return [...root.querySelectorAll("*")].flatMap((element) => [
    ...(["html", "head", "body"].includes(element.localName) && element.attributes.length === 0 ? [] : [element]),
    ...(element.localName === "template" ? elementsOf((element as HTMLTemplateElement).content) : []),
  ]);
}

function collapsed(text: string | null): string {
  return (text ?? "").replace(/\s+/g, " ").trim();
}
