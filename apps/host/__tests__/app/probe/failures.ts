import { APIError, api } from "encore.dev/api";

export const refuse = api.raw({ expose: true, method: "GET", path: "/fail/refuse" }, async () => {
  throw APIError.notFound("no such thing").withDetails({ hint: "none" });
});
export const crash = api.raw({ expose: true, method: "GET", path: "/fail/crash" }, async () => {
  throw new Error("password=hunter22222");
});
export const sync = api.raw({ expose: true, method: "GET", path: "/fail/sync" }, () => {
  throw new Error("at once");
});
export const middle = api.raw({ expose: true, method: "GET", path: "/fail/middle" }, async (_request, response) => {
  response.writeHead(200, { "content-type": "text/plain" });
  await new Promise<void>((taken) => response.write("half", () => taken()));
  throw new Error("after the first byte");
});
export const floating = api.raw({ expose: true, method: "GET", path: "/fail/floating" }, (_request, response) => {
  void Promise.reject(new Error("token=floatingsecret1"));
  response.end("answered");
});
export const uncaught = api.raw({ expose: true, method: "GET", path: "/fail/uncaught" }, (_request, response) => {
  setTimeout(() => {
    throw new Error("nobody caught this");
  });
  response.end("answered");
});
export const badHeader = api.raw({ expose: true, method: "GET", path: "/fail/header" }, (_request, response) => {
  response.writeHead(200, { "x-bad": "a\r\nset-cookie: stolen=1" });
  response.end();
});
