import { appMeta } from "encore.dev";
import { api } from "encore.dev/api";
import { secret } from "encore.dev/config";
import log from "encore.dev/log";
import { Counter } from "encore.dev/metrics";
import { SQLDatabase } from "encore.dev/storage/sqldb";

const given = secret("Given");
const missing = secret("Missing");
const database = SQLDatabase.named("probe");
const calls = new Counter("calls");

export const resources = api.raw({ expose: true, method: "GET", path: "/resources" }, async (_request, response) => {
  calls.increment();
  log.error(new Error("api_key=abcdefgh12345678"), "a noted error", { fact: 1 });
  let missingSecret: string;
  try {
    missingSecret = missing();
  } catch (error) {
    missingSecret = (error as Error).message;
  }
  const value = { given: given(), missingSecret, url: database.connectionString, meta: appMeta() };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
});
