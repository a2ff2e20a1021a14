import { type TodoKind, todoDays } from "@herdwise/contract";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { inOneTenant, inRowScope } from "../../database/conditions.ts";
import { fetchedFirst } from "../../database/distribution.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { dueNext, isLate } from "../work-orders/index.ts";

export interface TodoRow {
  kind: TodoKind;
  id: string;
  title: string;
  variant: string;
  sinceMs: number;
  dueMs: number | null;
  late: boolean;
}

export interface TodoCount {
  kind: TodoKind;
  variant: string;
  count: number;
  late: number;
}

const today = sql`(now() at time zone 'Asia/Shanghai')::date`;
/** The moment after a last day. */
const endOf = (day: string) => sql`((${sql.ref(day)} + 1)::timestamp at time zone 'Asia/Shanghai')`;
const own = (scope: TenantScope) => sql`${inOneTenant(scope, "t")} and ${inRowScope(scope, "t")}`;

/** Rows of a process in one state. */
const ofProcess =
  (
    table: string,
    state: string,
    { title = "number", variant = sql`''`, due = sql`null::timestamptz`, where = sql`true` } = {},
  ) =>
  (scope: TenantScope) =>
    sql`
    select t.id::text as id, ${sql.ref(`t.${title}`)} as title, ${variant} as variant, t.state_at as since, ${due} as due
      from ${sql.table(table)} t where t.state = ${state} and ${where} and ${own(scope)}`;

/** Tasks of which injectors of the customer told that they are over, as `closed`. */
const closedTasks = (scope: TenantScope) => sql`
  select d.tenant_id, e.body ->> 'task' as task
    from devices d join device_events e on e.device_id = d.id and e.type = 'session_closed'
   where d.kind = 'needleless' and ${inOneTenant(scope, "d")}`;

const ofWorkOrders = (where: RawBuilder<unknown>, due: RawBuilder<unknown>) => (scope: TenantScope) =>
  sql`
    select w.id::text as id, w.title, w.type as variant, w.updated_at as since, ${due} as due
      from work_orders w where ${where} and w.type <> 'suggestion' and ${inOneTenant(scope, "w")}`;

/** Selects id, title, variant, since and due of what waits, by the conditions of the list of its kind. */
const sources: Readonly<Record<TodoKind, (scope: TenantScope) => RawBuilder<unknown>>> = {
  work_order_answer: ofWorkOrders(sql`w.state = 'waiting_customer'`, sql`null::timestamptz`),
  work_order_late: ofWorkOrders(sql`w.state <> 'waiting_customer' and ${isLate}`, dueNext),
  work_order_rate: ofWorkOrders(sql`w.state = 'completed'`, sql`null::timestamptz`),
  // A vehicle that is not on its way yet and whose certificate ends before the end of its day.
  transit_papers: (scope) => sql`
    select t.id::text as id, t.plate as title, '' as variant, t.created_at as since,
           (t.day::timestamp at time zone 'Asia/Shanghai') as due
      from transit_rows t
     where t.state in ('planned', 'ready') and t.day <= ${today} + ${sql.lit(todoDays.papers)}
       and coalesce(t.disinfection_until < greatest(now(), (t.day::timestamp at time zone 'Asia/Shanghai')), true) and ${own(scope)}`,
  payment: ofProcess("payments", "awaited", {
    variant: sql`t.kind`,
    due: sql`(select o.pay_by from sale_orders o where o.id = t."order" and t.kind = 'prepayment')`,
    where: sql`t.kind <> 'refund'`,
  }),
  deposit: ofProcess("deposits", "awaited"),
  counter_offer: ofProcess("declarations", "offered", { due: sql`t.expires_at` }),
  contract: (scope) => sql`
    select t.id::text as id, t.title, '' as variant, t.sent_at as since, t.sign_by as due
      from contracts t where t.state in ('sent', 'seen') and ${inOneTenant(scope, "t")}`,
  // Whose newest application is none that is in force or on its way.
  real_name: (scope) => sql`
    select t.tenant_id as id, '' as title, coalesce(n.state, 'none') as variant, coalesce(n.decided_at, t.created_at) as since,
           null::timestamptz as due
      from tenants t
      left join lateral (select r.state, r.decided_at from real_name_applications r where r.tenant_id = t.tenant_id
                          order by r.id desc limit 1) n on true
     where t.type <> 'group' and coalesce(n.state, 'none') in ('none', 'rejected', 'suspended') and ${inOneTenant(scope, "t")}
       and not exists (select from real_name_applications r where r.tenant_id = t.tenant_id and r.state = 'passed')`,
  licence: (scope) => sql`
    select t.id::text as id, to_char(t.licence_until, 'YYYY-MM-DD') as title, '' as variant, coalesce(t.decided_at, t.queued_at, now()) as since,
           ${endOf("t.licence_until")} as due
      from real_name_applications t
     where t.state = 'passed' and t.licence_until <= ${today} + ${sql.lit(todoDays.licence)} and ${inOneTenant(scope, "t")}`,
  access_request: (scope) => sql`
    select t.id::text as id, m.name as title, '' as variant, t.created_at as since, null::timestamptz as due
      from access_requests t join menus m on m.id = t.menu_id where t.state = 'waiting' and ${own(scope)}`,
  // As the reminder has it: what was followed by another of its type at the same place is done.
  maintenance: (scope) => sql`
    select t.id::text as id, t.work as title, '' as variant, t.created_at as since, ${endOf("t.next_due_on")} as due
      from maintenance_entries t
     where t.next_due_on <= ${today} + ${sql.lit(todoDays.maintenance)} and ${own(scope)}
       and not exists (
         select from maintenance_entries l
          where l.tenant_id = t.tenant_id and l.type = t.type and l.id <> t.id and (l.done_on, l.id) > (t.done_on, t.id)
            and case when t.device_id is null then l.unit_id = t.unit_id else l.device_id = t.device_id end)`,
  // Planned, and no injector told yet that its task is over. Where none ever told of a task, a day that is over says nothing.
  vaccination: (scope) => sql`
    select t.id::text as id, concat(h.name, ' ', u.name) as title, '' as variant, t.created_at as since, ${endOf("t.planned_on")} as due
      from vaccination_plans t join units u on u.id = t.unit_id join pig_houses h on h.id = u.house_id
     where t.planned_on between ${today} - ${sql.lit(todoDays.vaccinationAfter)} and ${today} + ${sql.lit(todoDays.vaccination)}
       and ${own(scope)}
       and not exists (select from closed c where c.tenant_id = t.tenant_id and c.task = t.task)
       and (t.planned_on >= ${today} or exists (select from closed c where c.tenant_id = t.tenant_id))`,
  invoice_returned: ofProcess("invoices", "returned", {
    where: sql`not exists (select from invoices o where o."order" = t."order" and o.id > t.id)`,
  }),
};

/** What waits for members of a customer. @param db a pool */
export function todoRepository(db: Kysely<DB>) {
  /** Kinds are named here alone, so none comes from a caller. */
  const waiting = (scope: TenantScope, kinds: readonly TodoKind[]) =>
    sql.join(
      kinds.map((kind) => sql`select ${kind}::text as kind, k.* from (${sources[kind](scope)}) k`),
      sql` union all `,
    );
  return {
    /** What rows wait for, by their ids. @param kinds at least one */
    async on(
      scope: TenantScope,
      kinds: readonly TodoKind[],
      ids: readonly string[],
    ): Promise<{ id: string; kind: TodoKind; variant: string }[]> {
      const { rows } = await sql<{ id: string; kind: TodoKind; variant: string }>`
        with closed as ${await fetchedFirst(db)} (${closedTasks(scope)})
        select w.id, w.kind, w.variant from (${waiting(scope, kinds)}) w where w.id = any(${[...ids]}::text[])
         order by array_position(${[...kinds]}::text[], w.kind)`.execute(db);
      return rows;
    },

    /**
     * @param kinds at least one
     * @returns late ones first, then by their day; and how many of each kind
     */
    async of(
      scope: TenantScope,
      kinds: readonly TodoKind[],
      limit: number,
    ): Promise<{ rows: TodoRow[]; counts: TodoCount[] }> {
      const { rows } = await sql<{ rows: TodoRow[]; counts: TodoCount[] }>`
        with closed as ${await fetchedFirst(db)} (${closedTasks(scope)}), w as materialized (${waiting(scope, kinds)})
        select (select coalesce(jsonb_agg(n), '[]') from (
                 select w.kind, w.id, w.title, w.variant, floor(extract(epoch from w.since) * 1000)::bigint as "sinceMs",
                        floor(extract(epoch from w.due) * 1000)::bigint as "dueMs", coalesce(w.due < now(), false) as late
                   from w order by coalesce(w.due < now(), false) desc, w.due nulls last, array_position(${[...kinds]}::text[], w.kind), w.since, w.id
                  limit ${limit}) n) as rows,
               (select coalesce(jsonb_agg(c), '[]') from (
                 select w.kind, w.variant, count(*)::int as count, (count(*) filter (where w.due < now()))::int as late
                   from w group by 1, 2 order by 1, 2) c) as counts`.execute(db);
      return rows[0] ?? { rows: [], counts: [] };
    },
  };
}
