/**
 * The elements and attributes that a frame may hold: two closed tables, so that what nobody thought of is not in a frame.
 * No attribute that bears an address is among them. A `#…` link would be harmless on a page, but a frame made from
 * `srcdoc` resolves it against the page around it, so that a click asks the site for that page and puts it in the frame.
 * Inside SVG, `url(#…)` refers to the frame itself and stays.
 */
const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const HTML_ELEMENTS = words(`
  a abbr address article aside b bdi bdo blockquote br caption center cite code col colgroup data dd del details dfn div
  dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i ins kbd li main mark menu meter nav ol p pre
  progress q rp rt ruby s samp section small span strong style sub summary sup table tbody td tfoot th thead time tr tt
  u ul var wbr
`);

/** Shapes and text. Not `use` and the filters, which fetch or cost without bound, nor what animates or links. */
const SVG_ELEMENTS = words(`
  svg g defs symbol path rect circle ellipse line polyline polygon text tspan lineargradient radialgradient stop
  clippath mask pattern marker
`);

const MATH_ELEMENTS = words(`
  math mrow mi mn mo ms mtext mspace mfrac msqrt mroot msup msub msubsup munder mover munderover mtable mtr mtd mstyle
  mpadded mphantom
`);

export const FRAME_ELEMENTS: readonly string[] = [...HTML_ELEMENTS, ...SVG_ELEMENTS, ...MATH_ELEMENTS];

const HTML_ATTRIBUTES = words(`
  class id style title lang dir role open hidden align valign width height colspan rowspan span scope headers start
  reversed type value min max low high optimum datetime
`);

const SVG_ATTRIBUTES = words(`
  viewbox preserveaspectratio xmlns d points x y x1 x2 y1 y2 cx cy r rx ry dx dy rotate transform transform-origin
  pathlength textlength lengthadjust offset fx fy gradientunits gradienttransform spreadmethod clippathunits maskunits
  maskcontentunits patternunits patterncontentunits patterntransform markerunits markerwidth markerheight orient refx
  refy fill fill-opacity fill-rule stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin
  stroke-miterlimit stroke-opacity stroke-width stop-color stop-opacity color opacity clip-path clip-rule mask
  marker-start marker-mid marker-end display visibility overflow paint-order shape-rendering text-rendering
  vector-effect text-anchor dominant-baseline alignment-baseline baseline-shift font-family font-size font-style
  font-weight letter-spacing word-spacing text-decoration writing-mode
`);

const MATH_ATTRIBUTES = words(`
  display displaystyle scriptlevel mathvariant mathcolor mathbackground mathsize stretchy fence separator form lspace
  rspace accent accentunder linethickness columnalign rowalign columnspan rowspacing columnspacing depth voffset
`);

/** Beside these every `aria-…`; no `data-…` and nothing that begins with `on`. All names in lower case. */
export const FRAME_ATTRIBUTES: readonly string[] = [...HTML_ATTRIBUTES, ...SVG_ATTRIBUTES, ...MATH_ATTRIBUTES];

/** Those of SVG that may refer to something by `url(…)`. */
const REFERRING = new Set(["fill", "stroke", "clip-path", "mask", "marker-start", "marker-mid", "marker-end"]);

/** Whether an attribute may keep its value: what it refers to, if it is one that does, is a part of the frame. */
export function refersInside(attribute: string, value: string): boolean {
  // A backslash could spell `url` in a way that only a style sheet's parser reads.
  return !REFERRING.has(attribute) || !/\\|url\s*\((?!\s*["']?\s*#)/i.test(value);
}
