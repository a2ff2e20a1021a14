import type { Platform } from "../../module.ts";
import { calendarRepository } from "./calendar.repository.ts";
import { createServiceCalendar, type ServiceCalendar } from "./calendar.service.ts";

export { createWorkedDays, shownDays } from "./worked-days.ts";
export type { ServiceCalendar };

/** Due times by the hours of service and the calendar, which the group keeps as an archive. */
export const createServiceCalendarOn = ({ kysely }: Pick<Platform, "kysely">): ServiceCalendar =>
  createServiceCalendar(calendarRepository(kysely));
