/** GET /about: the owner's card. Every field is there; what nobody filled in is empty. */
import { api } from "encore.dev/api";
import { aboutContract } from "../../../shared/contracts/about";
import { publicRoute } from "../lib/public-route";
import { readAbout } from "../stores/about";
import { db } from "./db";

export const about = api.raw(
  { expose: true, sensitive: true, method: "GET", path: "/about" },
  publicRoute(aboutContract, async () => readAbout(db)),
);
