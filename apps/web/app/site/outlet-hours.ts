import { shanghaiMs } from "@herdwise/contract/shanghai";
/** How an outlet stands at a moment. */
export type OutletState =
  | { kind: "open"; closesAt: string; minutesLeft: number }
  /** `restDay`: because of the day; the others because of the hour. */
  | { kind: "closed"; because: "early" | "break" | "late" | "restDay"; next?: { daysAhead: number; at: string } };

interface Hours {
  weekdayHours: string;
  weekendHours: string;
}

/** Times of a day as a page has them. @param hours such as 08:30-12:00,14:00-18:00 */
export const hoursText = (hours: string): string => hours.replaceAll("-", "–").replaceAll(",", " / ");

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
const rangesOf = (hours: string): { from: string; to: string }[] =>
  hours
    .split(",")
    .flatMap((range) => {
      const [, from, to] = /^\s*(\d{2}:\d{2})-(\d{2}:\d{2})\s*$/.exec(range) ?? [];
      return from !== undefined && to !== undefined ? [{ from, to }] : [];
    })
    .sort((a, b) => minutesOf(a.from) - minutesOf(b.from));

/**
 * Whether an outlet is open, until when, or why not and when it opens next. Worked weekends have the hours of weekdays, holidays those
 * of weekends.
 * @param days from today on, and whether each is worked; at least today
 */
export function outletState(
  { weekdayHours, weekendHours }: Hours,
  days: readonly { worked: boolean }[],
  nowMs: number,
): OutletState {
  const local = new Date(nowMs + shanghaiMs);
  const minute = local.getUTCHours() * 60 + local.getUTCMinutes();
  const hoursOn = (ahead: number) => rangesOf(days[ahead]?.worked ? weekdayHours : weekendHours);
  const today = hoursOn(0);
  const running = today.find(({ from, to }) => minutesOf(from) <= minute && minute < minutesOf(to));
  if (running) return { kind: "open", closesAt: running.to, minutesLeft: minutesOf(running.to) - minute };
  const later = today.find(({ from }) => minutesOf(from) > minute);
  const because = today.length === 0 ? "restDay" : !later ? "late" : later === today[0] ? "early" : "break";
  if (later) return { kind: "closed", because, next: { daysAhead: 0, at: later.from } };
  for (let daysAhead = 1; daysAhead < days.length; daysAhead += 1) {
    const [first] = hoursOn(daysAhead);
    if (first) return { kind: "closed", because, next: { daysAhead, at: first.from } };
  }
  return { kind: "closed", because };
}
