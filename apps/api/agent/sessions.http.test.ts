/** Visitors and their sessions over real HTTP (§6): identity, ownership, and what never leaves. */
import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { randomUUID } from "node:crypto";
import { LIMITS } from "../../../shared/limits";
import { say } from "../../../tests/support/openai-server.mts";
import { START_MS, type Site, startSite } from "../../../tests/support/site.mts";
import type { Visitor } from "../../../tests/support/visitor.mts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
}, START_MS);
afterAll(() => site.stop());

async function sessionOf(visitor: Visitor, prompt = "Hello"): Promise<string> {
  return (await (await visitor.ask(prompt)).rest())[0]!.data.sessionId;
}

describe("the cookie", () => {
  it("is not issued by looking around", async () => {
    const visitor = site.visitor();
    const before = await site.dump();
    for (const path of [
      "/health",
      "/site/status",
      "/notes/series",
      "/agent/sessions",
      `/agent/sessions/${randomUUID()}`,
    ]) {
      expect((await visitor.request(path)).headers.get("set-cookie"), path).toBeNull();
    }
    expect(await site.dump()).toEqual(before);
  });

  it.each([
    ["http://localhost:3000", ""],
    ["https://xray.example", "; Secure"],
  ])(
    "on a site at %s has its attributes, whatever protocol a header claims",
    async (origin, secure) => {
      const own = await startSite({ env: { SITE_ORIGIN: origin } });
      try {
        for (const proto of ["http", "https"]) {
          const { headers } = await own.visitor().post("/agent/sessions", {}, { "x-forwarded-proto": proto });
          expect(headers.get("set-cookie")).toMatch(
            new RegExp(`^xr_visitor=[A-Za-z0-9_-]{43}; Path=/; Max-Age=86400; HttpOnly; SameSite=Lax${secure}$`),
          );
        }
      } finally {
        await own.stop();
      }
    },
    START_MS,
  );

  it("is sent again by every use, also with a refusal, and each use moves the expiry 24 hours ahead", async () => {
    const visitor = site.visitor();
    await visitor.post("/agent/sessions", {});
    const cookie = visitor.cookie!;
    const soon =
      "UPDATE visitors SET expires_at = now() + interval '1 minute' WHERE id = (SELECT id FROM visitors ORDER BY created_at DESC LIMIT 1)";
    const uses: [string, RequestInit, number][] = [
      ["/agent/sessions", {}, 200],
      [`/agent/sessions/${randomUUID()}`, {}, 404],
      [`/agent/sessions/${randomUUID()}/cancel`, { method: "POST" }, 404],
    ];
    for (const [path, init, status] of uses) {
      await site.sql(soon);
      const response = await visitor.request(path, init);
      expect(response.status).toBe(status);
      expect(response.headers.get("set-cookie")).toStartWith(`${cookie}; `);
      const [row] = await site.sql(
        "SELECT expires_at > now() + interval '23 hours 59 minutes' AS renewed FROM visitors ORDER BY created_at DESC LIMIT 1",
      );
      expect(row.renewed).toBe(true);
    }
  });

  it("that has expired is not adopted though the browser still sends it; the visitor gets a new identity", async () => {
    const visitor = site.visitor();
    const id = await sessionOf(visitor);
    const old = visitor.cookie!;
    await site.sql(
      "UPDATE visitors SET expires_at = now() - interval '1 second' WHERE id = (SELECT visitor_id FROM sessions WHERE id = $1)",
      [id],
    );
    expect((await visitor.json("/agent/sessions")).body).toEqual({ sessions: [] });
    expect((await visitor.json(`/agent/sessions/${id}`)).status).toBe(404);
    const next = await sessionOf(visitor);
    expect(visitor.cookie).not.toBe(old);
    expect((await visitor.json("/agent/sessions")).body.sessions.map((session: { id: string }) => session.id)).toEqual([
      next,
    ]);
  });

  it("is stored as its hash only", async () => {
    const visitor = site.visitor();
    await sessionOf(visitor);
    const token = visitor.cookie!.slice("xr_visitor=".length);
    const dump = (await site.dump()).join("\n");
    expect(dump).not.toContain(token);
    expect(dump).toContain(new Bun.CryptoHasher("sha256").update(token).digest("hex"));
  });
});

describe("somebody else's session", () => {
  it.each<[string, string, RequestInit]>([
    ["read", "/agent/sessions/:id", {}],
    ["joined", "/agent/sessions/:id/stream", {}],
    ["stopped", "/agent/sessions/:id/cancel", { method: "POST" }],
    ["deleted", "/agent/sessions/:id", { method: "DELETE" }],
    ["watched", "/trace/stream?sessionId=:id&clientId=c", {}],
  ])("can not be %s, and the answer is that for an unknown id, byte for byte", async (_case, path, init) => {
    const owner = site.visitor();
    const id = await sessionOf(owner);
    const other = site.visitor();
    await sessionOf(other);
    const answers = await Promise.all(
      [id, randomUUID()].map(async (target) => {
        const response = await other.request(path.replace(":id", target), init);
        const headers = [...response.headers].filter(([name]) => !/^(date|x-encore-trace-id)$/.test(name));
        return { status: response.status, headers, body: await response.text() };
      }),
    );
    expect(answers[0]!.status).toBe(404);
    expect(answers[0]!.body).toBe('{"error":"There is nothing here.","code":"not_found"}');
    expect(answers[0]).toEqual(answers[1]!);
    expect((await owner.json(`/agent/sessions/${id}`)).body.messages).toHaveLength(2);
  });

  it("is not in the list; one without an owner is in nobody's", async () => {
    const [owner, other] = [site.visitor(), site.visitor()];
    const [mine, theirs] = [await sessionOf(owner), await sessionOf(other)];
    const [{ id: ownerless }] = await site.sql("INSERT INTO sessions (visitor_id) VALUES (NULL) RETURNING id");
    const ids = async (visitor: Visitor) =>
      (await visitor.json("/agent/sessions")).body.sessions.map((session: { id: string }) => session.id);
    expect(await ids(owner)).toEqual([mine]);
    expect(await ids(other)).toEqual([theirs]);
    expect((await owner.json(`/agent/sessions/${ownerless}`)).status).toBe(404);
  });
});

describe("a visitor's sessions", () => {
  it("are created empty, and one without a turn is used again", async () => {
    const visitor = site.visitor();
    const first = (await visitor.post("/agent/sessions", {})).body.session;
    expect(first).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      title: "",
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      lastActiveAt: first.createdAt,
      totalTokens: 0,
    });
    expect((await visitor.post("/agent/sessions", {})).body.session).toEqual(first);
    await (await visitor.ask("Now it has a turn", first.id)).rest();
    expect((await visitor.post("/agent/sessions", {})).body.session.id).not.toBe(first.id);
  });

  it("are listed with the last used first, as many as asked for", async () => {
    const visitor = site.visitor();
    const first = await sessionOf(visitor, "First");
    const second = await sessionOf(visitor, "Second");
    await (await visitor.ask("Once more", first)).rest();
    const titles = async (query: string) =>
      (await visitor.json(`/agent/sessions${query}`)).body.sessions.map((session: { title: string }) => session.title);
    expect(await titles("")).toEqual(["First", "Second"]);
    expect(await titles("?limit=1")).toEqual(["First"]);
    expect(second).not.toBe(first);
  });

  it("show exactly the fields of the contract", async () => {
    const visitor = site.visitor();
    site.model.next(say("Reply."));
    const id = await sessionOf(visitor, "Question");
    const { body, headers } = await visitor.json(`/agent/sessions/${id}`);
    expect(body).toEqual({
      session: {
        id,
        title: "Question",
        createdAt: expect.any(String),
        lastActiveAt: expect.any(String),
        totalTokens: 30,
      },
      messages: [
        { seq: 0, role: "user", content: "Question", createdAt: expect.any(String) },
        { seq: 1, role: "assistant", content: "Reply.", createdAt: expect.any(String), outcome: "completed" },
      ],
      ctxPercent: expect.any(Number),
    });
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("leave ctxPercent out when the session is not in memory", async () => {
    const visitor = site.visitor();
    const { body } = await visitor.post("/agent/sessions", {});
    expect((await visitor.json(`/agent/sessions/${body.session.id}`)).body).not.toHaveProperty("ctxPercent");
  });

  it("stop growing when too many have no turn: rate_limited, with a time to come back, and nothing is kept", async () => {
    const visitor = site.visitor();
    const { body } = await visitor.post("/agent/sessions", {});
    await site.sql(
      `INSERT INTO sessions (visitor_id) SELECT visitor_id FROM sessions, generate_series(2, ${LIMITS.emptySessionsPerVisitor}) WHERE id = $1`,
      [body.session.id],
    );
    const before = await site.dump();
    const { status, body: refusal, headers } = await visitor.post("/agent/ask", { prompt: "One more" });
    expect([status, refusal.code, headers.get("retry-after")]).toEqual([429, "rate_limited", "60"]);
    // Holding a slot may make an idle session leave memory, which is an event of that session.
    const withoutTrace = (dump: string[]) => dump.filter((line) => !line.startsWith("trace_events"));
    expect(withoutTrace(await site.dump())).toEqual(withoutTrace(before));
  });
});

describe("a failure between the claim and the turn", () => {
  it("takes back what was written, frees the slot and says one fixed sentence", async () => {
    const visitor = site.visitor();
    const id = await sessionOf(visitor);
    const fresh = (await visitor.post("/agent/sessions", {})).body.session.id;
    // Building a session in memory reads where its trace ends; now it may not.
    await site.sql("REVOKE SELECT ON trace_events FROM visitor_rw");
    const before = await site.dump();
    try {
      for (const sessionId of [undefined, fresh]) {
        const { status, body } = await visitor.post("/agent/ask", { prompt: "Will fail", sessionId });
        expect([status, body]).toEqual([500, { error: "Something went wrong on our side.", code: "internal" }]);
      }
      expect((await site.dump()).filter((line) => line.startsWith("messages"))).toEqual(
        before.filter((line) => line.startsWith("messages")),
      );
      expect(
        (await visitor.json("/agent/sessions")).body.sessions.map((session: { id: string }) => session.id).sort(),
      ).toEqual([id, fresh].sort());
    } finally {
      await site.sql("GRANT SELECT ON trace_events TO visitor_rw");
    }
    expect((await (await visitor.ask("Works again", fresh)).rest()).at(-1)!.event).toBe("done");
    expect((await visitor.json(`/agent/sessions/${fresh}`)).body.session.title).toBe("Works again");
    expect(await site.app.logged("An endpoint failed.")).not.toContain("Will fail");
  });
});

describe("a switch in the configuration", () => {
  it("takes effect at the next turn, in a session that is in memory", async () => {
    const visitor = site.visitor();
    const id = await sessionOf(visitor, "With search");
    const toolNames = () =>
      site.model.requests.at(-1)!.body.tools.map((tool: { function: { name: string } }) => tool.function.name);
    expect(toolNames()).toContain("notes_search");
    await site.sql("UPDATE tool_config SET enabled = FALSE WHERE name = 'notes_search'");
    try {
      await (await visitor.ask("Without search", id)).rest();
      expect(toolNames()).not.toContain("notes_search");
      expect(JSON.stringify(site.model.requests.at(-1)!.body.messages)).toContain("With search");
    } finally {
      await site.sql("UPDATE tool_config SET enabled = TRUE WHERE name = 'notes_search'");
    }
  });
});
