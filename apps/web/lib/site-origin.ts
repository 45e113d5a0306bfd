/** The public origin of the site, on the server: what `SITE_ORIGIN` says, else where a person on this machine opens it. */
export function siteOrigin(): URL {
  const { SITE_ORIGIN, PORT } = process.env;
  return new URL(SITE_ORIGIN && URL.canParse(SITE_ORIGIN) ? SITE_ORIGIN : `http://localhost:${PORT || 3000}`);
}
