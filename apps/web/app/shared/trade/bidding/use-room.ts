import { type BidChange, type BidRoom, bidLive, bidRoom, mostRecent } from "@herdwise/contract";
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { type ApiError, asApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { followStream, type StreamState } from "../../api/live-stream.ts";
import { reach } from "../../api/reach.ts";
import { addressOf } from "../../api/send.ts";
import { isDecided, type Phase, phaseHeard, ServerClock } from "./room-clock.ts";

/** A lot as its room shows it: what was asked for, kept up by what was told since. */
export interface Room {
  room: BidRoom;
  /** Without a gap, in order, the newest at the end. */
  entries: BidRoom["entries"];
}

/** The room with what is newer; entries before a gap are dropped. */
export function renewed(now: Room | undefined, change: BidChange | BidRoom): Room | undefined {
  const isOlder =
    now !== undefined &&
    (change.lastSeq < now.room.lastSeq || (change.lastSeq === now.room.lastSeq && change.serverMs < now.room.serverMs));
  if (isOlder) return now;
  const bySeq = new Map([...(now?.entries ?? []), ...change.entries].map((entry) => [entry.seq, entry]));
  const entries: BidRoom["entries"] = [];
  for (let seq = change.lastSeq, entry = bySeq.get(seq); entry; seq -= 1, entry = bySeq.get(seq))
    entries.unshift(entry);
  const room = "own" in change ? change : now && { ...now.room, ...change };
  return room && { room, entries };
}

/** Whether entries are missing that an answer of the room would have. */
const misses = ({ room, entries }: Room): boolean => entries.length < Math.min(room.lastSeq, mostRecent);

/** A room that does not answer within this time is not heard. */
const answerWithinMs = 6000;
/** How often the room is asked while its stream is open: a dead network keeps the socket, and the end is moved by others. */
const askedEveryMs: Readonly<Record<Phase, number>> = {
  before: 20_000,
  open: 15_000,
  soft: 5000,
  over: 2000,
  awarded: 20_000,
  failed: 60_000,
  withdrawn: 60_000,
};
const withoutStreamMs = 3000;
/** Whoever waits for the own deposit sees its step soon. */
const waitingForDepositMs = 4000;

export interface RoomView extends Partial<Room> {
  /** Why there is no room. */
  error: ApiError | undefined;
  phase: Phase;
  clock: ServerClock;
  stream: StreamState;
  /** What is shown may be old: nothing is heard. */
  lost: boolean;
  /** When something was heard last, by the database's clock. */
  heardMs: number;
  /** Asks now. @returns the room as it is then; undefined without an answer */
  reload: () => Promise<Room | undefined>;
}

/** Follows a lot by its stream, and asks its room beside that. */
export function useRoom(lot: string): RoomView {
  const [clock] = useState(() => new ServerClock());
  const [shown, setShown] = useState<Room>();
  const [error, setError] = useState<ApiError>();
  const [stream, setStream] = useState<StreamState>("connecting");
  const [isHeard, setHeard] = useState(true);
  const [heardMs, setHeardMs] = useState(0);
  const [phase, setPhase] = useState<Phase>("before");
  const lostAtMs = useSyncExternalStore(reach.subscribe, reach.lostAtMs, () => undefined);
  const held = useRef<Room>(undefined);

  const take = useCallback(
    (change: BidChange | BidRoom): void => {
      const next = renewed(held.current, change);
      held.current = next;
      setShown(next);
      setHeard(true);
      setHeardMs(clock.now());
      if (next) setPhase(phaseHeard(next.room, clock.now(), false));
    },
    [clock],
  );
  const reload = useCallback(async (): Promise<Room | undefined> => {
    const sentAt = performance.now();
    const now = held.current;
    const after = now && !misses(now) ? now.room.lastSeq : undefined;
    try {
      const room = await call(bidRoom, {
        query: { lot, ...(after !== undefined && { after }) },
        signal: AbortSignal.timeout(answerWithinMs),
        quiet: true,
      });
      clock.answered(room.serverMs, sentAt, performance.now());
      setError(undefined);
      take(room);
      return held.current;
    } catch (reason) {
      const problem = asApiError(reason);
      if (problem.code === 0) setHeard(false);
      setError(problem);
      return undefined;
    }
  }, [lot, clock, take]);

  useEffect(() => {
    void reload();
    return followStream<BidChange>(addressOf(bidLive, { lot }), {
      onEvent: (change) => {
        clock.told(change.serverMs, performance.now());
        const before = held.current;
        take(change);
        const next = held.current;
        // Whose number is new may be one's own, as a colleague bids for the same customer.
        const isNewBidder = change.ranking.length > (before?.room.ranking.length ?? 0) && before?.room.own.bidder === 0;
        if (next === undefined || misses(next) || isNewBidder) void reload();
      },
      onState: setStream,
      onGap: () => void reload(),
    });
  }, [lot, clock, take, reload]);

  // The steps of the clock are not told: they come here by themselves, and the room is asked what became of them.
  const isReached = lostAtMs === undefined;
  const lost = !isHeard || !isReached;
  useEffect(() => {
    if (shown === undefined) return;
    const look = (): void => setPhase(phaseHeard(shown.room, clock.now(), lost));
    look();
    const timer = setInterval(look, 200);
    return () => clearInterval(timer);
  }, [shown, clock, lost]);

  const deposit = shown?.room.own.deposit;
  const waits = (deposit === "awaited" || deposit === "recorded") && !isDecided(phase);
  const calm = waits ? Math.min(waitingForDepositMs, askedEveryMs[phase]) : askedEveryMs[phase];
  const every = stream === "open" && isHeard ? calm : withoutStreamMs;
  const isKnown = shown !== undefined;
  const isOver = isDecided(phase);
  useEffect(() => {
    if (!isKnown) return;
    let timer: ReturnType<typeof setTimeout>;
    let ended = false;
    const ask = async (): Promise<void> => {
      if (!isOver || document.visibilityState === "visible") await reload();
      if (!ended) next();
    };
    const next = (): void => {
      // Spread, so that a thousand browsers don't ask at once.
      timer = setTimeout(() => void ask(), every * (0.85 + Math.random() * 0.3));
    };
    next();
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [isKnown, isOver, every, reload]);
  useEffect(() => {
    // After a sleep the page's running time may have stood still.
    const onVisible = (): void => {
      if (document.visibilityState === "visible") void reload();
    };
    document.addEventListener("visibilitychange", onVisible);
    return () => document.removeEventListener("visibilitychange", onVisible);
  }, [reload]);
  const wasReached = useRef(isReached);
  useEffect(() => {
    if (isReached && !wasReached.current) void reload();
    wasReached.current = isReached;
  }, [isReached, reload]);

  return {
    ...shown,
    error: shown === undefined ? error : undefined,
    phase,
    clock,
    stream,
    lost,
    heardMs,
    reload,
  };
}

/** The database's time, renewed each second. */
export function useServerNow(clock: ServerClock): number {
  const [now, setNow] = useState(() => clock.now());
  useEffect(() => {
    const timer = setInterval(() => {
      // Only what shows draws anew.
      setNow((before) => {
        const next = clock.now();
        return Math.floor(next / 1000) === Math.floor(before / 1000) ? before : next;
      });
    }, 200);
    return () => clearInterval(timer);
  }, [clock]);
  return now;
}
