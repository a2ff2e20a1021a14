import type { AlarmEntry, AlarmResolution, AlarmState, DeviceKindId } from "@herdwise/contract";
import type { WorseFrom } from "@herdwise/device-kinds";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import {
  asksNow,
  deviceNameFor,
  inOneTenant,
  inReach,
  inScope,
  isKnown,
  placedInReach,
  placeName,
  worstFirst,
} from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readQuery, rowsIn } from "../../database/pages.ts";
import type { SystemScope, TenantScope } from "../../tenant-scope.ts";

/** An alarm with its places and people. */
export interface AlarmRow {
  id: string;
  tenantId: string;
  deviceId: string;
  deviceName: string;
  kind: DeviceKindId;
  ruleId: string;
  severity: number;
  state: AlarmState;
  farmId: string | null;
  farmName: string | null;
  houseId: string | null;
  houseName: string | null;
  unitId: string | null;
  unitName: string | null;
  headCount: number;
  facts: { key?: string; value?: unknown; limit?: unknown; name?: string; fields?: Readonly<Record<string, unknown>> };
  currentValue: unknown;
  sinceAt: Date;
  raisedAt: Date;
  endedAt: Date | null;
  acknowledgedAt: Date | null;
  acknowledgedBy: string;
  knownUntil: Date | null;
  knownBy: string;
  assignedTo: string | null;
  assignedName: string;
  closedAt: Date | null;
  resolution: string;
  causeId: string | null;
  step: number;
  nextStepAt: Date | null;
}

export interface AlarmFilter {
  severities?: readonly number[] | undefined;
  states?: readonly AlarmState[] | undefined;
  kind?: DeviceKindId | undefined;
  ruleId?: string | undefined;
  farmId?: string | undefined;
  unitId?: string | undefined;
  deviceId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

export interface EntryRow {
  id: string;
  action: AlarmEntry["action"];
  personName: string;
  body: string;
  createdAt: Date;
}

/** What somebody knows of an alarm. */
export interface KnownUntil extends WorseFrom {
  id: string;
  until: Date;
  /** The alarm above it that was acknowledged; undefined where it was this one. */
  through?: string | undefined;
}

export interface CountRow {
  farmId: string | null;
  severity: number;
  count: number;
  unacknowledged: number;
  mine: number;
  suppressed: boolean;
}

const stateColumn = sql<AlarmState>`case
  when a.withdrawn then 'withdrawn' when a.late then 'late' when a.closed_at is not null then 'closed'
  when a.ended_at is not null then 'cleared' when a.suppressed then 'suppressed' else 'open' end`;

const stateConditions: Readonly<Record<AlarmState, RawBuilder<SqlBool>>> = {
  open: sql<SqlBool>`(a.ended_at is null and not a.suppressed)`,
  suppressed: sql<SqlBool>`(a.suppressed and not a.late and not a.withdrawn)`,
  cleared: sql<SqlBool>`(a.ended_at is not null and a.closed_at is null and not a.late and not a.withdrawn and not a.suppressed)`,
  closed: sql<SqlBool>`(a.closed_at is not null)`,
  late: sql<SqlBool>`(a.late and not a.withdrawn)`,
  withdrawn: sql<SqlBool>`a.withdrawn`,
};

const personName = (alias: string) =>
  sql<string>`coalesce(nullif(${sql.ref(`${alias}.realName`)}, ''), nullif(${sql.ref(`${alias}.nickName`)}, ''), ${sql.ref(`${alias}.accountKey`)}, '')`;

const nameOfPerson = (id: string) =>
  sql<string>`coalesce((select ${personName("p")} from accounts p where p.id = ${sql.ref(id)}), '')`;

/** @param db a pool or an open transaction */
export function alarmRepository(db: Kysely<DB>) {
  const alarmsOf = (scope: TenantScope | SystemScope, filter: AlarmFilter = {}) => {
    let query = db.selectFrom("alarms as a").where(placedInReach(scope, "a"));
    const { severities, states, kind, ruleId, farmId, unitId, deviceId, from, to } = filter;
    if (severities !== undefined) query = query.where("a.severity", "in", [...severities]);
    if (states !== undefined && states.length > 0) {
      query = query.where((either) => either.or(states.map((state) => stateConditions[state])));
    }
    if (kind !== undefined) query = query.where("a.kind", "=", kind);
    if (ruleId !== undefined) query = query.where("a.ruleId", "=", ruleId);
    if (farmId !== undefined) query = query.where("a.farmId", "=", farmId);
    if (unitId !== undefined) query = query.where("a.unitId", "=", unitId);
    if (deviceId !== undefined) query = query.where("a.deviceId", "=", deviceId);
    if (from !== undefined) query = query.where("a.raisedAt", ">=", from);
    if (to !== undefined) query = query.where("a.raisedAt", "<", to);
    return query;
  };

  const withColumns = (query: ReturnType<typeof alarmsOf>) =>
    query
      .innerJoin("devices as d", "d.id", "a.deviceId")
      .leftJoin("deviceReadings as n", "n.deviceId", "a.deviceId")
      .leftJoin("units as u", "u.id", "a.unitId")
      .select([
        "a.id",
        "a.tenantId",
        "a.deviceId",
        "a.ruleId",
        "a.severity",
        "a.farmId",
        "a.houseId",
        "a.unitId",
        "u.name as unitName",
        "a.sinceAt",
        "a.raisedAt",
        "a.endedAt",
        "a.acknowledgedAt",
        "a.knownUntil",
        "a.assignedTo",
        "a.closedAt",
        "a.resolution",
        "a.causeId",
        "a.step",
        "a.nextStepAt",
      ])
      .select([
        stateColumn.as("state"),
        deviceNameFor("a").as("deviceName"),
        sql<DeviceKindId>`a.kind`.as("kind"),
        sql<AlarmRow["facts"]>`a.facts`.as("facts"),
        sql<number>`coalesce(u.head_count, 0)`.as("headCount"),
        sql<unknown>`case when a.ended_at is null then n.readings -> (a.facts ->> 'key') -> 'value' end`.as(
          "currentValue",
        ),
        placeName("farms", "a.farmId").as("farmName"),
        placeName("pigHouses", "a.houseId").as("houseName"),
        nameOfPerson("a.acknowledgedBy").as("acknowledgedBy"),
        nameOfPerson("a.knownBy").as("knownBy"),
        nameOfPerson("a.assignedTo").as("assignedName"),
      ]);

  const entriesOf = (scope: TenantScope) =>
    db
      .selectFrom("alarmEntries as e")
      .innerJoin("alarms as a", "a.id", "e.alarmId")
      .leftJoin("accounts as p", "p.id", "e.accountId")
      .select(["e.id", "e.alarmId", "e.body", "e.createdAt"])
      .select([
        sql<EntryRow["action"]>`e.action`.as("action"),
        sql<string>`case when p.id is null then '' else ${personName("p")} end`.as("personName"),
      ])
      .where(placedInReach(scope, "a"));

  return {
    page: (scope: TenantScope, filter: AlarmFilter, request: PageRange): Promise<{ rows: AlarmRow[]; total: number }> =>
      readQuery(
        withColumns(alarmsOf(scope, filter)),
        [
          { by: sql`a.raised_at`, descending: true },
          { by: sql`a.id`, descending: true },
        ],
        request,
        rowsIn(alarmsOf(scope, filter)),
      ),

    /**
     * Alarms of the log before a given one, newest first.
     * @param beforeId id of the last one that was read
     */
    before: (
      scope: TenantScope,
      filter: AlarmFilter,
      beforeId: string | undefined,
      limit: number,
    ): Promise<AlarmRow[]> => {
      const query = alarmsOf(scope, filter);
      return withColumns(beforeId === undefined ? query : query.where("a.id", "<", beforeId))
        .orderBy("a.id", "desc")
        .limit(limit)
        .execute();
    },

    count: (scope: TenantScope, filter: AlarmFilter): Promise<number> => rowsIn(alarmsOf(scope, filter))(),

    /** Open alarms, the worst first. */
    open: (scope: TenantScope, filter: AlarmFilter, suppressed: boolean, limit: number): Promise<AlarmRow[]> =>
      withColumns(alarmsOf(scope, filter).where("a.endedAt", "is", null).where("a.suppressed", "=", suppressed))
        .orderBy(worstFirst("a"))
        .limit(limit)
        .execute(),

    /** Open alarms without a cause, or with one, the worst first. */
    worst: (scope: TenantScope, limit: number, { following = false } = {}): Promise<AlarmRow[]> =>
      withColumns(
        alarmsOf(scope)
          .where("a.endedAt", "is", null)
          .where("a.suppressed", "=", false)
          .where("a.causeId", following ? "is not" : "is", null),
      )
        .orderBy(worstFirst("a"))
        .limit(limit)
        .execute(),

    counts: (scope: TenantScope, filter: AlarmFilter = {}): Promise<CountRow[]> =>
      alarmsOf(scope, filter)
        .where("a.endedAt", "is", null)
        .select(["a.farmId", "a.severity", "a.suppressed"])
        .select([
          sql<number>`count(*)::int`.as("count"),
          sql<number>`(count(*) filter (where ${asksNow("a")}))::int`.as("unacknowledged"),
          sql<number>`(count(*) filter (where a.assigned_to = ${scope.accountId}))::int`.as("mine"),
        ])
        .groupBy(["a.farmId", "a.severity", "a.suppressed"])
        .execute(),

    find: (scope: TenantScope, id: string): Promise<AlarmRow | undefined> =>
      withColumns(alarmsOf(scope).where("a.id", "=", id)).executeTakeFirst(),

    /** Person in charge of the alarm's farm, with the stored phone number; "" where there is none. */
    callee: (
      scope: TenantScope,
      id: string,
    ): Promise<{ tenantId: string; principal: string; contactPhoneEncrypted: string } | undefined> =>
      alarmsOf(scope)
        .where("a.id", "=", id)
        .leftJoin("farms as f", "f.id", "a.farmId")
        .select([
          "a.tenantId",
          sql<string>`coalesce(f.principal, '')`.as("principal"),
          sql<string>`coalesce(f.contact_phone_encrypted, '')`.as("contactPhoneEncrypted"),
        ])
        .executeTakeFirst(),

    effects: (scope: TenantScope, id: string): Promise<AlarmRow[]> =>
      withColumns(alarmsOf(scope).where("a.causeId", "=", id))
        .orderBy("a.raisedAt")
        .limit(100)
        .execute(),

    /** Alarms by their ids, for live streams, which check the reader's rights themselves, and for callers who name them. */
    some: (scope: TenantScope | SystemScope, ids: readonly string[]): Promise<AlarmRow[]> =>
      withColumns(alarmsOf(scope).where("a.id", "in", [...ids])).execute(),

    entries: (scope: TenantScope, id: string): Promise<EntryRow[]> =>
      entriesOf(scope).where("e.alarmId", "=", id).orderBy("e.id").limit(200).execute(),

    /** What people and their escalation did about alarms, newest first. */
    entriesOf: (
      scope: TenantScope,
      ids: readonly string[],
      limit: number,
    ): Promise<(EntryRow & { alarmId: string })[]> =>
      entriesOf(scope)
        .where("e.alarmId", "in", [...ids])
        .orderBy("e.id", "desc")
        .limit(limit)
        .execute(),

    /** Ids of those of the alarms that the scope reaches. */
    reached: async (scope: TenantScope, ids: readonly string[]): Promise<string[]> =>
      (
        await alarmsOf(scope)
          .select("a.id")
          .where("a.id", "in", [...ids])
          .execute()
      ).map(({ id }) => id),

    /** Those of the alarms that the scope reaches, locked for a change. */
    async held(
      scope: TenantScope,
      ids: readonly string[],
    ): Promise<
      {
        id: string;
        tenantId: string;
        deviceId: string;
        ruleId: string;
        kind: DeviceKindId;
        ended: boolean;
        closed: boolean;
        /** Somebody knows of it. */
        known: boolean;
        /** When it asked again; null for one that asked once. */
        askedAgainAt: Date | null;
        severity: number;
        facts: AlarmRow["facts"];
        /** Newest reading of the figure's channel; undefined for none. */
        currentValue: unknown;
        assignedTo: string | null;
      }[]
    > {
      const rows = await alarmsOf(scope)
        .where("a.id", "in", [...ids])
        .select([
          "a.id",
          "a.tenantId",
          "a.deviceId",
          "a.ruleId",
          "a.severity",
          "a.assignedTo",
          "a.askedAt as askedAgainAt",
        ])
        .select([
          sql<DeviceKindId>`a.kind`.as("kind"),
          sql<boolean>`a.ended_at is not null`.as("ended"),
          sql<boolean>`a.closed_at is not null`.as("closed"),
          sql<boolean>`${isKnown("a")}`.as("known"),
          sql<AlarmRow["facts"]>`a.facts`.as("facts"),
        ])
        .orderBy("a.id")
        .forUpdate()
        .execute();
      if (rows.length === 0) return [];
      const newest = await db
        .selectFrom("deviceReadings")
        .select(["deviceId", "readings"])
        .where("deviceId", "in", [...new Set(rows.map(({ deviceId }) => deviceId))])
        .execute();
      const readings = new Map(
        newest.map((row) => [row.deviceId, row.readings as Record<string, { value?: unknown }>]),
      );
      return rows.map((row) => ({
        ...row,
        currentValue: row.facts.key === undefined ? undefined : readings.get(row.deviceId)?.[row.facts.key]?.value,
      }));
    },

    /** Ids of open alarms that follow from others and are no more severe than these: what is known of a cause holds for them. */
    async beneath(scope: TenantScope, causeIds: readonly string[]): Promise<{ id: string; causeId: string }[]> {
      const rows = await alarmsOf(scope)
        .innerJoin("alarms as c", "c.id", "a.causeId")
        .where("c.id", "in", [...causeIds])
        .where("a.endedAt", "is", null)
        .where("a.suppressed", "=", false)
        .where(sql<SqlBool>`a.severity <= c.severity`)
        .where((either) => either.or([sql<SqlBool>`not ${isKnown("a")}`, sql<SqlBool>`a.known_through = c.id`]))
        .select(["a.id", sql<string>`c.id`.as("causeId")])
        .execute();
      return rows;
    },

    /** Stores that the scope's account knows of alarms, until when, and from which values on they ask again all the same. */
    async know(scope: TenantScope, alarms: readonly KnownUntil[]): Promise<void> {
      await sql`
        update alarms a set known_until = w.until, known_by = ${scope.accountId}, known_severity = a.severity, known_through = w.through,
               worse_above = w.above, worse_below = w.below,
               acknowledged_at = case when w.through is null then coalesce(a.acknowledged_at, now()) else a.acknowledged_at end,
               acknowledged_by = case when w.through is null then coalesce(a.acknowledged_by, ${scope.accountId}) else a.acknowledged_by end,
               assigned_to = case when w.through is null then coalesce(a.assigned_to, ${scope.accountId}) else a.assigned_to end,
               next_step_at = null
          from unnest(${alarms.map(({ id }) => id)}::bigint[], ${alarms.map(({ until }) => until)}::timestamptz[],
                      ${alarms.map(({ through }) => through ?? null)}::bigint[], ${alarms.map(({ above }) => above ?? null)}::float8[],
                      ${alarms.map(({ below }) => below ?? null)}::float8[]) as w (id, until, through, above, below)
         where a.id = w.id and ${inScope(scope, "a")}`.execute(db);
    },

    async assign(scope: TenantScope, ids: readonly string[], accountId: string): Promise<void> {
      await db
        .updateTable("alarms")
        .set({ assignedTo: accountId })
        .where(inScope(scope, "alarms"))
        .where("id", "in", [...ids])
        .execute();
    },

    async clear(scope: TenantScope, ids: readonly string[]): Promise<void> {
      await db
        .updateTable("alarms")
        .set({ endedAt: sql<Date>`greatest(raised_at, now())`, endedBy: scope.accountId, nextStepAt: null })
        .where(inScope(scope, "alarms"))
        .where("id", "in", [...ids])
        .where("endedAt", "is", null)
        .execute();
    },

    async close(scope: TenantScope, ids: readonly string[], resolution: AlarmResolution): Promise<void> {
      await db
        .updateTable("alarms")
        .set({
          closedAt: sql<Date>`now()`,
          closedBy: scope.accountId,
          resolution,
          acknowledgedAt: sql<Date>`coalesce(acknowledged_at, now())`,
          acknowledgedBy: sql<string>`coalesce(acknowledged_by, ${scope.accountId})`,
        })
        .where(inScope(scope, "alarms"))
        .where("id", "in", [...ids])
        .where("closedAt", "is", null)
        .execute();
    },

    async addEntries(
      scope: TenantScope,
      entries: readonly { id: string; alarmId: string; action: EntryRow["action"]; body: string }[],
    ): Promise<void> {
      if (entries.length === 0) return;
      await db
        .insertInto("alarmEntries")
        .values(entries.map((entry) => ({ ...entry, accountId: scope.accountId })))
        .execute();
    },

    /** Members of the scope's tenant whose roles grant a button code. */
    holders: (scope: TenantScope, buttonCode: string): Promise<{ id: string; personName: string }[]> =>
      db
        .selectFrom("memberships as m")
        .innerJoin("accounts as p", "p.id", "m.accountId")
        .select("p.id")
        .select(personName("p").as("personName"))
        .where(inOneTenant(scope, "m"))
        .where("m.status", "=", 1)
        .where("p.status", "=", 1)
        .where((where) =>
          where.exists(
            where
              .selectFrom("membershipRoles as mr")
              .innerJoin("grantedMenus as rm", "rm.roleId", "mr.roleId")
              .innerJoin("menus as n", "n.id", "rm.menuId")
              .select("n.id")
              .whereRef("mr.membershipId", "=", "m.id")
              .where("n.code", "=", buttonCode),
          ),
        )
        .orderBy("p.id")
        .limit(500)
        .execute(),

    /**
     * Statistics of the log. A year has many alarms but few days, rules and places, so two passes count, a third computes
     * medians, and names are looked up only for the results.
     */
    statistics: async (scope: TenantScope, filter: AlarmFilter) => {
      const counted = () => alarmsOf(scope, filter).where("a.late", "=", false).where("a.withdrawn", "=", false);
      const shown = () => counted().where("a.suppressed", "=", false);
      // China has no summer time, and adding a fixed offset is faster than converting the time zone of each row.
      const day = sql<string>`(a.raised_at at time zone interval '8 hours')::date`;
      // `extract` returns a numeric, which is slower to sum and sort.
      const acknowledgeS = sql<number>`date_part('epoch', a.acknowledged_at - a.recorded_at)`;
      const clearS = sql<number>`date_part('epoch', a.ended_at - a.raised_at)`;
      const count = sql<number>`count(*)::int`.as("count");
      const sums = db
        .with(
          (named) => named("told").materialized(),
          () =>
            counted()
              .select(["a.suppressed", "a.severity", "a.ruleId", "a.kind", day.as("day"), count])
              .select([
                sql<number>`count(*) filter (where a.resolution = 'false-alarm')`.as("falseAlarms"),
                sql<string | null>`max(a.facts ->> 'name')`.as("ruleName"),
                sql<number>`count(a.acknowledged_at)`.as("acknowledged"),
                sql<number>`sum(${acknowledgeS})`.as("acknowledgeS"),
                sql<number>`count(a.ended_at)`.as("cleared"),
                sql<number>`sum(${clearS})`.as("clearS"),
              ])
              .groupBy(["a.suppressed", "a.severity", "a.ruleId", "a.kind", day]),
        )
        .selectFrom("told")
        .select(["suppressed", "ruleId", "severity"])
        .select([
          sql<DeviceKindId>`kind`.as("kind"),
          sql<string>`to_char(day, 'YYYY-MM-DD')`.as("day"),
          sql<number>`sum(count)::int`.as("count"),
          sql<number>`sum(false_alarms)::int`.as("falseAlarms"),
          sql<string>`coalesce(max(rule_name), '')`.as("ruleName"),
          sql<number | null>`sum(acknowledge_s) / nullif(sum(acknowledged), 0)::float8`.as("acknowledgeS"),
          sql<number | null>`sum(clear_s) / nullif(sum(cleared), 0)::float8`.as("clearS"),
        ])
        .groupBy(sql`grouping sets ((suppressed), (suppressed, severity, day), (suppressed, rule_id, kind))`)
        .orderBy("day")
        .orderBy("count", "desc");
      const places = db
        .with(
          (named) => named("told").materialized(),
          () => shown().select(["a.farmId", "a.unitId", count]).groupBy(["a.farmId", "a.unitId"]),
        )
        .with("farmsTold", (told) =>
          told
            .selectFrom("told as c")
            .innerJoin("farms as f", "f.id", "c.farmId")
            .select(["f.id as farmId", "f.name as farmName", sql<number>`sum(c.count)::int`.as("count")])
            .groupBy(["f.id", "f.name"])
            .orderBy("count", "desc")
            .orderBy("f.id")
            .limit(100),
        )
        .with("unitsTold", (told) =>
          told
            .selectFrom("told as c")
            .innerJoin("units as u", "u.id", "c.unitId")
            .innerJoin("pigHouses as h", "h.id", "u.houseId")
            .innerJoin("farms as f", "f.id", "h.farmId")
            .where(inReach(scope, "u"))
            .select(["u.id as unitId", "f.name as farmName", "h.name as houseName", "u.name as unitName"])
            .select(sql<number>`sum(c.count)::int`.as("count"))
            .groupBy(["u.id", "f.name", "h.name", "u.name"])
            .orderBy("count", "desc")
            .orderBy("u.id")
            .limit(100),
        )
        .selectFrom("farmsTold")
        .select(["farmId", sql<string | null>`null::bigint`.as("unitId"), "farmName", "count"])
        .select([sql<string>`''`.as("houseName"), sql<string>`''`.as("unitName")])
        .unionAll((told) =>
          told
            .selectFrom("unitsTold")
            .select([sql<string>`null::bigint`.as("farmId"), "unitId", "farmName", "count", "houseName", "unitName"]),
        )
        .orderBy("count", "desc")
        .orderBy("farmId")
        .orderBy("unitId");
      const median = (of: RawBuilder<number>) =>
        sql<number | null>`(percentile_cont(0.5) within group (order by ${of}))::float8`;
      const medians = shown().select([median(acknowledgeS).as("acknowledgeS"), median(clearS).as("clearS")]);
      const [told, ofPlaces, took] = await Promise.all([
        sums.execute(),
        places.execute(),
        medians.executeTakeFirstOrThrow(),
      ]);
      const seen = told.filter(({ suppressed }) => !suppressed);
      const whole = (of: typeof told) => of.find(({ day, ruleId }) => day === null && ruleId === null);
      return {
        days: seen.flatMap(({ day, severity, count }) => (day === null ? [] : [{ day, severity, count }])),
        rules: seen
          .filter(({ ruleId }) => ruleId !== null)
          .slice(0, 100)
          .map(({ ruleId, kind, ruleName, count, acknowledgeS, clearS }) => ({
            ruleId,
            kind,
            ruleName,
            count,
            acknowledgeS,
            clearS,
          })),
        farms: ofPlaces.flatMap(({ farmId, farmName, count }) =>
          farmId === null ? [] : [{ farmId, farmName, count }],
        ),
        units: ofPlaces.flatMap(({ unitId, farmName, houseName, unitName, count }) =>
          unitId === null ? [] : [{ unitId, farmName, houseName, unitName, count }],
        ),
        total: whole(seen)?.count ?? 0,
        falseAlarms: whole(seen)?.falseAlarms ?? 0,
        suppressed: whole(told.filter(({ suppressed }) => suppressed))?.count ?? 0,
        ...took,
      };
    },
  };
}
export type AlarmRepository = ReturnType<typeof alarmRepository>;
