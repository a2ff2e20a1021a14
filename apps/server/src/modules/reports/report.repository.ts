import type { DeviceKindId, ReportPeriod } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { deviceNameFor, inOneTenant, inReach, ofMember, placedInReach } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type MemberScope, requireSystemScope, type SystemScope, type TenantScope } from "../../tenant-scope.ts";

/** Rows of each list of a report. */
const shown = 20;
/** Rule of every kind for a device that fell silent. */
const offlineRule = "offline";

export interface AlarmRange {
  farmId: string;
  from: Date;
  to: Date;
}

/** @param db a pool or an open transaction */
export function reportRepository(db: Kysely<DB>) {
  const alarmsOf = (scope: TenantScope, { farmId }: AlarmRange) =>
    db
      .selectFrom("alarms as a")
      .where(placedInReach(scope, "a"))
      .where("a.farmId", "=", farmId)
      .where(sql<boolean>`not (a.suppressed or a.late or a.withdrawn)`);
  const raised = (scope: TenantScope, range: AlarmRange) =>
    alarmsOf(scope, range).where("a.raisedAt", ">=", range.from).where("a.raisedAt", "<", range.to);
  const held = (scope: TenantScope, range: AlarmRange) =>
    alarmsOf(scope, range)
      .where("a.raisedAt", "<", range.to)
      .where((where) => where.or([where("a.endedAt", "is", null), where("a.endedAt", ">", range.from)]));
  const acknowledgeS = sql`extract(epoch from a.acknowledged_at - a.recorded_at)`;
  const clearS = sql`extract(epoch from a.ended_at - a.raised_at)`;
  const median = (of: typeof clearS) =>
    sql<number | null>`(percentile_cont(0.5) within group (order by ${of}))::float8`;
  return {
    /** Ids of the alarms that held in a time, the worst and the longest first. */
    worst: async (scope: TenantScope, range: AlarmRange): Promise<string[]> => {
      const rows = await held(scope, range)
        .select("a.id")
        .orderBy("a.severity", "desc")
        .orderBy("a.raisedAt")
        .orderBy("a.id")
        .limit(shown)
        .execute();
      return rows.map(({ id }) => id);
    },

    /** How many alarms were raised in a time by severity, and how quickly they were answered. */
    async counts(scope: TenantScope, range: AlarmRange) {
      const [severities, totals] = await Promise.all([
        raised(scope, range)
          .select(["a.severity", sql<number>`count(*)::int`.as("count")])
          .groupBy("a.severity")
          .execute(),
        raised(scope, range)
          .select([
            sql<number>`count(*)::int`.as("total"),
            sql<number>`count(a.acknowledged_at)::int`.as("acknowledged"),
            median(acknowledgeS).as("acknowledgeS"),
            median(clearS).as("clearS"),
          ])
          .executeTakeFirstOrThrow(),
      ]);
      return { severities, ...totals };
    },

    /** The same by cause, the most first. */
    causes: (scope: TenantScope, range: AlarmRange) =>
      raised(scope, range)
        .select(["a.ruleId", sql<number>`count(*)::int`.as("count"), sql<number>`max(a.severity)::int`.as("severity")])
        .select([
          sql<DeviceKindId>`a.kind`.as("kind"),
          sql<string>`coalesce(max(a.facts ->> 'name'), '')`.as("ruleName"),
          median(acknowledgeS).as("acknowledgeS"),
          median(clearS).as("clearS"),
        ])
        .groupBy(["a.ruleId", "a.kind"])
        .orderBy("count", "desc")
        .orderBy("severity", "desc")
        .orderBy("a.ruleId")
        .limit(shown)
        .execute(),

    /** How long devices were offline within a time, the longest first. */
    offline: (scope: TenantScope, range: AlarmRange) =>
      held(scope, range)
        .innerJoin("devices as d", "d.id", "a.deviceId")
        .where("a.ruleId", "=", offlineRule)
        .select("a.deviceId")
        .select([
          sql<DeviceKindId>`a.kind`.as("kind"),
          sql<string>`max(${deviceNameFor("a")})`.as("deviceName"),
          sql<number>`sum(extract(epoch from least(coalesce(a.ended_at, ${range.to}::timestamptz), ${range.to}::timestamptz)
            - greatest(a.since_at, ${range.from}::timestamptz)))::float8`.as("seconds"),
        ])
        .groupBy(["a.deviceId", "a.kind"])
        .orderBy("seconds", "desc")
        .orderBy("a.deviceId")
        .execute(),

    /** The name of a farm that the scope reaches; undefined for none. */
    async farmName(scope: TenantScope, farmId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom("farms as f")
        .select("f.name")
        .where("f.id", "=", farmId)
        .where(inOneTenant(scope, "f"))
        .where(inReach(scope, "f"))
        .executeTakeFirst();
      return row?.name;
    },

    subscriptions: (scope: MemberScope) =>
      db
        .selectFrom("reportSubscriptions as s")
        .select(["s.farmId", "s.minute"])
        .select(sql<ReportPeriod>`s.period`.as("period"))
        .where(ofMember(scope, "s"))
        .orderBy("s.farmId")
        .orderBy("s.period")
        .execute(),

    /** @param toldOn the last day that counts as told */
    async subscribe(
      scope: MemberScope,
      row: { id: string; farmId: string; period: ReportPeriod; minute: number; toldOn: string },
    ): Promise<void> {
      await sql`
        insert into report_subscriptions (id, tenant_id, account_id, farm_id, period, minute, told_on)
        values (${row.id}, ${scope.tenantId}, ${scope.accountId}, ${row.farmId}, ${row.period}, ${row.minute}, ${row.toldOn}::date)
        on conflict on constraint report_subscriptions_unique do update set minute = excluded.minute, told_on = excluded.told_on`.execute(
        db,
      );
    },

    async unsubscribe(scope: MemberScope, farmId: string, period: ReportPeriod): Promise<void> {
      await db
        .deleteFrom("reportSubscriptions as s")
        .where(ofMember(scope, "s"))
        .where("s.farmId", "=", farmId)
        .where("s.period", "=", period)
        .execute();
    },
  };
}
export type ReportRepository = ReturnType<typeof reportRepository>;

export interface DueReport {
  accountId: string;
  farmId: string;
  farmName: string;
  period: ReportPeriod;
}

/**
 * Reports that somebody is to be told of, whosever they are.
 * @param db an open transaction
 */
export function dueReportRepository(db: Kysely<DB>, scope: SystemScope) {
  requireSystemScope(scope);
  return {
    /**
     * Takes subscriptions of which nobody was told since their time of this day (or of this week's Monday), and of whom may still
     * read reports of the farm's tenant. What is taken counts as told.
     * @param minute of the day; of weeks only those are taken whose Monday is over or whose minute has come on it
     */
    async take(
      at: { today: string; monday: string; minute: number },
      buttonCode: string,
      limit: number,
    ): Promise<DueReport[]> {
      const { rows } = await sql<DueReport>`
        with due as (
          select s.id from report_subscriptions s join farms f on f.id = s.farm_id and f.tenant_id = s.tenant_id
           where case s.period when 'day' then s.told_on < ${at.today}::date and s.minute <= ${at.minute}
                   else s.told_on < ${at.monday}::date and (${at.monday}::date < ${at.today}::date or s.minute <= ${at.minute}) end
             and exists (select from memberships m join accounts p on p.id = m.account_id and p.status = 1
                           join membership_roles mr on mr.membership_id = m.id join granted_menus rm on rm.role_id = mr.role_id
                           join menus n on n.id = rm.menu_id and n.code = ${buttonCode}
                          where m.account_id = s.account_id and m.tenant_id = s.tenant_id and m.status = 1)
           order by s.id limit ${limit} for update of s skip locked)
        update report_subscriptions s
           set told_on = case s.period when 'day' then ${at.today}::date else ${at.monday}::date end
          from due, farms f where due.id = s.id and f.id = s.farm_id
        returning s.account_id::text as account_id, s.farm_id::text as farm_id, f.name as farm_name, s.period`.execute(
        db,
      );
      return rows;
    },
  };
}
export type DueReportRepository = ReturnType<typeof dueReportRepository>;
