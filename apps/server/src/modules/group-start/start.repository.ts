import { type CustomerRule, type DeskKey, type Outgoing, startTrendDays } from "@herdwise/contract";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { asksNow, inReach, inRowScope, inScope, placedInReach } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";

const today = sql`(now() at time zone 'Asia/Shanghai')::date`;
/** Day whose prices are being entered, as the desk of prices opens it: today, or tomorrow once today is published. */
const enteredDay = sql`(${today} + (select count(*)::int from price_days p where p.price_day = ${today} and p.published_at is not null))`;
const dayStart = sql`(${today}::timestamp at time zone 'Asia/Shanghai')`;
const dayEnd = sql`((${today} + 1)::timestamp at time zone 'Asia/Shanghai')`;

export interface DeskRow {
  waiting: number;
  oldest: Date | null;
  due: Date | null;
  lateSince: Date | null;
  late: number;
  dueToday: number;
  unassigned: number;
  came: number;
  dealt: number;
  hands: string[];
}

interface DeskSource {
  /** Selects `since`, `due` and `hand` of what waits, by the conditions of the list that the desk opens. */
  waiting: (scope: TenantScope) => RawBuilder<unknown>;
  /** Table and two conditions: what came today, and what was dealt with today. */
  counted: readonly [table: RawBuilder<unknown>, came: RawBuilder<unknown>, dealt: RawBuilder<unknown>];
}

const since = (column: string) => sql`${sql.ref(column)} >= ${dayStart}`;
const rowsOf = (scope: TenantScope) => sql`${inScope(scope, "t")} and ${inRowScope(scope, "t")}`;
/** A process of trade that waits in one state for a second person or for the desk. */
const ofProcess = (
  table: string,
  state: string,
  over: readonly string[],
  due = sql`null::timestamptz`,
): DeskSource => ({
  waiting: (scope) => sql`
    select t.state_at as since, ${due} as due, null::bigint as hand from ${sql.table(table)} t
     where t.state = ${state} and ${rowsOf(scope)}`,
  counted: [
    sql.table(table),
    sql`t.state_at >= ${dayStart} and t.state = any(${[state, ...over]}) or t.created_at >= ${dayStart} and t.state = ${state}`,
    sql`t.state_at >= ${dayStart} and t.state = any(${over})`,
  ],
});

const sources: Readonly<Record<DeskKey, DeskSource>> = {
  work_order: {
    waiting: (scope) => sql`
      select t.created_at as since, t.assignee_id as hand,
             case when t.state = 'waiting_customer' then null
                  when t.first_answered_at is null then least(t.first_due_at, t.solve_due_at) else t.solve_due_at end as due
        from work_orders t where t.state in ('pending', 'in_process', 'waiting_customer') and ${inScope(scope, "t")}`,
    counted: [sql`work_orders`, since("t.created_at"), since("t.solved_at")],
  },
  real_name: {
    waiting: (scope) => sql`
      select t.queued_at as since, t.due_at as due, case when t.claimed_until > now() then t.claimed_by end as hand
        from real_name_applications t where t.state in ('waiting', 'second_look') and ${inScope(scope, "t")}`,
    counted: [sql`real_name_applications`, since("t.queued_at"), since("t.decided_at")],
  },
  cancellation: {
    waiting: (scope) => sql`
      select t.asked_at as since, t.due_at as due, null::bigint as hand
        from cancellations t where t.state = 'waiting' and ${inScope(scope, "t")}`,
    counted: [sql`cancellations`, since("t.asked_at"), since("t.decided_at")],
  },
  site_form: {
    waiting: () => sql`
      select t.created_at as since, null::timestamptz as due, t.assignee_id as hand
        from site_forms t where t.state in ('new', 'working')`,
    counted: [
      sql`site_forms`,
      since("t.created_at"),
      sql`t.state in ('done', 'refused') and t.updated_at >= ${dayStart}`,
    ],
  },
  access_request: ofProcess("access_requests", "waiting", ["granted", "refused"]),
  contract: {
    waiting: (scope) => sql`
      select t.sent_at as since, t.sign_by as due, null::bigint as hand
        from contracts t where t.state in ('sent', 'seen') and ${inScope(scope, "t")}`,
    counted: [sql`contracts`, since("t.sent_at"), since("t.signed_at")],
  },
  price: {
    waiting: () => sql`
      select t.entered_at as since, d.publish_at as due, null::bigint as hand
        from price_entries t join price_days d using (price_day) where t.state = 'waiting' and t.price_day = ${enteredDay}
       union all
      select c.entered_at, null, null from price_corrections c where c.state = 'waiting'`,
    counted: [
      sql`price_entries`,
      sql`t.entered_at >= ${dayStart} and (t.state = 'waiting' or t.confirmed_by is not null)`,
      since("t.confirmed_at"),
    ],
  },
  declaration: ofProcess("declarations", "submitted", ["accepted", "declined"], sql`t.expires_at`),
  payment: ofProcess("payments", "recorded", ["done"]),
  settlement: ofProcess("settlements", "computed", ["confirmed", "void"]),
  invoice: ofProcess("invoices", "applied", ["issued", "returned"]),
};

export interface PlaceRow {
  name: string;
  devices: number;
  online: number;
  critical: number;
  major: number;
  farms: number;
  silentFarms: number;
  trend: number[];
}

/** What the group's staff see first. @param db a pool */
export function startRepository(db: Kysely<DB>) {
  return {
    async desk(scope: TenantScope, desk: DeskKey): Promise<DeskRow> {
      const { waiting, counted } = sources[desk];
      const [table, came, dealt] = counted;
      const { rows } = await sql<DeskRow>`
        with w as materialized (${waiting(scope)}), d as (
          select (count(*) filter (where ${came}))::int as came, (count(*) filter (where ${dealt}))::int as dealt from ${table} t)
        select count(*)::int as waiting, min(w.since) as oldest, min(w.due) filter (where w.due >= now()) as due,
               min(w.due) filter (where w.due < now()) as "lateSince", (count(*) filter (where w.due < now()))::int as late,
               (count(*) filter (where w.due >= now() and w.due < ${dayEnd}))::int as "dueToday",
               (count(*) filter (where w.hand is null))::int as unassigned,
               (select d.came from d) as came, (select d.dealt from d) as dealt,
               (select coalesce(array_agg(n.name), '{}') from (
                 select distinct coalesce(nullif(a.real_name, ''), nullif(a.nick_name, ''), a.account) as name
                   from w join accounts a on a.id = w.hand order by 1 limit 6) n) as hands
          from w`.execute(db);
      if (rows[0] === undefined) throw new Error(`the desk ${desk} was not counted`);
      return rows[0];
    },

    /** How many wait at some desks. @param of at least one */
    async counts(scope: TenantScope, of: readonly DeskKey[]): Promise<{ desk: DeskKey; count: number }[]> {
      const each = of.map(
        (desk) => sql`select ${desk}::text as desk, count(*)::int as count from (${sources[desk].waiting(scope)}) w`,
      );
      const { rows } = await sql<{ desk: DeskKey; count: number }>`${sql.join(each, sql` union all `)}`.execute(db);
      return rows;
    },

    /** Farms of customers by sales region (大区), and by the service department that is nearest by its region code. */
    async places(scope: TenantScope, by: "region" | "department"): Promise<PlaceRow[]> {
      const place =
        by === "region"
          ? sql`select r.region_name as name, r.sort::bigint as sort from sale_regions r
                 where r.status = '1' and left(f.region_code, 2) = any(r.provinces) order by r.sort limit 1`
          : sql`select s.department_name as name, s.id as sort from service_departments s
                 where s.status = '1' and left(s.region_code, 2) = left(f.region_code, 2)
                 order by left(s.region_code, 4) = left(f.region_code, 4) desc, s.id limit 1`;
      const { rows } = await sql<PlaceRow>`
        with farm as (
          select f.id, coalesce(p.name, '') as name, p.sort from farms f left join lateral (${place}) p on true
           where ${inReach(scope, "f")}),
        device as (
          select d.farm_id, count(*)::int as devices, (count(*) filter (where s.online_until > now()))::int as online
            from devices d left join device_states s on s.device_id = d.id
           where d.activated_at is not null and d.blocked_at is null group by d.farm_id),
        open as (
          select a.farm_id, (count(*) filter (where a.severity = 4))::int as critical, (count(*) filter (where a.severity = 3))::int as major
            from alarms a where a.ended_at is null and not a.suppressed and a.severity >= 3 group by a.farm_id),
        raised as (
          select a.farm_id, ${today} - (a.raised_at at time zone 'Asia/Shanghai')::date as ago, count(*)::int as count
            from alarms a
           where a.raised_at >= ${dayStart} - make_interval(days => ${startTrendDays - 1}) and a.severity >= 3 and not a.suppressed
             and not a.withdrawn group by 1, 2)
        select f.name, coalesce(sum(d.devices), 0)::int as devices, coalesce(sum(d.online), 0)::int as online,
               coalesce(sum(o.critical), 0)::int as critical, coalesce(sum(o.major), 0)::int as major, count(*)::int as farms,
               (count(*) filter (where d.devices > 0 and d.online = 0))::int as "silentFarms",
               (select array_agg(coalesce(t.count, 0) order by n.ago desc) from generate_series(0, ${startTrendDays - 1}) n (ago)
                  left join (select r.ago, sum(r.count)::int as count from raised r join farm x on x.id = r.farm_id
                              where x.name = f.name group by r.ago) t using (ago)) as trend
          from farm f left join device d on d.farm_id = f.id left join open o on o.farm_id = f.id
         group by f.name order by min(f.sort) nulls last`.execute(db);
      return rows;
    },

    /** Critical alarms that ask for somebody now. */
    async unheard(scope: TenantScope): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from alarms a
         where ${asksNow("a")} and a.severity = 4 and ${placedInReach(scope, "a")}`.execute(db);
      return rows[0]?.count ?? 0;
    },

    /** Customers with a finding, one line each by its worst rule; the rules come worst first. */
    async customers(scope: TenantScope, rules: readonly CustomerRule[], limit: number) {
      const { rows } = await sql<{
        tenantId: string;
        name: string;
        rule: CustomerRule;
        since: Date;
        detail: string;
        all: number;
      }>`
        select n.*, count(*) over ()::int as all from (
          select distinct on (c.tenant_id) c.tenant_id as "tenantId", e.name, c.rule, c.since_at as since, c.detail,
                 array_position(${[...rules]}::text[], c.rule) as place
            from customer_findings c join customer_entries e on e.tenant_id = c.tenant_id
           where ${inScope(scope, "c")} order by c.tenant_id, array_position(${[...rules]}::text[], c.rule)) n
         order by n.place, n.since limit ${limit}`.execute(db);
      return rows;
    },

    async contractsEnding(scope: TenantScope): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from contracts c
         where c.state = 'signed' and c.end_day <= ${today} + 30 and ${inScope(scope, "c")}`.execute(db);
      return rows[0]?.count ?? 0;
    },

    /** What is published today by its time, and has not been yet. */
    async outgoing(kinds: readonly Outgoing["kind"][]) {
      const { rows } = await sql<{
        kind: Outgoing["kind"];
        at: Date;
        title: string;
        ready: number | null;
        waiting: number | null;
      }>`
        select * from (
          select 'price' as kind, d.publish_at as at, '' as title,
                 (select count(*)::int from price_entries p where p.price_day = d.price_day and p.state = 'ready') as ready,
                 (select count(*)::int from price_entries p where p.price_day = d.price_day and p.state = 'waiting') as waiting
            from price_days d where d.price_day = ${today} and d.published_at is null
           union all
          select 'article', a.publish_at, a.title, null, null from articles a
           where a.state = 'scheduled' and a.publish_at < ${dayEnd}
           union all
          select 'announcement', n.due_at, n.title, null, null from announcements n
           where n.state = 'scheduled' and n.due_at < ${dayEnd}) o
         where o.kind = any(${[...kinds]}) order by o.at limit 20`.execute(db);
      return rows;
    },
  };
}
