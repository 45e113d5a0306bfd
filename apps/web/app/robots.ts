/** Readers by machine are welcome to every page; the API is not a page. */
import type { MetadataRoute } from "next";
import { siteOrigin } from "../lib/site-origin";

/** The origin is known when the site runs, not when it is built. */
export const dynamic = "force-dynamic";

export default function robots(): MetadataRoute.Robots {
  return {
    rules: { userAgent: "*", disallow: ["/api/", "/source?q=", "/?ask="] },
    sitemap: new URL("/sitemap.xml", siteOrigin()).href,
  };
}
