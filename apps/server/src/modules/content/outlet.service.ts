import type { publicOutlets, ReplyOf } from "@herdwise/contract";
import { type ServiceCalendar, shownDays } from "../service-calendar/index.ts";
import type { OutletRepository } from "./outlet.repository.ts";

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
      calendar.workedDays(new Date(now()), shownDays),
    ]);
    return { outlets, days };
  },
});
export type OutletService = ReturnType<typeof createOutletService>;
