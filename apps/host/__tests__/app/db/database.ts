import { SQLDatabase } from "encore.dev/storage/sqldb";

export const probe = new SQLDatabase("probe", { migrations: "./migrations" });
