/** The one table of security headers (§27.3 and its additions); the reverse proxy sends the same. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "X-Frame-Options": "DENY",
  "Content-Security-Policy":
    "frame-ancestors 'none'; img-src 'self' data: blob:; connect-src 'self'; object-src 'none'; base-uri 'none'",
  "Permissions-Policy": "geolocation=(), microphone=(), camera=(), payment=(), usb=()",
};

/** Only a site that is reached over https may say so; a short life until the deployment has been seen to work. */
export function securityHeaders(siteOrigin: string | undefined): Readonly<Record<string, string>> {
  return siteOrigin?.startsWith("https://")
    ? { ...SECURITY_HEADERS, "Strict-Transport-Security": "max-age=300" }
    : SECURITY_HEADERS;
}
