/** Contract of the owner's public card (§17). Every field is empty until the owner fills it in. */
import { z } from "zod";
import { contract } from "./contract";

export const aboutView = z.object({
  githubUser: z.string(),
  originUrl: z.string(),
  intro: z.string(),
  buildPoints: z.array(z.string()),
  repos: z.array(
    z.object({
      name: z.string(),
      lang: z.string(),
      dot: z.string(),
      stars: z.number().int(),
      desc: z.string(),
      pushed: z.string(),
    }),
  ),
  langBar: z.array(z.object({ name: z.string(), pct: z.number(), color: z.string() })),
});
export type AboutView = z.infer<typeof aboutView>;

export const aboutContract = contract({
  method: "GET",
  path: "/about",
  summary: "What the owner says of themselves and the site.",
  answer: aboutView,
  refusals: ["internal"],
});
