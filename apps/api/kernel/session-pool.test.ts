/** Slots, cold starts and the way out, on the real kernel with a scripted model. */
import { describe, expect, test } from "bun:test";
import { fauxAssistantMessage as say, type FauxResponseStep } from "@earendil-works/pi-ai";
import {
  claimed,
  echo,
  framesOf,
  scriptedKernel,
  type ScriptedOptions,
  SESSION,
} from "../../../tests/support/scripted-kernel.mts";

const id = (n: number) => `5f0c1d3a-0000-4000-8000-${String(n).padStart(12, "0")}`;
const many = (answer: FauxResponseStep) => Array<FauxResponseStep>(50).fill(answer);
const kernelThatSays = (options: ScriptedOptions = {}) => scriptedKernel({ script: many(say("Yes.")), ...options });

describe("claims", () => {
  test("two claims in one tick: the second is refused and holds nothing", async () => {
    const { kernel, blueprint } = await kernelThatSays();
    const [first, second] = [kernel.claim(SESSION), kernel.claim(SESSION)];
    expect(second).toBe("turn_running");
    const turn = await claimed(first).run({
      turnSeq: 0,
      prompt: "hi",
      fingerprint: "one",
      blueprint: async () => blueprint(),
    });
    expect((await framesOf(turn)).at(-1)?.event).toBe("done");
    expect(typeof kernel.claim(SESSION)).toBe("object");
  });

  test("is used once", async () => {
    const { kernel } = await kernelThatSays();
    const claim = claimed(kernel.claim(SESSION));
    await claim.release();
    await expect(claim.release()).rejects.toThrow("used");
  });

  test("a claim that is given back without a turn leaves nothing", async () => {
    const { kernel } = await kernelThatSays({ limits: { activeSessions: 1 } });
    await claimed(kernel.claim(id(1))).release();
    expect(kernel.stats()).toEqual({ residentSessions: 0, runningTurns: 0 });
    expect(typeof kernel.claim(id(2))).toBe("object");
  });

  test("a session that cannot be built gives its slot back and says why", async () => {
    const { kernel, start } = await kernelThatSays({ limits: { activeSessions: 1 } });
    const claim = claimed(kernel.claim(id(1)));
    const failing = claim.run({
      turnSeq: 0,
      prompt: "hi",
      fingerprint: "one",
      blueprint: () => Promise.reject(new Error("no model")),
    });
    await expect(failing).rejects.toThrow("no model");
    expect((await framesOf(await start("hi", { sessionId: id(2) }))).at(-1)?.event).toBe("done");
  });

  test("the slot is free when the closing frame is read", async () => {
    const { kernel, start } = await kernelThatSays();
    for await (const frame of (await start("hi")).frames(-1)) {
      if (frame.event === "done") expect(typeof kernel.claim(SESSION)).toBe("object");
    }
  });
});

describe("capacity", () => {
  test("the oldest idle session gives way; when none is idle, the claim is refused", async () => {
    const { kernel, ask, clock } = await kernelThatSays({ limits: { activeSessions: 2 } });
    await ask("a", { sessionId: id(1) });
    clock.advance(1);
    await ask("b", { sessionId: id(2) });
    clock.advance(1);
    await ask("a", { sessionId: id(1) });
    const third = claimed(kernel.claim(id(3)));
    expect(kernel.contextPercent(id(1))).toBeNumber();
    expect(kernel.contextPercent(id(2))).toBeUndefined();
    const fourth = claimed(kernel.claim(id(4)));
    expect(kernel.claim(id(5))).toBe("slots_full");
    await third.release();
    expect(typeof kernel.claim(id(5))).toBe("object");
    await fourth.release();
  });

  test("a session idle for 15 minutes leaves with the next sweep, its rows stored; a busy one stays", async () => {
    const { kernel, ask, clock, stored } = await kernelThatSays();
    await ask("a", { sessionId: id(1) });
    clock.advance(14 * 60_000);
    await ask("b", { sessionId: id(2) });
    claimed(kernel.claim(id(3)));
    expect(kernel.stats().residentSessions).toBe(2);
    clock.advance(60_000);
    expect(kernel.stats().residentSessions).toBe(1);
    await kernel.drainTrace(id(1));
    expect(stored.rows.at(-1)?.eventType).toBe("session_shutdown");
    clock.advance(60 * 60_000);
    expect(kernel.claim(id(3))).toBe("turn_running");
  });

  test("a session still leaves after 15 idle minutes when the clock was set back by hours meanwhile", async () => {
    const { kernel, ask, clock } = await kernelThatSays();
    await ask("a", { sessionId: id(1) });
    clock.jump(-5 * 3_600_000);
    clock.advance(16 * 60_000);
    expect(kernel.stats().residentSessions).toBe(0);
  });

  test("cold starts are made one after another", async () => {
    const { kernel, blueprint } = await kernelThatSays();
    const log: string[] = [];
    const gates = [1, 2].map(() => Promise.withResolvers<void>());
    const turns = [1, 2].map((n) =>
      claimed(kernel.claim(id(n))).run({
        turnSeq: 0,
        prompt: "hi",
        fingerprint: "one",
        blueprint: async () => {
          log.push(`${n} begins`);
          await gates[n - 1]?.promise;
          log.push(`${n} ends`);
          return blueprint();
        },
      }),
    );
    gates[1]?.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(log).toEqual(["1 begins"]);
    gates[0]?.resolve();
    await Promise.all(turns);
    expect(log).toEqual(["1 begins", "1 ends", "2 begins", "2 ends"]);
  });
});

describe("rebuilding", () => {
  test("the same fingerprint keeps the session, another builds it anew with the tools of then", async () => {
    const toolsSeen: number[] = [];
    const answer: FauxResponseStep = (context) => {
      const added = context.messages.flatMap((message) =>
        message.role === "system" ? (message.toolsAdded ?? []) : [],
      );
      toolsSeen.push(added.length);
      return say("Yes.");
    };
    const { ask, kernel, stored } = await kernelThatSays({ script: many(answer) });
    await ask("a", { blueprint: { tools: [echo] } });
    await ask("b", { blueprint: { tools: [] } });
    await ask("c", { blueprint: { tools: [], fingerprint: "two" } });
    expect(toolsSeen).toEqual([1, 1, 0]);
    await kernel.drainTrace(SESSION);
    expect(stored.rows.filter(({ eventType }) => eventType === "session_start").length).toBe(2);
  });

  test("an earlier session's rows are stored before the next one's numbers are chosen", async () => {
    const gate = Promise.withResolvers<void>();
    let slow = false;
    const rows: number[] = [];
    const { kernel, ask, blueprint } = await kernelThatSays({
      sink: {
        async storeTraceRows(_id, batch) {
          if (slow) await gate.promise;
          rows.push(...batch.map(({ seq }) => seq));
        },
      },
    });
    await ask("a");
    await kernel.drainTrace(SESSION);
    slow = true;
    void claimed(kernel.claim(SESSION)).release({ dispose: true });
    const next = claimed(kernel.claim(SESSION)).run({
      turnSeq: 2,
      prompt: "b",
      fingerprint: "one",
      blueprint: async () => blueprint({ nextTraceSeq: rows.length }),
    });
    await new Promise((resolve) => setImmediate(resolve));
    gate.resolve();
    await framesOf(await next);
    await kernel.drainTrace(SESSION);
    expect(rows).toEqual(rows.map((_, i) => i));
  });

  test("a rebuilt session is told what was said before, once, and it is no event", async () => {
    let seen: unknown[] = [];
    const answer: FauxResponseStep = (context) => {
      seen = context.messages.filter(({ role }) => role !== "system").map(({ content }) => content);
      return say("Yes.");
    };
    const { ask, kernel, stored } = await kernelThatSays({ script: many(answer) });
    const history = [
      { role: "user", content: "my name is Ada" },
      { role: "assistant", content: "Hello Ada." },
    ] as const;
    await ask("who am I?", { blueprint: { history } });
    expect(seen.length).toBe(2);
    expect(JSON.stringify(seen[0])).toContain("my name is Ada");
    expect(JSON.stringify(seen[1])).toContain("who am I?");
    await kernel.drainTrace(SESSION);
    expect(JSON.stringify(stored.rows)).not.toContain("Ada");
  });

  test("a disposed session leaves memory and the bus, its rows stored", async () => {
    const { kernel, ask, stored } = await kernelThatSays();
    await ask("a");
    expect(kernel.traceBus.recent(SESSION).length).toBeGreaterThan(0);
    await claimed(kernel.claim(SESSION)).release({ dispose: true });
    expect(kernel.traceBus.recent(SESSION)).toEqual([]);
    expect(kernel.stats().residentSessions).toBe(0);
    expect(stored.rows.at(-1)?.eventType).toBe("session_shutdown");
  });

  test("a shutdown during a cold start starts no turn", async () => {
    const { kernel, blueprint, stored } = await kernelThatSays();
    const gate = Promise.withResolvers<void>();
    const starting = claimed(kernel.claim(SESSION)).run({
      turnSeq: 0,
      prompt: "hi",
      fingerprint: "one",
      blueprint: () => gate.promise.then(() => blueprint()),
    });
    await kernel.shutdown();
    gate.resolve();
    await expect(starting).rejects.toThrow("shutting down");
    expect(kernel.stats()).toEqual({ residentSessions: 0, runningTurns: 0 });
    expect(stored.turns).toEqual([]);
  });
});
