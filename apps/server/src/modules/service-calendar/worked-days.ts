import { shanghaiDay } from "@herdwise/contract/shanghai";
import type { ServiceCalendar } from "./calendar.service.ts";

/** Days from today on of which visitors learn whether they are worked: the next opening lies within, also at Spring Festival. */
export const shownDays = 15;
/** A change of the calendar shows after this time, ms. */
const keptMs = 60_000;

/** Whether each day from today on is worked, asked for by every page of the site and read once a minute and day. */
export function createWorkedDays(calendar: Pick<ServiceCalendar, "workedDays">, now: () => number) {
  let kept: { day: string; untilMs: number; worked: Promise<boolean[]> } | undefined;
  return (): Promise<boolean[]> => {
    const nowMs = now();
    const day = shanghaiDay(nowMs);
    if (kept?.day === day && nowMs < kept.untilMs) return kept.worked;
    const worked = calendar.workedDays(new Date(nowMs), shownDays).then((days) => days.map((of) => of.worked));
    kept = { day, untilMs: nowMs + keptMs, worked };
    // What could not be read is asked for again.
    worked.catch(() => {
      kept = undefined;
    });
    return worked;
  };
}
