import { type BidChange, type LotAt, leastBid, mostRecent, timeOf } from "@herdwise/contract";
import type { EventStream } from "../../http/event-stream.ts";
import type { SessionReach } from "../../http/session.ts";
import { createSessionStreams, type SessionCheck, sleeperOf } from "../../http/session-streams.ts";
import type { Bus } from "../../providers/bus.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { biddingRepository, LotBidder, LotRow, RecentEntry } from "./bidding.repository.ts";
import { tradeSystem } from "./context.ts";

/** Changes of a lot are told together that come within this time, ms. */
const together = 40;

/** A lot as the rules see it. */
export const ruledOf = (lot: LotRow): LotAt => ({
  opensAt: lot.opensAt.getTime(),
  endsAt: lot.endsAt.getTime(),
  reserve: lot.reservePerKg,
  step: lot.stepFen,
  best: lot.bestPerKg,
  softCloseMinutes: lot.softCloseMinutes,
  extensions: lot.extensions,
});

/** The state by the moments, which hold also before the clock has taken its step. */
export function stateOf(lot: LotRow): BidChange["state"] {
  if (lot.state !== "announced" && lot.state !== "open") return lot.state;
  return { before: "announced", open: "open", over: "frozen" }[timeOf(ruledOf(lot), lot.at.getTime())];
}

/** What everybody in the room sees alike, by numbers alone. */
const changeOf = (lot: LotRow, bidders: readonly LotBidder[], entries: readonly RecentEntry[]): BidChange => ({
  lot: lot.id,
  number: lot.number,
  state: stateOf(lot),
  heads: lot.heads,
  reservePerKg: lot.reservePerKg,
  stepFen: lot.stepFen,
  ...(lot.bestPerKg !== null && { bestPerKg: lot.bestPerKg }),
  leastPerKg: leastBid(ruledOf(lot)),
  opensMs: lot.opensAt.getTime(),
  endsMs: lot.endsAt.getTime(),
  serverMs: lot.at.getTime(),
  extensions: lot.extensions,
  softCloseMinutes: lot.softCloseMinutes,
  ranking: bidders.flatMap(({ bidder, fenPerKg }) => (fenPerKg === null ? [] : [{ bidder, fenPerKg }])),
  struck: entries.flatMap(({ strikes, struckBidder: bidder, struckFen, reason, at }) =>
    strikes === null ? [] : [{ seq: strikes, bidder, fenPerKg: struckFen ?? 0, reason, atMs: at.getTime() }],
  ),
  lastSeq: lot.entries,
  entries: entries.flatMap(({ seq, bidder, fenPerKg, proxy, strikes, at, recent }) =>
    recent
      ? [
          {
            seq,
            bidder,
            ...(fenPerKg !== null && { fenPerKg }),
            proxy,
            ...(strikes !== null && { strikes }),
            atMs: at.getTime(),
          },
        ]
      : [],
  ),
});

/** The room as one customer sees it: what all see, and the own place, deposit and order. @param after number of the newest known entry */
export async function roomFor(
  look: ReturnType<typeof biddingRepository>,
  lot: LotRow,
  scope: TenantScope,
  after: number,
) {
  const bidders = await look.bidders(tradeSystem, lot.id);
  const entries = await look.recent(tradeSystem, lot.id, after, mostRecent);
  const limit = await look.limit(tradeSystem, lot.id, scope.tenantId);
  const { deposit, returnBy, orderId, payBy, ...order } = await look.ownOutcome(scope, lot.id);
  const place = bidders.findIndex(({ tenantId }) => tenantId === scope.tenantId);
  const own = bidders[place];
  const priced = own !== undefined && own.fenPerKg !== null;
  return {
    ...changeOf(lot, bidders, entries),
    opensAt: lot.opensAt,
    endsAt: lot.endsAt,
    plannedEndMs: lot.plannedEnd.getTime(),
    depositFen: lot.depositFen,
    fromKg: lot.fromKg,
    toKg: lot.toKg,
    fieldName: lot.fieldName,
    category: lot.category,
    day: lot.day,
    own: {
      deposit,
      place: priced ? place + 1 : 0,
      bidder: own?.bidder ?? 0,
      ...(priced && { pricePerKg: own.fenPerKg ?? 0 }),
      ...(limit && { limitPerKg: limit.fenPerKg }),
      ...(returnBy && { returnBy }),
      ...(orderId !== null && payBy && { order: { id: orderId, payBy, ...order } }),
    },
  };
}

/** Entries that an event has; who missed more asks the room. */
const told = mostRecent / 5;

/** Sends lots to everybody who looks at them: read once on each server for all of its readers, however many bids come. */
export function lotStreams({
  bus,
  sessionCheck,
  look,
  onError,
}: {
  bus: Bus;
  sessionCheck: Pick<SessionCheck, "watch">;
  look: ReturnType<typeof biddingRepository>;
  onError: (error: unknown) => void;
}) {
  const streams = createSessionStreams(sessionCheck);
  const rooms = new Map<string, { readers: Set<(change: BidChange) => void>; waiting: boolean; again: boolean }>();

  const read = async (lot: string): Promise<BidChange | undefined> => {
    // The lot comes first: what is read after it is at least as new.
    const row = await look.lot(tradeSystem, lot, false);
    if (row === undefined) return undefined;
    const bidders = await look.bidders(tradeSystem, lot);
    return changeOf(row, bidders, await look.recent(tradeSystem, lot, 0, told));
  };
  const tell = async (lot: string): Promise<void> => {
    const room = rooms.get(lot);
    if (room === undefined) return;
    room.again = room.waiting;
    if (room.waiting) return;
    room.waiting = true;
    try {
      const change = await read(lot);
      if (change) for (const hand of room.readers) hand(change);
      await new Promise((resolve) => setTimeout(resolve, together));
    } catch (error) {
      onError(error);
    }
    room.waiting = false;
    if (room.again) void tell(lot);
  };
  bus.subscribe("lotChanged", ({ lot }) => void tell(lot));

  return {
    /** Serves one stream until it ends; a slow reader gets the newest state alone. */
    serve: (session: SessionReach, lot: string, stream: EventStream): Promise<void> =>
      streams.watch(session, stream, async () => {
        let newest: BidChange | undefined;
        const { wake, sleep } = sleeperOf(stream);
        const hand = (change: BidChange): void => {
          newest = change;
          wake();
        };
        const room = rooms.get(lot) ?? { readers: new Set(), waiting: false, again: false };
        rooms.set(lot, room);
        room.readers.add(hand);
        try {
          const first = await read(lot);
          // What was handed over meanwhile was read after a later change.
          newest ??= first;
          while (!stream.signal.aborted) {
            if (newest) {
              const change = newest;
              newest = undefined;
              await stream.send("lot", change);
            } else await sleep();
          }
        } finally {
          room.readers.delete(hand);
          if (room.readers.size === 0) rooms.delete(lot);
        }
      }),
  };
}
