/**
 * Replies in Markdown, judged as the page draws them: whole, at the moment of their arrival that a case names, and at
 * every moment of a stream (§4.5, §24). Nothing but a closed set of elements and addresses may come out of any.
 */
import { z } from "zod";
import { type CaseFormat, caseHead, type Judged, judged, shown } from "./format.mts";
import type { DrawnReply, ReplyPage } from "./markdown-page.mts";

const build = z.object({ prefix: z.string(), unit: z.string(), times: z.int(), suffix: z.string().default("") });
const texts = z.array(z.string()).default([]);
const replyCase = z.object({
  ...caseHead,
  stage: z.enum(["complete", "prefix"]),
  input: z.string().nullable(),
  build: build.optional(),
  expect: z.object({
    text: texts,
    not_text: texts,
    elements: z.record(z.string(), z.int()).default({}),
    no_elements: texts,
    links: z.array(z.string()).optional(),
    no_href_matching: texts,
    code: texts,
  }),
});
const stream = z.object({ ...caseHead, full: z.string().nullable(), build: build.optional() });
const file = z.object({ cases: z.array(replyCase), streams: z.array(stream).default([]) });

type ReplyCase = z.infer<typeof replyCase>;
type Stream = z.infer<typeof stream>;

/** Streams longer than this are drawn at every fortieth of their length, shorter ones at every character. */
const SHORT_STREAM_CHARS = 1_000;

export const markdownFormat: CaseFormat = {
  name: "markdown",
  recognises: ({ cases }) => Array.isArray(cases) && cases.length > 0 && replyCase.safeParse(cases[0]).success,
  async judge(content) {
    const { cases, streams } = file.parse(content);
    const { withReplyPage } = await import("./markdown-page.mts");
    return withReplyPage((page): Judged[] => [
      ...cases.map((one) => judged(one, () => replyFault(one, page))),
      ...streams.map((one) => judged(one, () => streamFault(one, page))),
    ]);
  },
};

function replyFault(one: ReplyCase, page: ReplyPage): string | null {
  const isWhole = one.stage === "complete";
  const reply = page.draw(textOf(one.input, one.build), isWhole);
  return foreignFault(reply) ?? expectationFault(one.expect, reply);
}

function expectationFault(wanted: ReplyCase["expect"], reply: DrawnReply): string | null {
  const lost = wanted.text.find((text) => !reply.words.includes(collapsed(text)));
  if (lost !== undefined) return `${shown(lost)} is not shown in ${shown(reply.words)}`;
  const left = wanted.not_text.find((text) => reply.words.includes(collapsed(text)));
  if (left !== undefined) return `${shown(left)} is shown in ${shown(reply.words)}`;
  for (const [tag, count] of Object.entries(wanted.elements)) {
    const drawn = reply.count(tag);
    if (drawn !== count) return `has ${drawn} ${tag}, should have ${count}`;
  }
  const found = wanted.no_elements.find((selector) => reply.count(selector) > 0);
  if (found !== undefined) return `has ${shown(found)}`;
  if (wanted.links !== undefined && String(reply.links) !== String(wanted.links))
    return `links to ${shown(reply.links.join(" "))}, should link to ${shown(wanted.links.join(" "))}`;
  for (const pattern of wanted.no_href_matching) {
    const bad = reply.links.find((href) => new RegExp(pattern, "i").test(href));
    if (bad !== undefined) return `links to ${shown(bad)}`;
  }
  const code = wanted.code.find((text) => !reply.codes.includes(text));
  return code === undefined ? null : `no code is ${shown(code)}, but ${shown(reply.codes.join(" | "))}`;
}

/** What no text may bring about, whatever a case says of it. */
export function foreignFault({ foreign, words }: DrawnReply): string | null {
  if (foreign.length > 0) return `has what is not allowed: ${shown(foreign.join(" "))}`;
  return words.includes("\ufffd") ? "shows half a character" : null;
}

/** Also: what was drawn in an earlier block stays the same node, and in the end it all is what the whole text gives. */
function streamFault({ full, build: built }: Stream, page: ReplyPage): string | null {
  const text = textOf(full, built);
  // Whole code points, as the kernel joins them.
  const characters = [...text];
  const step = characters.length > SHORT_STREAM_CHARS ? Math.ceil(characters.length / 40) : 1;
  const growing = page.grow();
  for (let end = step; end < characters.length + step; end += step) {
    const at = `after ${Math.min(end, characters.length)} characters`;
    const { reply, keptBlocks } = growing.show(characters.slice(0, end).join(""), false);
    const fault = foreignFault(reply) ?? (keptBlocks ? null : "an earlier block was drawn anew");
    if (fault !== null) return `${at} ${fault}`;
  }
  const ended = growing.show(text, true).reply;
  return ended.markup === page.draw(text, true).markup ? null : "ends as something else than the whole text";
}

function textOf(text: string | null, built: z.infer<typeof build> | undefined): string {
  return text ?? `${built!.prefix}${built!.unit.repeat(built!.times)}${built!.suffix}`;
}

const collapsed = (text: string): string => text.replace(/\s+/g, " ").trim();
