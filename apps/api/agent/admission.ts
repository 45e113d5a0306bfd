/**
 * Who may start a session or a turn now, by what the visitor and the visitor's network have done before (architecture
 * §14, Rate limit). Counted in memory; the limits are the owner's and never fail open: while they cannot be read, the
 * last known ones hold, at first the defaults. A visitor who is not known yet counts as the network alone.
 */
import type { IncomingHttpHeaders } from "node:http";
import { networkKey, visitorKey } from "../lib/caller-key";
import { log } from "../lib/log";
import { RateLimit, type Share } from "../lib/rate-limit";
import { Refusal } from "../lib/refusal";
import { Seats } from "../lib/seats";
import { effectiveLimits, readVisitorLimits, type VisitorLimits } from "../stores/visitor-limits";
import { db, limits } from "./db";

/** Exactly one of the two ends it. */
export interface Admission {
  /** What was admitted did not take place: nothing has been counted. */
  withdraw(): void;
  /** What was admitted is over. */
  leave(): void;
}

interface Caller {
  headers: IncomingHttpHeaders;
  /** Null: not known yet. */
  visitorId: string | null;
}

const rates = new RateLimit(limits);
const seats = new Seats();

/** Admits the start of a session. Throws `rate_limited`. */
export async function admitSession(caller: Caller): Promise<void> {
  const who = namesOf(caller);
  take(sessionShares(who, await currentLimits()));
}

/** Admits a turn, and with it the session it may be the first of. Throws `rate_limited`, or `slots_full` to too many at once. */
export async function admitTurn(caller: Caller, opensSession: boolean): Promise<Admission> {
  const who = namesOf(caller);
  const allowed = await currentLimits();
  const leave = seats.take([
    ...(who.visitor === undefined ? [] : [{ who: who.visitor, most: allowed.visitorTurnsAtOnce }]),
    { who: who.network, most: allowed.networkTurnsAtOnce },
  ]);
  if (leave === undefined) throw new Refusal("slots_full");
  const shares = [...turnShares(who, allowed), ...(opensSession ? sessionShares(who, allowed) : [])];
  try {
    take(shares);
  } catch (error) {
    leave();
    throw error;
  }
  return {
    leave,
    withdraw() {
      leave();
      rates.giveBack(shares);
    },
  };
}

function take(shares: readonly Share[]): void {
  const waitMs = rates.take(shares);
  if (waitMs > 0) throw new Refusal("rate_limited", waitMs);
}

interface Names {
  network: string;
  visitor?: string;
}

function namesOf({ headers, visitorId }: Caller): Names {
  return { network: networkKey(headers), ...(visitorId !== null && { visitor: visitorKey(visitorId) }) };
}

function turnShares({ visitor, network }: Names, allowed: VisitorLimits): Share[] {
  return [
    ...(visitor === undefined ? [] : [{ kind: "visitor turn", who: visitor, perHour: allowed.visitorTurnsPerHour }]),
    { kind: "network turn", who: network, perHour: allowed.networkTurnsPerHour },
  ];
}

function sessionShares({ visitor, network }: Names, allowed: VisitorLimits): Share[] {
  return [
    ...(visitor === undefined
      ? []
      : [{ kind: "visitor session", who: visitor, perHour: allowed.visitorSessionsPerHour }]),
    { kind: "network session", who: network, perHour: allowed.networkSessionsPerHour },
  ];
}

let known: VisitorLimits = limits;
let readMs = Number.NEGATIVE_INFINITY;
let reading: Promise<void> | undefined;

/** Read again when they are older than `visitorLimitsAgeMs`, once for all who wait, so that a flood reads no rows. */
async function currentLimits(): Promise<VisitorLimits> {
  if (performance.now() - readMs >= limits.visitorLimitsAgeMs) {
    reading ??= readAgain().finally(() => {
      reading = undefined;
    });
    await reading;
  }
  return known;
}

async function readAgain(): Promise<void> {
  try {
    known = effectiveLimits(await readVisitorLimits(db), limits);
  } catch (error) {
    log.error("The limits of visitors could not be read; the last known ones hold.", error);
  }
  readMs = performance.now();
}
