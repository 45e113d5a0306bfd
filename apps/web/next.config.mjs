/** Next's settings. Everything about addresses, proxying and headers is in `port.mts`, never here. */
import { fileURLToPath } from "node:url";
import createNextIntlPlugin from "next-intl/plugin";

// The site calls nobody: neither its build nor its server reports to the framework's makers.
process.env.NEXT_TELEMETRY_DISABLED = "1";

const withNextIntl = createNextIntlPlugin({
  requestConfig: "./lib/request-language.ts",
  // Sentences reach the browser parsed, so that it needs no parser for them.
  experimental: { messages: { path: "./messages", format: "json", locales: "infer", precompile: true } },
});

export default withNextIntl({
  poweredByHeader: false,
  reactStrictMode: true,
  // Types are checked once, for the whole tree, by the static suite.
  typescript: { ignoreBuildErrors: true },
  turbopack: { root: fileURLToPath(new URL("../..", import.meta.url)) },
  devIndicators: false,
});
