/**
 * The page that shows fragments in Chromium, bundled and served by `html-browser.mts`. With all three layers a fragment
 * stands in the component of the product itself; a test may leave layers out, to see what each holds alone.
 */
import { createElement } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { fragmentCleaner } from "../../apps/web/features/frames/clean-fragment.ts";
import { FrameElement } from "../../apps/web/features/frames/frame-element.tsx";
import { frameDocument } from "../../shared/frames/frame-document.ts";

export interface Walls {
  clean: boolean;
  policy: boolean;
  sandbox: boolean;
}

declare global {
  interface Window {
    /** Puts a frame on top of the page; resolves to what showing it took, once it has loaded. */
    showFragment(id: string, source: string, walls: Walls): Promise<{ ms: number }>;
    /** The page around the frames, as text. */
    pageAround(): string;
  }
}

/** Older frames have had their time to do what they do; with all of them in it, the page itself becomes slow. */
const KEPT_FRAMES = 40;

const clean = fragmentCleaner(window);

window.showFragment = async (id, source, walls) => {
  const place = document.createElement("section");
  place.id = id;
  const main = document.querySelector("main")!;
  main.prepend(place);
  main.children[KEPT_FRAMES]?.remove();
  const start = performance.now();
  if (walls.clean && walls.policy && walls.sandbox) {
    flushSync(() =>
      createRoot(place).render(createElement(FrameElement, { source, theme: "light", title: id, height: 160 })),
    );
  } else {
    place.append(frameWithout(source, walls));
  }
  const frame = place.querySelector("iframe")!;
  await new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
  return { ms: performance.now() - start };
};

function frameWithout(source: string, { clean: isCleaned, policy, sandbox }: Walls): HTMLIFrameElement {
  const frame = document.createElement("iframe");
  if (sandbox) frame.setAttribute("sandbox", "");
  const whole = frameDocument(isCleaned ? clean(source) : source, "light");
  frame.srcdoc = policy ? whole : whole.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "");
  frame.height = "160";
  return frame;
}

window.pageAround = () => {
  const copy = document.documentElement.cloneNode(true) as HTMLElement;
  for (const place of copy.querySelectorAll("section")) place.remove();
  return [copy.outerHTML, document.title, location.href, scrollX, scrollY, document.activeElement?.id].join("\n");
};
