import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";

export type HistoryBucket = "minute" | "hour" | "day";

const bucketSql = {
  minute: sql`interval '1 minute'`,
  hour: sql`interval '1 hour'`,
  day: sql`interval '1 day'`,
} as const;

/** Whether a scope reaches a device; asked once for a statement, not for each of its rows. */
const reaches = (scope: TenantScope, deviceId: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select from devices d where d.id = ${deviceId} and ${inScope(scope, "d")})`;

/**
 * What devices sent, for people who look at it.
 * @param db a pool or an open transaction
 */
export function historyRepository(db: Kysely<DB>) {
  return {
    /** Records of a device, newest first. */
    async eventPage(
      scope: TenantScope,
      deviceId: string,
      type: string | undefined,
      { offset, limit }: { offset: number; limit: number },
    ) {
      let query = db.selectFrom("deviceEvents").where("deviceId", "=", deviceId).where(reaches(scope, deviceId));
      if (type !== undefined) query = query.where("type", "=", type);
      const [{ total }, rows] = await Promise.all([
        query.select(sql<number>`count(*)::int`.as("total")).executeTakeFirstOrThrow(),
        query
          .select(["eventId", "type", "ts"])
          .select(sql<Record<string, unknown>>`body`.as("body"))
          .orderBy("ts", "desc")
          .orderBy("type")
          .orderBy("eventId")
          .offset(offset)
          .limit(limit)
          .execute(),
      ]);
      return { total, rows };
    },

    /** `[ts, value]` ascending, at most `limit`. */
    async raw(
      scope: TenantScope,
      deviceId: string,
      key: string,
      start: Date,
      end: Date,
      limit: number,
    ): Promise<[number, unknown][]> {
      const { rows } = await sql<{ ts: number; value: unknown }>`
        select floor(extract(epoch from ts) * 1000)::float8 as ts, readings -> ${key} as value from telemetry
         where ${reaches(scope, deviceId)} and device_id = ${deviceId} and ts >= ${start} and ts < ${end} and readings ? ${key}
         order by ts limit ${limit}`.execute(db);
      return rows.map(({ ts, value }) => [ts, value]);
    },

    /** `[ts of the bucket, min, avg, max]` of the numbers (true counts 1, false 0); days begin at midnight in Shanghai. */
    async bucketed(
      scope: TenantScope,
      deviceId: string,
      key: string,
      start: Date,
      end: Date,
      bucket: HistoryBucket,
    ): Promise<[number, number, number, number][]> {
      const { rows } = await sql<{ ts: number; min: number; avg: number; max: number }>`
        select (extract(epoch from at) * 1000)::float8 as ts, min(value) as min, avg(value) as avg, max(value) as max
          from (
            select date_bin(${bucketSql[bucket]}, ts, timestamptz '2000-01-01 00:00:00+08') as at,
                   case jsonb_typeof(readings -> ${key})
                     when 'number' then (readings ->> ${key})::float8
                     when 'boolean' then (readings ->> ${key})::boolean::int::float8 end as value
              from telemetry
             where ${reaches(scope, deviceId)} and device_id = ${deviceId} and ts >= ${start} and ts < ${end} and readings ? ${key}) r
         where value is not null
         group by at order by at`.execute(db);
      return rows.map(({ ts, min, avg, max }) => [ts, min, avg, max]);
    },
  };
}
export type HistoryRepository = ReturnType<typeof historyRepository>;
