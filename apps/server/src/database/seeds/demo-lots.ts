import { endAfter, type RankedEntry, rankingOf } from "@herdwise/contract/bid-rules";
import { shanghaiClock, shanghaiDay, shanghaiMoment } from "@herdwise/contract/shanghai";
import { chained, type StoredEntry } from "../../modules/trade/index.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const stepFen = 5;
export const depositFenPerHead = 10_000;
const softCloseMinutes = 2;

/** An account with the tenant in which it acts. */
export interface Member {
  accountId: string;
  tenantId: string;
  /** Of the tenant, as its transfers say. */
  name: string;
}
export type Line = readonly [
  event: string,
  party: string,
  state: string,
  by: Member | undefined,
  atMs: number,
  words?: object,
];

/** What became of a lot, or how far it is. */
export type LotFate = "announced" | "open" | "waiting" | "paid" | "unpaid" | "failed" | "withdrawn";

interface SeededLot {
  plan: string;
  heads: number;
  reservePerKg: number;
  opensMs: number;
  /** As it is announced; whole minutes of the same day in Shanghai. */
  endsMs: number;
  fate: LotFate;
  /** Whoever wins, or leads, and then the others; nobody for a lot without a bid. */
  bidders: readonly Member[];
  bestPerKg: number;
}

/** How the rows of the demo are made. */
interface Seeding {
  nextId: () => string;
  now: number;
  clerk: Member;
  chief: Member;
  add: (
    table: "lots" | "deposits",
    process: readonly [name: string, letters: string],
    owner: Member,
    lines: readonly Line[],
    columns: object,
  ) => string;
  rows: { bids: object[]; lotBidders: object[] };
}

/** The moment of a lot's times that is at or before one: lots are announced in whole minutes. */
export const wholeMinute = (atMs: number): number => Math.floor(atMs / minuteMs) * minuteMs;

/**
 * A running lot of the demo: it began a while ago and goes on for a while. Within a day as all lots are, so that shortly before midnight it
 * is one that begins soon.
 */
export function runningTimes(now: number): { opensMs: number; endsMs: number } {
  const midnight = shanghaiMoment(`${shanghaiDay(now)}T00:00:00`);
  const last = midnight + dayMs - minuteMs;
  if (last - now < 15 * minuteMs)
    return { opensMs: midnight + dayMs + 5 * minuteMs, endsMs: midnight + dayMs + 2 * hourMs };
  return {
    opensMs: Math.max(midnight, wholeMinute(now - 25 * minuteMs)),
    endsMs: Math.min(last, wholeMinute(now + 95 * minuteMs)),
  };
}

/** The bids of a lot, from the reserve to the best one, in turns, the last of them late where the lot is over. */
function bidsOf(of: SeededLot, lot: string, { nextId, now }: Pick<Seeding, "nextId" | "now">) {
  const steps = Math.floor((of.bestPerKg - of.reservePerKg) / stepFen);
  // Nobody outbids oneself.
  const count = of.bidders.length < 2 ? of.bidders.length : Math.min(11, steps + 1);
  const until = Math.min(of.endsMs, now);
  const entries: StoredEntry[] = [];
  let end = { endsAt: of.endsMs, extensions: 0 };
  for (let turn = 0; turn < count; turn += 1) {
    const back = count - 1 - turn;
    const by = of.bidders[back % of.bidders.length];
    if (by === undefined) break;
    const isLate = back === 0 && of.endsMs < now;
    const at = isLate
      ? of.endsMs - 49_000 + (turn % 7) * 137
      : of.opensMs + Math.floor(((until - of.opensMs) * (turn + 1)) / (count + 1)) + ((turn * 7919) % 997);
    const fenPerKg = turn === 0 && back > 0 ? of.reservePerKg : of.bestPerKg - back * stepFen;
    entries.push(
      chained(
        {
          tenantId: by.tenantId,
          accountId: by.accountId,
          id: nextId(),
          lot,
          seq: turn + 1,
          fenPerKg,
          proxy: false,
          strikes: null,
          reason: "",
          at: new Date(at),
        },
        entries.at(-1)?.hash ?? "",
      ),
    );
    end = endAfter({ ...end, softCloseMinutes }, at);
  }
  return { entries, ...end };
}

/** Times of a lot of an hour that ended a while ago, within one day. */
export function endedTimes(now: number): { opensMs: number; endsMs: number } {
  const midnight = shanghaiMoment(`${shanghaiDay(now)}T00:00:00`);
  const endsMs = wholeMinute(now - 2 * hourMs);
  return endsMs - hourMs >= midnight
    ? { opensMs: endsMs - hourMs, endsMs }
    : { opensMs: midnight - 4 * hourMs, endsMs: midnight - 3 * hourMs };
}

/** Times of a lot of an hour that begins in a while, within one day. */
export function soonTimes(now: number): { opensMs: number; endsMs: number } {
  const midnight = shanghaiMoment(`${shanghaiDay(now)}T00:00:00`);
  const opensMs = wholeMinute(now + 3 * hourMs);
  return opensMs + hourMs < midnight + dayMs
    ? { opensMs, endsMs: opensMs + hourMs }
    : { opensMs: midnight + dayMs + 9 * hourMs, endsMs: midnight + dayMs + 10 * hourMs };
}

/** How a deposit went on after it was held. */
function endOfDeposit(fate: LotFate, isWinner: boolean, overMs: number, { clerk, chief }: Seeding): Line[] {
  if (fate === "announced" || fate === "open" || (fate === "waiting" && isWinner)) return [];
  if (isWinner && fate === "paid") return [["credit", "order", "credited", undefined, overMs + 5 * hourMs]];
  if (isWinner && fate === "unpaid")
    return [
      ["propose_forfeit", "desk", "forfeiting", clerk, overMs + 26 * hourMs, { reason: "中标后没有按时付款" }],
      ["forfeit", "desk", "forfeited", chief, overMs + 28 * hourMs],
    ];
  return [
    ["give_back", "clock", "returning", undefined, overMs + minuteMs],
    ["release", "desk", "released", clerk, overMs + 3 * hourMs],
  ];
}

/**
 * Adds a lot of the demo with its deposits and its record of bids.
 * @param orderOf adds the winner's order, whose deposit is credited where it was paid
 */
export function addLot(
  of: SeededLot,
  seeding: Seeding,
  orderOf: (won: {
    lot: string;
    winner: Member;
    fenPerKg: number;
    depositFen: number;
    atMs: number;
  }) => string | undefined,
): void {
  const { nextId, now, clerk, chief, add, rows } = seeding;
  const { plan, heads, reservePerKg, opensMs, fate, bidders } = of;
  const announcedMs = Math.min(opensMs - 4 * hourMs, now - hourMs);
  const depositFen = heads * depositFenPerHead;
  // The record needs the lot's id before the end of the lot is known.
  const lines: Line[] = [["begin", "desk", "announced", clerk, announcedMs]];
  const lot = nextId();
  const { entries, endsAt: endsMs, extensions } = bidsOf(of, lot, seeding);
  const overMs = Math.min(endsMs + 20_000, now - 1000);
  if (fate === "withdrawn")
    lines.push(["withdraw", "desk", "withdrawn", clerk, opensMs - hourMs, { reason: "场区临时停电，改天再卖" }]);
  else if (fate !== "announced") {
    lines.push(["open", "clock", "open", undefined, opensMs + 20_000]);
    if (fate !== "open") {
      lines.push(["freeze", "clock", "frozen", undefined, overMs]);
      const isSold = fate !== "failed";
      lines.push([isSold ? "award" : "fail", "clock", isSold ? "awarded" : "failed", undefined, overMs]);
      if (fate === "unpaid") lines.push(["fall_through", "order", "failed", undefined, overMs + 25 * hourMs]);
    }
  }
  const last = entries.at(-1);
  const ranked: RankedEntry[] = entries.map(({ seq, tenantId, fenPerKg }) => ({
    seq,
    who: tenantId,
    price: fenPerKg,
    strikes: null,
  }));
  add("lots", ["lot", "JP"], clerk, lines, {
    id: lot,
    plan,
    heads,
    reservePerKg,
    stepFen,
    depositFen: depositFenPerHead,
    softCloseMinutes,
    participants: ["enterprise", "contract"],
    bidOn: shanghaiDay(opensMs),
    bidTimes: `${shanghaiClock(opensMs).slice(11, 16)}-${shanghaiClock(of.endsMs).slice(11, 16)}`,
    opensAt: new Date(opensMs),
    endsAt: new Date(endsMs),
    extensions,
    entries: entries.length,
    lastHash: last?.hash ?? "",
    lastAt: last?.at ?? null,
    bestPerKg: last?.fenPerKg ?? null,
    bestTenant: last?.tenantId ?? null,
    bestAccount: last?.accountId ?? null,
  });
  rows.bids.push(...entries);
  for (const { bidder, who, price, seq } of rankingOf(ranked)) {
    const accountId = entries.find(({ tenantId }) => tenantId === who)?.accountId;
    rows.lotBidders.push({ lot, tenantId: who, accountId, bidder, bestPerKg: price, bestSeq: seq });
  }
  const [winner] = bidders;
  const isSold = fate === "waiting" || fate === "paid" || fate === "unpaid";
  const order =
    isSold && winner && last?.fenPerKg
      ? orderOf({ lot, winner, fenPerKg: last.fenPerKg, depositFen, atMs: overMs })
      : undefined;
  for (const [turn, bidder] of bidders.entries()) {
    const isWinner = turn === 0;
    const paidMs = announcedMs + (turn + 1) * 10 * minuteMs;
    const end = endOfDeposit(fate, isWinner, overMs, seeding).filter(([, , , , atMs]) => atMs <= now);
    const state = end.at(-1)?.[2] ?? "held";
    add(
      "deposits",
      ["deposit", "BZ"],
      bidder,
      [
        ["begin", "customer", "awaited", bidder, paidMs],
        ["record", "desk", "recorded", clerk, paidMs + 4 * minuteMs],
        ["confirm", "desk", "held", chief, paidMs + 9 * minuteMs],
        ...end,
      ],
      {
        lot,
        amountFen: depositFen,
        bankReference: `BZ${lot}${turn}`,
        receivedOn: shanghaiDay(paidMs),
        recordedBy: clerk.accountId,
        proposedBy: state === "forfeited" || state === "forfeiting" ? clerk.accountId : null,
        order: state === "credited" ? (order ?? null) : null,
        returnAt: state === "returning" || state === "released" ? new Date(overMs) : null,
        returnBy: state === "returning" || state === "released" ? new Date(overMs + dayMs) : null,
        refundReference: state === "released" ? `TB${lot}${turn}` : "",
      },
    );
  }
}
