import { bidSubmit } from "@herdwise/contract";
import { useCallback, useEffect, useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import type { Room, RoomView } from "./use-room.ts";

/** What is about to be sent; without a price the secret limit alone is raised. */
export interface Offer {
  fenPerKg?: number;
  limitFenPerKg?: number;
}

export type BidState =
  | { kind: "idle" }
  /** Pressed once. */
  | { kind: "armed"; offer: Offer; atMs: number }
  | { kind: "sending"; offer: Offer }
  /** Sent, and no answer came: the room is asked whether it was taken. */
  | { kind: "unanswered"; offer: Offer; sinceSeq: number; atMs: number }
  /** The room was asked, and does not have it. */
  | { kind: "missing"; offer: Offer }
  | { kind: "taken"; offer: Offer; tookMs?: number; leads: boolean }
  | { kind: "refused"; problem: ApiError };

/** How long the first press counts. */
const armedForMs = 6000;
/** A double click is one press. */
const pressedApartMs = 350;
const answerWithinMs = 8000;
/** A bid that was on its way when the answer failed has arrived by then, or never will. */
const settledAfterMs = 4000;
const gateways: ReadonlySet<number> = new Set([0, 502, 503, 504]);

const isSame = (a: Offer, b: Offer): boolean => a.fenPerKg === b.fenPerKg && a.limitFenPerKg === b.limitFenPerKg;

/** Whether the room has what was sent. */
export function hasTaken({ room, entries }: Room, offer: Offer, sinceSeq: number): boolean {
  if (offer.fenPerKg === undefined) return room.own.limitPerKg === offer.limitFenPerKg;
  return entries.some(
    ({ seq, bidder, fenPerKg, proxy }) =>
      seq > sinceSeq && bidder === room.own.bidder && fenPerKg === offer.fenPerKg && !proxy,
  );
}

/** Bids by two presses. A bid is sent once: where no answer comes, the room says whether it was taken. */
export function useBid(lot: string, { room, reload, lost }: Pick<RoomView, "room" | "reload" | "lost">) {
  const [state, setState] = useState<BidState>({ kind: "idle" });
  const disarm = useCallback(() => setState((now) => (now.kind === "armed" ? { kind: "idle" } : now)), []);

  // Whoever pressed once saw another price, or another way for the end.
  const least = room?.leastPerKg;
  useEffect(disarm, [disarm, least, lost]);
  useEffect(() => {
    if (state.kind !== "armed") return;
    const timer = setTimeout(disarm, armedForMs);
    return () => clearTimeout(timer);
  }, [state, disarm]);

  useEffect(() => {
    if (state.kind !== "unanswered") return;
    const { offer, sinceSeq, atMs } = state;
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const ask = async (): Promise<void> => {
      const askedAt = performance.now();
      const answer = await reload();
      if (isOver) return;
      if (answer && hasTaken(answer, offer, sinceSeq))
        setState({ kind: "taken", offer, leads: answer.room.own.place === 1 });
      else if (answer && askedAt - atMs > settledAfterMs) setState({ kind: "missing", offer });
      else timer = setTimeout(() => void ask(), 1500);
    };
    void ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [state, reload]);

  const send = async (offer: Offer): Promise<void> => {
    setState({ kind: "sending", offer });
    const sinceSeq = room?.lastSeq ?? 0;
    const sentAt = performance.now();
    try {
      const { leads } = await call(bidSubmit, {
        body: { lot, ...offer },
        headers: { "Idempotency-Key": crypto.randomUUID() },
        signal: AbortSignal.timeout(answerWithinMs),
        quiet: true,
      });
      setState({ kind: "taken", offer, tookMs: Math.round(performance.now() - sentAt), leads });
      await reload();
    } catch (reason) {
      if (reason instanceof ApiError && !gateways.has(reason.code)) {
        setState({ kind: "refused", problem: reason });
        await reload();
      } else setState({ kind: "unanswered", offer, sinceSeq, atMs: performance.now() });
    }
  };

  return {
    state,
    disarm,
    /** First shows what it comes to, then sends. */
    press(offer: Offer): void {
      if (state.kind === "sending" || state.kind === "unanswered") return;
      const isArmed = state.kind === "armed" && isSame(state.offer, offer);
      if (!isArmed) setState({ kind: "armed", offer, atMs: performance.now() });
      else if (performance.now() - state.atMs >= pressedApartMs) void send(offer);
    },
  };
}

export type Bidding = ReturnType<typeof useBid>;
