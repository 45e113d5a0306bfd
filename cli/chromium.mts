/**
 * The system's Chromium without a window, for judging cases and for the tests. Promises: it runs as root as well, and it
 * spends its time on pages; what it would do for a person in front of it is left out.
 */
import { type Browser, chromium, type LaunchOptions } from "playwright-core";
import { chromiumPath } from "./prerequisites.mts";

/**
 * Chromium reads only the last list it is given, so this one repeats what its driver leaves out for the sake of steady
 * pages, and adds what costs time: two pages behind the address bar for every new visitor, of which nobody sees any, and a
 * process held ready for a page that does not come. Together they were more than a third of its work.
 */
const LEFT_OUT = [
  ...["AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose"],
  ...["HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "PaintHolding", "ThirdPartyStoragePartitioning"],
  ...["AimEnabled", "LensOverlay", "MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints"],
  ...["PreconnectToSearch", "SpareRendererForSitePerProcess", "WebUIOmniboxAimPopup", "WebUIOmniboxPopup"],
];

export interface BrowserOptions extends Pick<LaunchOptions, "proxy"> {
  /** More of Chromium's features to leave out. */
  without?: readonly string[];
}

/** Rejects when there is no Chromium or it does not start. */
export function openBrowser({ without = [], ...options }: BrowserOptions = {}): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    ...options,
    executablePath: chromiumPath(),
    args: [
      ...(isRoot ? ["--no-sandbox"] : []),
      "--disable-dev-shm-usage",
      `--disable-features=${[...LEFT_OUT, ...without].join(",")}`,
    ],
  });
}
