/** The closed tables, against the list of what must never be in a frame (§25). */
import { describe, expect, it } from "bun:test";
import { FRAME_ATTRIBUTES, FRAME_ELEMENTS, refersInside } from "./frame-tables";

const words = (text: string) => text.trim().split(/\s+/);

const DROPPED_ELEMENTS = words(`
  script iframe object embed form input button meta link base img audio video set animate animatetransform animatemotion
  animatecolor frame frameset applet portal fencedframe textarea select template picture source track image mpath discard
  foreignobject use feimage annotation-xml noscript area map dialog slot
`);
const DROPPED_ATTRIBUTES = words(`
  target href src srcset xlink:href action formaction poster ping background data cite longdesc usemap srcdoc manifest
  codebase archive classid profile dynsrc lowsrc xml:base attributionsrc download is contenteditable autofocus accesskey
  tabindex popover name http-equiv
`);

describe("the tables of a frame", () => {
  it("name nothing that must be dropped", () => {
    expect(FRAME_ELEMENTS.filter((name) => DROPPED_ELEMENTS.includes(name))).toEqual([]);
    expect(FRAME_ATTRIBUTES.filter((name) => DROPPED_ATTRIBUTES.includes(name) || /^on|^data-/.test(name))).toEqual([]);
  });

  it("are in lower case, as names are compared, and name nothing twice", () => {
    expect(FRAME_ELEMENTS.filter((name) => name !== name.toLowerCase())).toEqual([]);
    expect(FRAME_ATTRIBUTES.filter((name) => name !== name.toLowerCase())).toEqual([]);
    expect(new Set(FRAME_ELEMENTS).size).toBe(FRAME_ELEMENTS.length);
  });
});

describe("a reference", () => {
  it.each<[string, string, boolean]>([
    ["fill", "red", true],
    ["fill", "url(#g)", true],
    ["fill", "URL( '#g' )", true],
    ["fill", 'url("#g") none', true],
    ["fill", "url(https://evil.example/p.svg#g)", false],
    ["mask", "url( //evil.example/f.svg#f )", false],
    ["marker-end", "url(#a) url(b.svg#c)", false],
    ["clip-path", "u\\72l(https://evil.example/)", false],
    ["stroke", "url('')", false],
    ["title", "write url(x) or C:\\x", true],
  ])("%s=%p stays: %p", (attribute, value, stays) => {
    expect(refersInside(attribute, value)).toBe(stays);
  });
});
