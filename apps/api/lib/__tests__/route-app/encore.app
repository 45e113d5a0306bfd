{ "id": "", "lang": "typescript" }
