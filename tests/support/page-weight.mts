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
  const types = new Map<string, keyof PageWeight>();
  await session.send("Network.enable");
  session.on("Network.responseReceived", ({ requestId, type }) => {
    const name = type.toLowerCase();
    types.set(requestId, name in weight ? (name as keyof PageWeight) : "other");
  });
  session.on("Network.dataReceived", ({ requestId, encodedDataLength }) => {
    weight[types.get(requestId) ?? "other"] += encodedDataLength;
  });
  await page.goto(url, { waitUntil: "networkidle" });
  await session.detach();
  return weight;
}
