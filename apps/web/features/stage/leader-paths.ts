/** Where the leader lines run. Pure: rectangles in, one path a link out, in the order of the chat. */

export interface LeaderEnd {
  link: string;
  /** Middle of the line that the leader points at, in the coordinates of the scrolled content. */
  y: number;
  tone: LeaderTone;
}
export type LeaderTone = "linked" | "danger" | "live";

export interface Leader {
  link: string;
  tone: LeaderTone;
  /** Corners from the chat to the row. */
  from: { x: number; y: number };
  to: { x: number; y: number };
  path: string;
}

const SPINE_PX = 40;
/** How far the line reaches into the chat's own margin. */
const REACH_PX = 8;
const LANES_PX = [11, 16, 21, 26, 31] as const;

/**
 * Joins each end in the chat to the row of the same link. `panelX` is the panel's left edge. Neighbouring lines take
 * different lanes of the spine, so that two of them never lie on each other; a level pair is one straight line.
 */
export function leaderPaths(chat: readonly LeaderEnd[], rows: readonly LeaderEnd[], panelX: number): Leader[] {
  const rowOf = new Map(rows.map((row) => [row.link, row]));
  const leaders: Leader[] = [];
  let lane = 0;
  for (const end of chat) {
    const row = rowOf.get(end.link);
    if (row === undefined) continue;
    const from = { x: panelX - SPINE_PX - REACH_PX, y: crisp(end.y) };
    const to = { x: panelX, y: crisp(row.y) };
    const level = Math.abs(from.y - to.y) < 2;
    const turnX = panelX - SPINE_PX + LANES_PX[lane % LANES_PX.length]! + 0.5;
    if (!level) lane += 1;
    const path = level ? `M${from.x} ${from.y}H${to.x}` : `M${from.x} ${from.y}H${turnX}V${to.y}H${to.x}`;
    leaders.push({
      link: end.link,
      tone: strongest(end.tone, row.tone),
      from,
      to: level ? { ...to, y: from.y } : to,
      path,
    });
  }
  return leaders;
}

/** A hairline is sharp when it runs through the middle of a pixel. */
const crisp = (y: number): number => Math.round(y) + 0.5;

function strongest(a: LeaderTone, b: LeaderTone): LeaderTone {
  if (a === "danger" || b === "danger") return "danger";
  return a === "live" || b === "live" ? "live" : "linked";
}
