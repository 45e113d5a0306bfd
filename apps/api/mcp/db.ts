/** The database as this service sees it, and the limits that go with it. Every statement runs under its store's role. */
import { SQLDatabase } from "encore.dev/storage/sqldb";
import { openDatabase } from "../database/pool";
import { limitsFor } from "../lib/limits";
import { log } from "../lib/log";

const xray = SQLDatabase.named("xray");
export const db = openDatabase(xray.connectionString, { log });
export const limits = limitsFor(db.name);
