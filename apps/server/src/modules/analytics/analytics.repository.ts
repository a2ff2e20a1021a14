import { type Kysely, sql } from "kysely";
import { deviceInReach, inScope, placedInReach } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { EventRecord, HerdBooks } from "./formulas/formula.ts";

/** Most records of a device that one answer is worked out of; thirty days of a busy injector are 15,000. */
const mostEvents = 100_000;

/** Most entries of a book, and alarms of a device, of one answer. */
const mostEntries = 5000;

/** Records of devices, for what is worked out of them. @param db a pool or an open transaction */
export function analyticsRepository(db: Kysely<DB>) {
  return {
    /** Records of a device in [from, to), ms since 1970, ascending; of its present owner's time alone. */
    async events(
      scope: TenantScope,
      deviceId: string,
      types: readonly string[],
      { fromMs, toMs }: { fromMs: number; toMs: number },
    ): Promise<EventRecord[]> {
      if (types.length === 0) return [];
      const rows = await db
        .selectFrom("deviceEvents as e")
        .innerJoin("devices as d", "d.id", "e.deviceId")
        .where(deviceInReach(scope, "d"))
        .where("e.deviceId", "=", deviceId)
        .where("e.type", "in", [...types])
        .where("e.ts", ">=", new Date(fromMs))
        .where("e.ts", "<", new Date(toMs))
        .where(sql<boolean>`e.ts >= coalesce(d.owned_since, '-infinity')`)
        .select(["e.type", "e.ts"])
        .select(sql<Record<string, unknown>>`e.body`.as("body"))
        .orderBy("e.ts")
        .orderBy("e.eventId")
        .limit(mostEvents)
        .execute();
      return rows.map(({ type, ts, body }) => ({ type, ts: ts.getTime(), body }));
    },

    /**
     * How many windows of a length in [from, to) a device reported in, and since when it was to: since it is its present owner's,
     * and for one that was added in the span since its first report. undefined for a device that the scope does not reach.
     */
    async reports(
      scope: TenantScope,
      deviceId: string,
      { fromMs, toMs }: { fromMs: number; toMs: number },
      windowMs: number,
    ): Promise<{ received: number; fromMs: number } | undefined> {
      const row = await db
        .selectFrom("devices as d")
        .where("d.id", "=", deviceId)
        .where(deviceInReach(scope, "d"))
        .select(["d.ownedSince", "d.createdAt"])
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { ownedSince, createdAt } = row;
      const { received, firstAt } = await db
        .selectFrom("telemetry as t")
        .where("t.deviceId", "=", deviceId)
        .where("t.ts", ">=", new Date(Math.max(fromMs, ownedSince?.getTime() ?? 0)))
        .where("t.ts", "<", new Date(toMs))
        .select([
          sql<number>`count(distinct floor(extract(epoch from t.ts) * 1000 / ${windowMs}::float8))::integer`.as(
            "received",
          ),
          sql<Date | null>`min(t.ts)`.as("firstAt"),
        ])
        .executeTakeFirstOrThrow();
      const isNew = createdAt.getTime() > fromMs && firstAt !== null;
      return {
        received,
        fromMs: Math.max(fromMs, ownedSince?.getTime() ?? 0, isNew ? (firstAt?.getTime() ?? 0) : 0),
      };
    },

    /** What the books of a herd hold of units. */
    async books(scope: TenantScope, unitIds: readonly string[]): Promise<HerdBooks> {
      if (unitIds.length === 0) return { plans: [], treatments: [], withdrawalDays: new Map() };
      const [plans, treatments, medicines] = await Promise.all([
        db
          .selectFrom("vaccinationPlanRows as p")
          .innerJoin("medicines as m", "m.id", "p.medicineId")
          .where(inScope(scope, "p"))
          .where("p.unitId", "in", [...unitIds])
          .select("m.name as medicine")
          // Columns of a view are typed as if they could be null.
          .select([sql<string>`p.task`.as("task"), sql<string>`p.unit_id`.as("unitId")])
          .select(sql<HerdBooks["plans"][number]["state"]>`p.state`.as("state"))
          .select(
            sql<number>`(extract(epoch from p.planned_on::timestamp at time zone 'Asia/Shanghai') * 1000)::float8`.as(
              "plannedMs",
            ),
          )
          .orderBy("p.plannedOn")
          .orderBy("p.id")
          .limit(mostEntries)
          .execute(),
        db
          .selectFrom("treatments as e")
          .leftJoin("medicines as m", "m.id", "e.medicineId")
          .where(inScope(scope, "e"))
          .where("e.unitId", "in", [...unitIds])
          .select(["e.type", "e.finding"])
          .select(sql<string>`coalesce(m.name, '')`.as("medicine"))
          .select(
            sql<number>`(extract(epoch from e.on_day::timestamp at time zone 'Asia/Shanghai') * 1000)::float8`.as(
              "dayMs",
            ),
          )
          .orderBy("e.onDay", "desc")
          .orderBy("e.id", "desc")
          .limit(mostEntries)
          .execute(),
        db
          .selectFrom("medicines as m")
          .where(inScope(scope, "m"))
          .where("m.tenantId", "in", (from) =>
            from
              .selectFrom("units as u")
              .select("u.tenantId")
              .where("u.id", "in", [...unitIds]),
          )
          .select(["m.name", "m.withdrawalDays"])
          .execute(),
      ]);
      return {
        plans,
        treatments: treatments.toReversed(),
        withdrawalDays: new Map(medicines.map(({ name, withdrawalDays }) => [name, withdrawalDays])),
      };
    },

    /** When alarms of a device were raised in [from, to), ms since 1970, ascending; of its present owner's time alone. */
    async alarms(
      scope: TenantScope,
      deviceId: string,
      { fromMs, toMs }: { fromMs: number; toMs: number },
    ): Promise<number[]> {
      const rows = await db
        .selectFrom("alarms as a")
        .innerJoin("devices as d", "d.id", "a.deviceId")
        .where(placedInReach(scope, "a"))
        .where(deviceInReach(scope, "d"))
        .where("a.deviceId", "=", deviceId)
        .where("a.raisedAt", ">=", new Date(fromMs))
        .where("a.raisedAt", "<", new Date(toMs))
        .where(sql<boolean>`not (a.suppressed or a.late or a.withdrawn)`)
        .where(sql<boolean>`a.raised_at >= coalesce(d.owned_since, '-infinity')`)
        .select("a.raisedAt")
        .orderBy("a.raisedAt")
        .limit(mostEntries)
        .execute();
      return rows.map(({ raisedAt }) => raisedAt.getTime());
    },
  };
}
export type AnalyticsRepository = ReturnType<typeof analyticsRepository>;
