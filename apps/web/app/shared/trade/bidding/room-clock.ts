import type { BidRoom } from "@herdwise/contract";
import { endAfter, mostExtensions, timeOf } from "@herdwise/contract/bid-rules";
import { halfEven } from "@herdwise/contract/money";
import { shanghaiClock } from "@herdwise/contract/shanghai";

/** Where a lot stands by the database's clock; `soft` is when a bid moves the end, `over` waits for the award. */
export type Phase = "before" | "open" | "soft" | "over" | "awarded" | "failed" | "withdrawn";

type Moments = Pick<BidRoom, "state" | "opensMs" | "endsMs" | "softCloseMinutes" | "extensions">;

const decided = ["awarded", "failed", "withdrawn"] as const;

/** Whether nothing more comes of a lot's bids. */
export const isDecided = (phase: Phase): boolean => decided.some((one) => one === phase);

/** Where a lot stands, also before the clock has taken its step. @param nowMs by the database's clock */
export function phaseOf({ state, opensMs, endsMs, softCloseMinutes }: Moments, nowMs: number): Phase {
  const over = decided.find((one) => one === state);
  if (over) return over;
  if (state === "frozen") return "over";
  const time = timeOf({ opensAt: opensMs, endsAt: endsMs }, nowMs);
  if (time !== "open") return time;
  return nowMs + softCloseMinutes * 60_000 > endsMs ? "soft" : "open";
}

/** The same while nothing is heard: the end may have been moved since, so that only an answer says that it is over. */
export function phaseHeard(moments: Moments, nowMs: number, lost: boolean): Phase {
  const phase = phaseOf(moments, nowMs);
  return lost && phase === "over" && moments.state !== "frozen" ? "soft" : phase;
}

/** The end that a bid of this moment brings; undefined where it moves nothing. */
export function endByBid(
  { endsMs, softCloseMinutes, extensions }: Moments,
  nowMs: number,
): { endsMs: number; extensions: number } | undefined {
  const after = endAfter({ endsAt: endsMs, softCloseMinutes, extensions }, nowMs);
  return after.extensions === extensions ? undefined : { endsMs: after.endsAt, extensions: after.extensions };
}

/** How often the end can still be moved. */
export const extensionsLeft = ({ extensions }: Moments): number => Math.max(0, mostExtensions - extensions);

/** A time span as a clock shows it: 1:42, 1:00:07. What is begun of a second counts, so that 0:00 is the end. */
export function spanText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const two = (value: number): string => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Time of day in Shanghai with seconds. */
export const clockText = (ms: number): string => shanghaiClock(ms).slice(11, 19);

/** Time of day in Shanghai: with seconds only where they say something. */
export const shortClock = (ms: number): string => clockText(ms).replace(/:00$/, "");

/** Day and time in Shanghai: 3-22 12:00. */
export const dayClock = (ms: number): string => {
  const [, month = "", day = ""] = /^\d+-(\d+)-(\d+)/.exec(shanghaiClock(ms)) ?? [];
  return `${Number(month)}-${Number(day)} ${shanghaiClock(ms).slice(11, 16)}`;
};

/** What the heads are likely to cost, in fen, as the order will have it. */
export const expectedOf = ({ heads, fromKg, toKg }: Pick<BidRoom, "heads" | "fromKg" | "toKg">, fenPerKg: number) =>
  halfEven(heads * (fromKg + toKg) * fenPerKg, 2);

/** A typed price in fen per kg; undefined where it is none. */
export function fenOf(text: string): number | undefined {
  const match = /^\s*(\d{1,4})(?:[.。](\d{0,2}))?\s*$/.exec(text);
  return match ? Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0")) : undefined;
}

type Entry = BidRoom["entries"][number];

/** What a bid did to the end, by the number of its entry. */
export function effectsOf(
  room: Pick<BidRoom, "plannedEndMs" | "endsMs" | "softCloseMinutes" | "extensions">,
  entries: readonly Entry[],
): ReadonlyMap<number, number> {
  const effects = new Map<number, number>();
  let now = { endsAt: room.plannedEndMs, extensions: 0 };
  for (const { seq, fenPerKg, proxy, atMs } of entries) {
    if (fenPerKg === undefined || proxy) continue;
    const after = endAfter({ ...now, softCloseMinutes: room.softCloseMinutes }, atMs);
    if (after.extensions > now.extensions) effects.set(seq, after.endsAt);
    now = after;
  }
  // Where the first entries are not here, or the end was set otherwise, nothing is said rather than something wrong.
  return entries[0]?.seq === 1 && now.endsAt === room.endsMs ? effects : new Map();
}

/** The database's clock as this page knows it: each answer narrows it down, and the browser's own clock plays no part. */
export class ServerClock {
  /** Database's time less this page's running time, ms. */
  #offset: number | undefined;
  #roundTrip = Number.POSITIVE_INFINITY;
  #sampledAt = 0;

  /** Notes an answer. @param sentAt @param heardAt by `performance.now()` */
  answered(serverMs: number, sentAt: number, heardAt: number): void {
    const roundTrip = heardAt - sentAt;
    // A quick answer says more than a slow one, until it is old.
    if (roundTrip > this.#roundTrip && heardAt - this.#sampledAt < 60_000) this.told(serverMs, heardAt);
    else {
      this.#roundTrip = roundTrip;
      this.#sampledAt = heardAt;
      this.#offset = serverMs + roundTrip / 2 - heardAt;
    }
  }

  /** Notes an event that was on its way for an unknown time: the clock is not behind it. */
  told(serverMs: number, heardAt: number): void {
    if (this.#offset === undefined || serverMs - heardAt > this.#offset) this.#offset = serverMs - heardAt;
  }

  /** The database's time now, ms since 1970. */
  now(): number {
    return performance.now() + (this.#offset ?? performance.timeOrigin);
  }

  /** By how much the browser's clock is ahead, ms. */
  drift(): number {
    return this.#offset === undefined ? 0 : Date.now() - this.now();
  }

  /** Undefined before the first answer. */
  roundTrip(): number | undefined {
    return Number.isFinite(this.#roundTrip) ? Math.round(this.#roundTrip) : undefined;
  }
}
