{
  "id": "",
  "lang": "typescript",
  "build": { "hooks": { "prebuild": "rm -f apps/web/next-env.d.ts" } }
}
