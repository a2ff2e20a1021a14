import { fenOf, isDecided } from "./room-clock.ts";
import type { Bidding, Offer } from "./use-bid.ts";
import type { Room, RoomView } from "./use-room.ts";

/** A room as the customer's parts of it see it. */
export interface Shown extends Omit<RoomView, keyof Room>, Room {
  /** Others of the customer may look on. */
  mayBid: boolean;
}

/** What the parts of bidding are given. */
export interface CardProps {
  view: Shown;
  bidding: Bidding;
  /** What the person is about to bid. */
  draft: Draft;
  narrow: boolean;
}

/** A price and a secret limit as they are typed; "" is what the lot asks at least. */
export interface Draft {
  price: string;
  limit: string;
  change: (values: { price?: string; limit?: string }) => void;
}

/** Where the customer of a room stands with it: what can be done is decided here, once, for the card and for the bar of a phone. */
export type Standing = "decided" | "looks" | "no_deposit" | "before" | "over" | "lost" | "leads" | "bids";

/** Where the customer stands with the room now. */
export function standingOf({ room, phase, lost, mayBid }: Pick<Shown, "room" | "phase" | "lost" | "mayBid">): Standing {
  if (isDecided(phase)) return "decided";
  if (!mayBid) return "looks";
  if (phase === "over") return "over";
  if (room.own.deposit !== "held") return "no_deposit";
  if (lost) return "lost";
  if (phase === "before") return "before";
  return room.own.place === 1 ? "leads" : "bids";
}

/** What is offered by a draft; a problem where it can't be. */
export function offerOf(
  { room }: Pick<Room, "room">,
  { price, limit }: Pick<Draft, "price" | "limit">,
  leads: boolean,
): { fenPerKg: number; offer: Offer; problem?: string; values?: Readonly<Record<string, string>> } {
  const lowest = room.leastPerKg;
  const typed = price === "" ? lowest : fenOf(price);
  const most = limit === "" ? undefined : fenOf(limit);
  const text = (fen: number): string => (fen / 100).toFixed(2);
  const held = Math.max(room.own.limitPerKg ?? 0, room.bestPerKg ?? 0);
  if (leads) {
    const offer = { ...(most !== undefined && { limitFenPerKg: most }) };
    if (most === undefined)
      return { fenPerKg: lowest, offer, problem: limit === "" ? "填一个最高限价" : "按 14.75 这样填价格" };
    return most > held
      ? { fenPerKg: most, offer }
      : { fenPerKg: most, offer, problem: "最高限价要高于 {least} 元/kg", values: { least: text(held) } };
  }
  const fenPerKg = typed ?? lowest;
  const offer = { fenPerKg, ...(most !== undefined && { limitFenPerKg: most }) };
  if (typed === undefined || (limit !== "" && most === undefined))
    return { fenPerKg, offer, problem: "按 14.75 这样填价格" };
  if (typed < lowest) return { fenPerKg, offer, problem: "出价至少 {least} 元/kg", values: { least: text(lowest) } };
  if (most !== undefined && most < typed) return { fenPerKg, offer, problem: "最高限价不能低于出价" };
  return { fenPerKg, offer };
}
