/** Services of the outbound tools for tests: as their rows would be, at an address that the test gives. */
import type { PictureService } from "../outbound/generate-image";
import type { SearchService } from "../outbound/web-search";

/** A key of hex digits alone, which no general pattern takes for a secret. */
export const HEX_KEY = "0a1b2c3d4e5f60718293a4b5c6d7e8f9";

/** `origin` is one of loopback; its host is listed. */
function common(origin: string) {
  return {
    baseUrl: origin,
    apiKey: HEX_KEY,
    modelId: "mm-searcher-9",
    totalTimeoutMs: 10_000,
    idleTimeoutMs: 5_000,
    extraHosts: [new URL(origin).host],
  };
}

export function aSearchService(changes: Partial<SearchService> = {}, origin = "http://127.0.0.1:9"): SearchService {
  return { ...common(origin), toolType: "web_search", dailySearchLimit: 0, ...changes };
}

export function aPictureService(changes: Partial<PictureService> = {}, origin = "http://127.0.0.1:9"): PictureService {
  return { ...common(origin), apiStyle: "images", imageSize: null, dailyImageLimit: 0, ...changes };
}
