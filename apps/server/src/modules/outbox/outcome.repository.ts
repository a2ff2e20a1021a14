import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";

/** How services of others answered last. @param db a pool */
export function outcomeRepository(db: Kysely<DB>) {
  return {
    /** Written once a minute at most while nothing fails. */
    async succeeded(service: string): Promise<void> {
      await sql`
        insert into service_outcomes as o (service, succeeded_at) values (${service}, clock_timestamp())
        on conflict (service) do update set succeeded_at = excluded.succeeded_at
         where o.succeeded_at is null or o.succeeded_at < excluded.succeeded_at - interval '1 minute' or o.failed_at > o.succeeded_at`.execute(
        db,
      );
    },

    /** @param fault names neither the receiver nor what was to be sent */
    async failed(service: string, fault: string): Promise<void> {
      await sql`
        insert into service_outcomes (service, failed_at, fault) values (${service}, clock_timestamp(), ${fault.slice(0, 500)})
        on conflict (service) do update set failed_at = excluded.failed_at, fault = excluded.fault`.execute(db);
    },
  };
}
