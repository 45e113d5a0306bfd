{
  "id": "",
  "lang": "typescript",
  // No other site may read or write: the pages come from the same origin and need no grant.
  "global_cors": { "allow_origins_without_credentials": [] },
  "build": { "hooks": { "prebuild": "rm -f apps/web/next-env.d.ts" } }
}
