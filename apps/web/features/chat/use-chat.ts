/**
 * One conversation, live: opens a session, sends a message, follows the answer, and joins it again when the connection
 * breaks or the page is loaded in the middle of it. The turn belongs to the server: leaving a session only stops
 * reading. At most one stream is read at a time, and none while the page is hidden. What another page of the visitor did
 * in the session is seen as soon as this one is shown or hears of it.
 */
"use client";
import { useCallback, useEffect, useRef, useState } from "react";
import { LIMITS } from "../../../../shared/limits";
import { ask, cancelTurn, type Result, readSession, resume } from "./agent-api";
import { readAskFrames } from "./ask-frames";
import {
  type ChatState,
  EMPTY_CHAT,
  hasNews,
  isRunning,
  lacksTurns,
  type Refusal,
  type RefusalCode,
  resumeAfter,
} from "./chat-model";
import { whenHidden, whenShown } from "./page-shown";
import { reduceChat } from "./reduce";

export interface Chat {
  state: ChatState;
  /** A stored session that is not open yet, or why it cannot be opened; null otherwise. */
  opening: { sessionId: string; problem: RefusalCode | null } | null;
  stopping: boolean;
  /** Resolves when the message was taken (null) or not (why). */
  send(prompt: string): Promise<Refusal | null>;
  stop(): void;
  open(sessionId: string): void;
  clear(): void;
}

/** `onChange`: something the session list shows may have changed. */
export function useChat(onChange: () => void): Chat {
  const [state, dispatch, current] = useLatestReducer();
  const [opening, setOpening] = useState<Chat["opening"]>(null);
  const [stopping, setStopping] = useState(false);
  const reading = useRef<AbortController | null>(null);
  const stopWanted = useRef(false);

  /** Ends what is being read and hands out the signal for what comes next. */
  const begin = useCallback(() => {
    reading.current?.abort();
    reading.current = new AbortController();
    stopWanted.current = false;
    setStopping(false);
    return reading.current.signal;
  }, []);

  const stopNow = useCallback(async () => {
    const { sessionId } = current();
    if (sessionId === null) return;
    stopWanted.current = false;
    const result = await cancelTurn(sessionId);
    if (!result.ok) setStopping(false);
  }, [current]);

  /** The running turn's stream; null when there is none to read now. */
  const rejoin = useCallback(
    async (sessionId: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array> | null> => {
      const stream = await orAborted(resume(sessionId, resumeAfter(current()), signal));
      if (signal.aborted) return null;
      if (stream.ok && stream.value !== null) {
        dispatch({ type: "rejoined" });
        return stream.value;
      }
      if (stream.ok || stream.code === "not_found") {
        const view = await orAborted(readSession(sessionId, signal));
        if (signal.aborted) return null;
        if (view.ok) dispatch({ type: "opened", view: view.value, nowMs: Date.now() });
        else if (view.code === "not_found") {
          dispatch({ type: "cleared" });
          setOpening({ sessionId, problem: "not_found" });
        }
      }
      return null;
    },
    [current, dispatch],
  );

  const follow = useCallback(
    async (first: ReadableStream<Uint8Array> | null, signal: AbortSignal) => {
      let body = first;
      let attempt = 0;
      while (!signal.aborted) {
        if (body !== null) {
          const hidden = whenHidden();
          try {
            const joinable = current().sessionId !== null;
            const patience = { silenceMs: LIMITS.streamSilenceMs, leave: hidden.signal, joinable };
            for await (const frame of readAskFrames(body, patience)) {
              if (signal.aborted) return;
              dispatch({ type: "frame", frame });
              attempt = 0;
              if (frame.event === "session") onChange();
              if (stopWanted.current) void stopNow();
            }
          } catch {
            // A broken stream and one that ended too soon are the same: the turn still runs, or has ended unseen.
          } finally {
            hidden.forget();
          }
          if (signal.aborted) return;
          if (isRunning(current()) && !hidden.signal.aborted) dispatch({ type: "cut" });
        }
        const { sessionId } = current();
        if (!isRunning(current())) break;
        if (sessionId === null) {
          // Cut before the server said which session it opened: nothing to join.
          dispatch({ type: "lost" });
          break;
        }
        if (attempt > 0) {
          await pause(Math.min(LIMITS.reconnectMinMs * 2 ** (attempt - 1), LIMITS.reconnectMaxMs), signal);
        }
        attempt += 1;
        await whenShown(signal);
        if (signal.aborted) return;
        body = await rejoin(sessionId, signal);
      }
      if (signal.aborted) return;
      setStopping(false);
      onChange();
    },
    [current, dispatch, onChange, rejoin, stopNow],
  );

  /** Reads the open session again, and shows it if another page has asked in it meanwhile. */
  const catchUp = useCallback(async () => {
    const { sessionId } = current();
    if (sessionId === null || isRunning(current())) return;
    const signal = begin();
    const view = await orAborted(readSession(sessionId, signal));
    if (signal.aborted || !view.ok || !hasNews(current(), view.value)) return;
    dispatch({ type: "opened", view: view.value, nowMs: Date.now() });
    await follow(null, signal);
  }, [begin, current, dispatch, follow]);

  const open = useCallback(
    async (sessionId: string) => {
      const signal = begin();
      dispatch({ type: "cleared" });
      setOpening({ sessionId, problem: null });
      const view = await orAborted(readSession(sessionId, signal));
      if (signal.aborted) return;
      setOpening(view.ok ? null : { sessionId, problem: view.code });
      if (!view.ok) return;
      dispatch({ type: "opened", view: view.value, nowMs: Date.now() });
      await follow(null, signal);
    },
    [begin, dispatch, follow],
  );

  const send = useCallback(
    async (prompt: string): Promise<Refusal | null> => {
      if (isRunning(current())) return { code: "turn_running" };
      const signal = begin();
      setOpening(null);
      dispatch({ type: "asked", prompt, nowMs: Date.now() });
      const stream = await orAborted(ask(current().sessionId, prompt, signal));
      if (signal.aborted) return null;
      if (!stream.ok) {
        dispatch({ type: "refused" });
        if (stream.code === "turn_running") void catchUp();
        return { code: stream.code, minutes: stream.minutes };
      }
      // The answer to a question that came after another page's: that one is missing here.
      void follow(stream.value, signal).then(() => {
        if (!signal.aborted && lacksTurns(current())) void catchUp();
      });
      return null;
    },
    [begin, catchUp, current, dispatch, follow],
  );

  /** Before the first frame the server may not have begun the turn: then stopping waits for it. */
  const stop = useCallback(() => {
    if (!isRunning(current())) return;
    setStopping(true);
    stopWanted.current = true;
    if (current().turns.at(-1)?.turnSeq !== null) void stopNow();
  }, [current, stopNow]);

  const clear = useCallback(() => {
    begin();
    setOpening(null);
    dispatch({ type: "cleared" });
  }, [begin, dispatch]);

  useEffect(() => () => reading.current?.abort(), []);

  useEffect(() => {
    const look = () => document.visibilityState === "visible" && void catchUp();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [catchUp]);

  return { state, opening, stopping, send, stop, open, clear };
}

/** A reducer whose newest state can be read between renders, which a stream needs: frames come faster than renders. */
function useLatestReducer() {
  const [state, setState] = useState<ChatState>(EMPTY_CHAT);
  const latest = useRef(EMPTY_CHAT);
  const dispatch = useCallback((action: Parameters<typeof reduceChat>[1]) => {
    latest.current = reduceChat(latest.current, action);
    setState(latest.current);
  }, []);
  const current = useCallback(() => latest.current, []);
  return [state, dispatch, current] as const;
}

/** A call that was aborted has nobody left to tell; its caller looks at the signal. */
async function orAborted<T>(result: Promise<Result<T>>): Promise<Result<T>> {
  return result.catch(() => ({ ok: false, code: "unreachable" }));
}

/** Waits, but not longer than until the network or the visitor comes back. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      document.removeEventListener("visibilitychange", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener("online", done);
    document.addEventListener("visibilitychange", done);
    signal.addEventListener("abort", done);
  });
}
