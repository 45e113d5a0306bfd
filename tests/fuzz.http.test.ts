/**
 * The API attacked by its own description. Whatever the document allows is answered as the document says; whatever it
 * does not allow is refused with a code of the closed table and leaves every table as it was.
 */
import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from "bun:test";
import { seed } from "../cli/seed.mts";
import { type Database, openDatabase } from "../apps/api/database/pool";
import { putAsset } from "../apps/api/stores/notes-assets";
import { upsertSkillCategory } from "../apps/api/stores/skill-categories-admin";
import { upsertSkill } from "../apps/api/stores/skills-admin";
import { CONTRACTS_BY_NAME } from "../shared/contracts/index";
import { answerFaults, type ReceivedAnswer } from "./support/answer-judge.mts";
import { operationsOf, type PlacedOperation, readDocument } from "./support/api-document.mts";
import { random } from "./support/random.mts";
import { PICTURES } from "./support/pictures.mts";
import { type GeneratedRequest, RequestGenerator } from "./support/request-generator.mts";
import { type Site, START_MS, startSite } from "./support/site.mts";
import { publish, shaOf } from "./support/source.mts";
import type { Visitor } from "./support/visitor.mts";

const VALID_EACH = 30;
const INVALID_EACH = 8;

setDefaultTimeout(START_MS);
const document = readDocument();
// What deletes comes last, so that the others find something.
const operations = operationsOf(document)
  .sort((a, b) => Number(a.method === "DELETE") - Number(b.method === "DELETE"))
  .map((operation) => [operation.operationId, operation] as const);
const chance = random();
const ids: string[] = [];
const known: Record<string, string[]> = { id: ids, sessionId: ids, prompt: ["Hello", "你好"], after: ["0.0", "0.1"] };
const cookies: string[] = [];
const generator = new RequestGenerator(document, chance, {
  known,
  cookies,
  bodyBytes: ({ operationId }) => CONTRACTS_BY_NAME.get(operationId)!.bodyBytes!,
});

let site: Site;
let visitor: Visitor;
beforeAll(async () => {
  // Trace streams say goodbye soon, and events are stored at once.
  site = await startSite({ limits: { traceConnectionMs: 30, traceFlushMs: 10 } });
  const db = openDatabase(site.database.appUrl);
  await Promise.all([
    seed({ db, log: () => {} }),
    publish(db, shaOf("a"), { "README.md": "# Read\n", "src/a.ts": "read" }),
    publishSkill(db),
  ]);
  const [{ category, series, chapter }] = await site.sql(
    "SELECT category_slug AS category, series_slug AS series, c.slug AS chapter FROM notes_chapters c JOIN notes_series s ON s.slug = series_slug LIMIT 1",
  );
  const contentType = "image/png";
  await putAsset(db, { seriesSlug: series, name: "dot.png", contentType, bytes: PICTURES.png });
  await db.close();
  visitor = site.visitor();
  const other = site.visitor();
  for (const owner of [visitor, visitor, visitor, other]) {
    const [frame] = await (await owner.ask("Hello")).rest();
    ids.push(frame!.data.sessionId, frame!.data.sessionId.toUpperCase());
  }
  Object.assign(known, { slug: [series], chapter: [chapter], path: ["README.md", "src/a.ts"], prefix: ["", "src/"] });
  Object.assign(known, { series: [series], "noteAsset.file": ["dot.png"], "categoryRss.file": [`${category}.xml`] });
  Object.assign(known, { "skill.name": ["words"], "skillZip.file": ["words.zip"] });
  const [image] = await site.sql(
    `INSERT INTO generated_images (id, session_id, content_type, bytes, byte_size, etag)
     VALUES (gen_random_uuid(), $1, 'image/png', $2, $3, 'tag') RETURNING id`,
    [ids[0], PICTURES.png, PICTURES.png.length],
  );
  known["image.file"] = [`${image.id}.png`];
  cookies.push(...Array<string>(6).fill(visitor.cookie!), other.cookie!, "");
  cookies.push("xr_visitor=", "xr_visitor=short", `xr_visitor=${"A".repeat(43)}`, `a=b; ${visitor.cookie}; c`, ";;=;");
}, START_MS);
afterAll(() => site.stop());

async function publishSkill(db: Database): Promise<void> {
  await upsertSkillCategory(db, { slug: "text", name: "Text", dot: "#ff0000", sortOrder: 1 });
  await upsertSkill(db, {
    name: "words",
    categorySlug: "text",
    summary: "Counts words.",
    sourceType: "own",
    repo: "owner/skills",
    files: [{ path: "SKILL.md", content: "---\nname: words\n---\n# Words\n" }],
  });
}

async function send({ method, path, headers, body }: GeneratedRequest, to = site): Promise<ReceivedAnswer> {
  const response = await fetch(to.app.url + path, { method, headers, body, redirect: "manual" });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Every row of every table, once each turn so far has stored its last event. */
async function settledDump(): Promise<string[]> {
  for (;;) {
    const dump = await site.dump();
    const turns = dump.filter((line) => line.startsWith("messages ") && line.includes('"role": "assistant"'));
    const ends = dump.filter((line) => line.includes('"event_type": "agent_settled"'));
    if (turns.length === ends.length) return dump;
    await Bun.sleep(20);
  }
}

function validFaults(operation: PlacedOperation, answer: ReceivedAnswer): string[] {
  const isCalledInvalid = answer.status === 400 || answer.status === 413;
  return [...answerFaults(document, operation, answer), ...(isCalledInvalid ? ["it was called invalid"] : [])];
}

function expectNoFaults(request: GeneratedRequest, answer: ReceivedAnswer, faults: string[]): void {
  const told = { seed: chance.seed, request, answer: faults.length === 0 ? "" : `${answer.status} ${answer.text}` };
  expect({ ...told, faults }).toEqual({ ...told, faults: [] });
}

describe("a valid request is answered as described", () => {
  it.each(operations)("%s", async (_name, operation) => {
    const statuses = new Set<number>();
    for (let round = 0; round < VALID_EACH; round++) {
      const request = generator.valid(operation);
      const answer = await send(request);
      statuses.add(answer.status);
      expectNoFaults(request, answer, validFaults(operation, answer));
    }
    expect([...statuses].some((status) => status < 300)).toBe(true);
  });
});

describe("an invalid request is refused and changes nothing", () => {
  it.each(
    operations.flatMap(([name, operation]) =>
      generator.faultsOf(operation).map((fault) => [name, fault, operation] as const),
    ),
  )("%s: %s", async (_name, fault, operation: PlacedOperation) => {
    const before = await settledDump();
    for (let round = 0; round < INVALID_EACH; round++) {
      const request = generator.invalid(operation, fault);
      const answer = await send(request);
      const faults = answerFaults(document, operation, answer);
      if (answer.status !== (fault === "size" ? 413 : 400)) faults.push("it was not called invalid");
      expectNoFaults(request, answer, faults);
      expect(await site.dump()).toEqual(before);
    }
  });
});

it("refuses every valid question without a model, as described, and keeps nothing of it", async () => {
  const bare = await startSite({ provider: null });
  try {
    const operation = operations.find(([name]) => name === "ask")![1];
    const before = await bare.dump();
    const statuses = new Set<number>();
    for (let round = 0; round < VALID_EACH; round++) {
      const request = generator.valid(operation);
      const answer = await send(request, bare);
      statuses.add(answer.status);
      expectNoFaults(request, answer, validFaults(operation, answer));
      expect(await bare.dump()).toEqual(before);
    }
    // Nobody's session is known here, so a question names an unknown one or asks for a new one.
    expect([...statuses].sort()).toEqual([404, 503]);
  } finally {
    await bare.stop();
  }
});

it("leaves no error behind", () => {
  expect(
    site.app
      .log()
      .split("\n")
      .filter((line) => line.includes('"level":"error"')),
  ).toEqual([]);
});
