import { type BidRoom, deposits, saleCategories } from "@herdwise/contract";
import { useFormats, useTranslate } from "../../language/use-language.ts";
import { signedYuan, yuan } from "../../prices/price-words.ts";
import { clockText } from "./room-clock.ts";

/** How a deposit stands, in a word and a mark; undefined for none. */
export const depositFace = (state: string) =>
  deposits.process.states[state as keyof typeof deposits.process.states] as
    | (typeof deposits.process.states)["held"]
    | undefined;

/** Words of a room in the chosen language. */
export function useRoomWords() {
  const t = useTranslate();
  const { number } = useFormats();
  return {
    t,
    /** A bidder: oneself, or a number. */
    bidder: (bidder: number, own: number): string =>
      bidder === own && own !== 0 ? t("我") : t("{number} 号", { number: bidder }),
    price: yuan,
    gap: (fen: number): string => (fen === 0 ? "—" : signedYuan(fen)),
    money: (fen: number): string => number(fen / 100, 2),
    heads: (heads: number): string => t("{count} 头", { count: number(heads) }),
    category: (category: string): string => t(saleCategories.find(([value]) => value === category)?.[1] ?? category),
    /** A moment of the record. */
    time: clockText,
  };
}

export type RoomWords = ReturnType<typeof useRoomWords>;

/** Whether the customer has an order of the lot that stands. */
export const hasWon = ({ own }: Pick<BidRoom, "own">): boolean =>
  own.order !== undefined && own.order.state !== "cancelled";
