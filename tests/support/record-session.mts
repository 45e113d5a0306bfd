/**
 * Records the session that the panel is read from (`rounds/008-panel.md`): a real site, the real runner, a model that says
 * what stands here and a search service that takes its time. `bun --bun tests/support/record-session.mts` writes
 * `tests/fixtures/panel-session.json` anew. A new recording has other durations, so the key to its questions changes with
 * it.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../apps/api/database/pool.ts";
import { pathsOf } from "../../cli/paths.mts";
import { type ProcessRecord, stopProcess } from "../../cli/processes.mts";
import { startRunner } from "../../cli/runner.mts";
import { openSkills, seedSkills } from "../../cli/seed-skills.mts";
import { seed } from "../../cli/seed.mts";
import { startMcpSite } from "./mcp.mts";
import type { MadeSession } from "./made-session.mts";
import type { CompletionScript } from "./openai-server.mts";
import { responsesStream } from "./outbound-gateways.mts";
import { type Answer, openStream, rudeServer } from "./rude-server.mts";

const QUESTIONS = [
  "Find the chapter about saying no, draw a word cloud of it, and look up what is new about veto events.",
  "Give this conversation a name.",
];
const ANSWER =
  "The chapter is *Saying no*. I could not draw a cloud: that skill has no such script. Veto events are stable since the last release, says the one source that I found.";
const SOURCE = { title: "Release notes", url: "https://source.example/release-notes" };

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** The model begins after a while, and may say something before it calls. */
function call(afterMs: number, name: string, args: object, words?: string): CompletionScript {
  return async (reply) => {
    await pause(afterMs);
    if (words !== undefined) reply.text(words);
    reply.toolCall(name, { ...args });
    reply.finish();
  };
}

function answer(afterMs: number, text: string): CompletionScript {
  return async (reply) => {
    await pause(afterMs);
    for (const word of text.split(/(?<= )/)) {
      reply.text(word);
      await pause(30);
    }
    reply.finish();
  };
}

const TURNS: CompletionScript[][] = [
  [
    call(420, "notes_search", { query: "saying no" }, "I will look in the notes."),
    call(1_150, "skill_run", { skill: "text-tools", script: "word_cloud.py", input: '{"text":"no"}' }),
    call(380, "web_search", { query: "veto events, what is new" }),
    call(460, "notes_get_chapter", { series: "events", chapter: "saying-never" }),
    answer(520, ANSWER),
  ],
  [call(350, "session_rename", { title: "Saying no" }), answer(300, "It is called *Saying no* now.")],
];

/** Nearly four seconds, most of them before the first word. */
const slowSearch: Answer = async (response) => {
  const events = responsesStream(["Veto events are ", "stable since the last release."], [SOURCE]).split(/(?<=\n\n)/);
  openStream(response);
  for (const event of events) {
    await pause(event.includes("searching") ? 1_400 : 320);
    response.write(event);
  }
  response.end();
};

async function record(): Promise<MadeSession> {
  const home = mkdtempSync(join(tmpdir(), "xray-record-"));
  const paths = pathsOf({ XRAY_HOME: home });
  const search = await rudeServer(slowSearch);
  let runner: ProcessRecord | undefined;
  const started = await startRunner(paths, {
    signal: new AbortController().signal,
    onProcess: (process) => (runner = process),
  });
  if ("absent" in started) throw new Error(started.absent);
  const site = await startMcpSite({
    env: {
      XRAY_SKILL_RUNNER_URL: started.url,
      XRAY_UNLOCK_DANGEROUS_TOOLS: "1",
      XRAY_WEBSEARCH_EXTRA_HOSTS: new URL(search.origin).host,
    },
  });
  try {
    const provider = { provider: "search", modelId: "search-1", apiKey: "key-of-the-recording", makeDefault: true };
    await site.mcp.ok("websearch_provider_upsert", { ...provider, baseUrl: search.origin });
    const db = openDatabase(site.database.appUrl);
    const log = () => {};
    await seed({ db, log });
    await seedSkills({ db, log, root: paths.root, ledger: paths.skills, repo: "owner/repo" });
    await openSkills({ db, log, ledger: paths.skills });
    await db.close();
    await site.sql("UPDATE tool_config SET enabled = TRUE");

    const visitor = site.visitor();
    let id: string | undefined;
    for (const [turn, scripts] of TURNS.entries()) {
      for (const script of scripts) site.model.next(script);
      const frames = await (await visitor.ask(QUESTIONS[turn]!, id)).rest();
      id ??= frames[0]!.data.sessionId as string;
    }
    const trace = await visitor.trace(id!);
    const frames = await trace.until("ready");
    trace.leave();
    return {
      messages: (await visitor.json(`/agent/sessions/${id}`)).body.messages,
      rows: frames.filter(({ event }) => event === "trace").map(({ data }) => data),
    };
  } finally {
    await stopProcess(runner!, "SIGTERM", 5_000);
    await site.stop();
    await search.close();
    for (const folder of [home, paths.cluster]) rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const { messages, rows } = await record();
  const list = (items: readonly object[]) => items.map((item) => `    ${JSON.stringify(item)}`).join(",\n");
  mkdirSync(new URL("../fixtures", import.meta.url), { recursive: true });
  writeFileSync(
    new URL("../fixtures/panel-session.json", import.meta.url),
    `{\n  "messages": [\n${list(messages)}\n  ],\n  "rows": [\n${list(rows)}\n  ]\n}\n`,
  );
  process.exit(0);
}
