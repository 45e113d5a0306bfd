/** What handlers saw, for the tests to ask about. */
import { api } from "encore.dev/api";

const events: { name: string; detail: string }[] = [];

export function seen(name: string, detail: string): void {
  events.push({ name, detail });
}

export const state = api.raw({ expose: true, method: "GET", path: "/state" }, (_request, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(events));
});
