import { api } from "encore.dev/api";

/** The endpoint that bench and tests compare with a bare server. */
export const ping = api.raw({ expose: true, sensitive: true, method: "GET", path: "/ping" }, (_request, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.end('{"ok":true}');
});
