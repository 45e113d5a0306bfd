/**
 * Declares the one database of the product. Services read its address with `SQLDatabase.named("xray")` and hand it to
 * `openDatabase`; Encore's own query methods are not used, since they cannot run under a role.
 */
import { SQLDatabase } from "encore.dev/storage/sqldb";

export const xray = new SQLDatabase("xray", { migrations: "./migrations" });
