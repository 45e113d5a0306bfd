{
  // An application that answers what the host's tests ask. It belongs to no site.
  "id": "",
  "lang": "typescript",
  "global_cors": { "allow_origins_with_credentials": ["https://trusted.example"], },
}
