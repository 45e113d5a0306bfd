/**
 * Cleans the HTML of a frame: the third of its three layers. It keeps what the closed tables name and drops the rest, so
 * that nothing is left which could take the frame to another page. It is not what keeps scripts from running; the
 * sandbox and the policy do that without it (§25). One configuration, fixed here.
 */
import createDOMPurify, { type Config, type WindowLike } from "dompurify";
import { FRAME_ATTRIBUTES, FRAME_ELEMENTS, refersInside } from "../../../../shared/frames/frame-tables";

const CONFIG: Config = {
  ALLOWED_TAGS: [...FRAME_ELEMENTS],
  ALLOWED_ATTR: [...FRAME_ATTRIBUTES],
  ALLOW_ARIA_ATTR: true,
  ALLOW_DATA_ATTR: false,
  ALLOW_UNKNOWN_PROTOCOLS: false,
  // Keeps a style sheet that stands first: without it a parser moves it into a head that is thrown away.
  FORCE_BODY: true,
};

/** A cleaner in the given window, which parses without loading or running anything. Equal input gives equal output. */
export function fragmentCleaner(window: WindowLike): (fragment: string) => string {
  const purifier = createDOMPurify(window);
  purifier.addHook("uponSanitizeAttribute", (_element, attribute) => {
    if (!refersInside(attribute.attrName, attribute.attrValue)) attribute.keepAttr = false;
  });
  return (fragment) => purifier.sanitize(fragment, CONFIG);
}
