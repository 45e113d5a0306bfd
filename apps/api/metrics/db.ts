/** The database as this service sees it. Every statement runs under the role that its store names. */
import { SQLDatabase } from "encore.dev/storage/sqldb";
import { openDatabase } from "../database/pool";
import { log } from "../lib/log";

const xray = SQLDatabase.named("xray");
export const db = openDatabase(xray.connectionString, { log });
