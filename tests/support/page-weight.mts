/**
 * What a page costs a browser that has never seen it: the bytes that arrive, by type, as the network carries them, until
 * nothing more is asked for. Whoever measures brings a fresh visitor.
 */
import type { Page } from "playwright-core";

/** Bytes of the bodies as sent, compressed. */
export type PageWeight = Record<"document" | "script" | "stylesheet" | "font" | "other", number>;

export async function weighPage(page: Page, url: string): Promise<PageWeight> {
  const weight: PageWeight = { document: 0, script: 0, stylesheet: 0, font: 0, other: 0 };
  const session = await page.context().newCDPSession(page);
  const begun = new Map<string, { type: keyof PageWeight; headBytes: number }>();
  await session.send("Network.enable");
  session.on("Network.responseReceived", ({ requestId, type, response }) => {
    const name = type.toLowerCase();
    begun.set(requestId, {
      type: name in weight ? (name as keyof PageWeight) : "other",
      headBytes: response.encodedDataLength,
    });
  });
  // Not by pieces as they arrive: of the document the browser does not tell their size.
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const response = begun.get(requestId);
    if (response !== undefined) weight[response.type] += encodedDataLength - response.headBytes;
  });
  await page.goto(url, { waitUntil: "networkidle" });
  await session.detach();
  return weight;
}
