import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";

/** A period as the calendar reads it. */
export interface Period {
  /** `off` or `worked`. */
  kind: string;
  /** YYYY-MM-DD. */
  firstDay: string;
  /** At least 1. */
  days: number;
}

export type CalendarRepository = ReturnType<typeof calendarRepository>;

/** The calendar is the group's and the same for everybody. */
export const calendarRepository = (db: Kysely<DB>) => ({
  /** Periods from the year of a day on, with what reaches into it from the year before. */
  async periodsFrom(day: string): Promise<Period[]> {
    const { rows } = await sql<Period>`
      select kind, to_char(first_day, 'YYYY-MM-DD') as "firstDay", days
        from calendar_periods
       where first_day + days > date_trunc('year', ${day}::date)`.execute(db);
    return rows;
  },
});
