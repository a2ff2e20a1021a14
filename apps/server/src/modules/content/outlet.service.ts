import type { publicOutlets, ReplyOf } from "@herdwise/contract";
import type { ServiceCalendar } from "../service-calendar/index.ts";
import type { OutletRepository } from "./outlet.repository.ts";

/** Days from today on of which visitors learn whether they are worked: the next opening lies within, also at Spring Festival. */
const daysAhead = 15;

export interface OutletDependencies {
  repository: OutletRepository;
  calendar: Pick<ServiceCalendar, "workedDays">;
  now: () => number;
}

/** The service network as visitors see it. */
export const createOutletService = ({ repository, calendar, now }: OutletDependencies) => ({
  async list(keyword = ""): Promise<ReplyOf<typeof publicOutlets>> {
    const [outlets, days] = await Promise.all([
      repository.shown(keyword.trim()),
      calendar.workedDays(new Date(now()), daysAhead),
    ]);
    return { outlets, days };
  },
});
export type OutletService = ReturnType<typeof createOutletService>;
