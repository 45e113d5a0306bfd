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
/** The part of the spine in which lines run up and down, and how far apart they are where there is room. */
const LANES_PX = { from: 11, to: 31, apart: 5 } as const;

/**
 * Joins each end in the chat to the row of the same link. `panelX` is the panel's left edge. Lines that pass each other
 * take different lanes of the spine, in the order in which none of them has to cross another: going down, the earlier
 * line turns further right; going up, further left. A level pair is one straight line.
 */
export function leaderPaths(chat: readonly LeaderEnd[], rows: readonly LeaderEnd[], panelX: number): Leader[] {
  const rowOf = new Map(rows.map((row) => [row.link, row]));
  const leaders: Leader[] = [];
  for (const end of chat) {
    const row = rowOf.get(end.link);
    if (row === undefined) continue;
    const from = { x: panelX - SPINE_PX - REACH_PX, y: crisp(end.y) };
    const to = { x: panelX, y: crisp(row.y) };
    const level = Math.abs(from.y - to.y) < 2;
    const { link } = end;
    leaders.push({ link, tone: strongest(end.tone, row.tone), from, to: level ? { ...to, y: from.y } : to, path: "" });
  }
  for (const group of passing(leaders)) {
    const apart = Math.min(LANES_PX.apart, (LANES_PX.to - LANES_PX.from) / Math.max(1, group.length - 1));
    for (const [index, leader] of group.entries()) {
      const { from, to } = leader;
      const lane = to.y > from.y ? LANES_PX.to - index * apart : LANES_PX.from + index * apart;
      const turnX = panelX - SPINE_PX + crisp(lane);
      leader.path = from.y === to.y ? `M${from.x} ${from.y}H${to.x}` : `M${from.x} ${from.y}H${turnX}V${to.y}H${to.x}`;
    }
  }
  return leaders;
}

/** Neighbours of one direction, as long as the next begins before an earlier one has ended. */
function passing(leaders: readonly Leader[]): Leader[][] {
  const groups: Leader[][] = [];
  let lowest = Number.NEGATIVE_INFINITY;
  for (const leader of leaders) {
    const group = groups.at(-1);
    const [top, bottom] = [Math.min(leader.from.y, leader.to.y), Math.max(leader.from.y, leader.to.y)];
    const joins = group !== undefined && directionOf(group[0]!) === directionOf(leader) && top <= lowest;
    if (joins) group.push(leader);
    else groups.push([leader]);
    lowest = joins ? Math.max(lowest, bottom) : bottom;
  }
  return groups;
}

const directionOf = ({ from, to }: Leader): number => Math.sign(to.y - from.y);

/** A hairline is sharp when it runs through the middle of a pixel. */
const crisp = (px: number): number => Math.floor(px) + 0.5;

function strongest(a: LeaderTone, b: LeaderTone): LeaderTone {
  if (a === "danger" || b === "danger") return "danger";
  return a === "live" || b === "live" ? "live" : "linked";
}
