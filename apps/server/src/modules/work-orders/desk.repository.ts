import { closeDays, type WorkOrderQueue, type WorkOrderType } from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { inScope, likeWord, personName } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type List, type Order, type PageRange, readList, readRows } from "../../database/pages.ts";
import type { Due } from "../../processes/index.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import {
  dueNext,
  isLate,
  isOpen,
  type OrderRow,
  orderColumns,
  orderJoins,
  orderTables,
} from "./work-order.repository.ts";

/** The desk is told so many minutes before a solution is due. */
const soonMinutes = 60;
/** Days after which a customer who was asked something is reminded. */
const forgottenDays = 2;

const toldOnce = (mark: string, due: Pick<Due, "at" | "before" | "where">): Due => ({
  table: "workOrders",
  alias: "w",
  ...due,
  where: sql<SqlBool>`${due.where} and not ${sql.ref(`w.${mark}`)}`,
  marks: sql`${sql.ref(mark)} = true`,
});
/** What time does to orders. */
export const orderDue = {
  /** The first answer is late. */
  unanswered: toldOnce("told_first", {
    at: sql`w.first_due_at`,
    before: sql`now()`,
    where: sql<SqlBool>`${isOpen} and w.first_answered_at is null`,
  }),
  soon: toldOnce("told_soon", {
    at: sql`w.solve_due_at`,
    before: sql`now() + make_interval(mins => ${soonMinutes})`,
    where: sql<SqlBool>`${isOpen} and w.solve_due_at > now()`,
  }),
  late: toldOnce("told_late", { at: sql`w.solve_due_at`, before: sql`now()`, where: isOpen }),
  /** The customer was asked something and did not answer. */
  forgotten: toldOnce("told_customer", {
    at: sql`w.updated_at`,
    before: sql`now() - make_interval(days => ${forgottenDays})`,
    where: sql<SqlBool>`w.state = 'waiting_customer'`,
  }),
  /** Nobody rated it. */
  unrated: {
    table: "workOrders",
    alias: "w",
    at: sql`w.solved_at`,
    before: sql`now() - make_interval(days => ${closeDays})`,
    where: sql<SqlBool>`w.state = 'completed' and w.type <> 'suggestion'`,
  },
} satisfies Record<string, Due>;

/** Bits of an id that a span of the counts leaves out. */
const spanBits = 48;

interface OrderFilter {
  queue: WorkOrderQueue;
  type?: WorkOrderType | undefined;
  assignee?: string | undefined;
  keyword?: string | undefined;
  ids?: readonly string[] | undefined;
}

/** The desk's queues and figures, and what the clock finds. @param db a pool or an open transaction */
export function deskRepository(db: Kysely<DB>) {
  const idOf = async (scope: TenantScope, number: string): Promise<string | undefined> => {
    const { rows } = await sql<{ id: string }>`
      select w.id from work_orders w where w.number = ${number} and ${inScope(scope, "w")}`.execute(db);
    return rows[0]?.id;
  };
  /** What is due first at the top; of `all` the newest. */
  const orderOf = (queue: WorkOrderQueue): Order =>
    queue === "all" ? [{ by: sql`w.id`, descending: true }] : [{ by: dueNext }, { by: sql`w.id` }];
  /** Rows are chosen by their ids alone, and then shown: a page reads no more rows than it has. */
  const listOf = (queue: WorkOrderQueue, where: readonly RawBuilder<SqlBool>[]): List => ({
    table: sql`work_orders w`,
    where,
    order: orderOf(queue),
    columns: orderColumns,
    key: "w.id",
    joins: orderJoins,
  });
  /** A page of all orders, or those of a type: their counts say in which span of ids it begins. */
  const pageOfAll = async (scope: TenantScope, type: WorkOrderType | undefined, { offset, limit }: PageRange) => {
    const ofType = type ? sql`n.type = ${type}` : sql`true`;
    const { rows: places } = await sql<{ total: number; below: string | null; before: number | null }>`
      select (select coalesce(sum(n.count), 0)::int from work_order_counts n where ${ofType}) as total,
             ((p.span + 1)::bigint << ${spanBits}::int)::text as below, (p.upto - p.count)::int as before
        from (select) as one left join lateral (
          select s.span, s.count, s.upto
            from (select n.span, sum(n.count) as count, sum(sum(n.count)) over (order by n.span desc) as upto
                    from work_order_counts n where ${ofType} group by n.span) s
           where s.upto > ${offset} order by s.span desc limit 1) p on true`.execute(db);
    const [place] = places;
    if (place?.below == null || place.before === null) return { rows: [], total: place?.total ?? 0 };
    const where = [sql<SqlBool>`w.id < ${place.below}::bigint`, inScope(scope, "w")];
    if (type) where.push(sql<SqlBool>`w.type = ${type}`);
    const rows = await readRows<OrderRow>(db, listOf("all", where), { offset: offset - place.before, limit });
    return { rows, total: place.total };
  };
  return {
    async page(
      scope: TenantScope,
      filter: OrderFilter,
      request: PageRange,
    ): Promise<{ rows: OrderRow[]; total: number }> {
      const { queue, type, assignee, keyword, ids } = filter;
      if (queue === "all" && !assignee && !keyword && !ids && scope.everyTenant) return pageOfAll(scope, type, request);
      const queues: Readonly<Record<WorkOrderQueue, RawBuilder<SqlBool>>> = {
        mine: sql<SqlBool>`(${isOpen} and w.assignee_id = ${scope.accountId})`,
        unassigned: sql<SqlBool>`(${isOpen} and w.assignee_id is null)`,
        overdue: sql<SqlBool>`(${isOpen} and ${dueNext} < now())`,
        waiting: sql<SqlBool>`w.state = 'waiting_customer'`,
        open: isOpen,
        all: sql<SqlBool>`true`,
      };
      const conditions = [inScope(scope, "w"), queues[queue]];
      if (type) conditions.push(sql<SqlBool>`w.type = ${type}`);
      if (ids) conditions.push(sql<SqlBool>`w.id = any(${[...ids]}::bigint[])`);
      if (assignee) conditions.push(sql<SqlBool>`w.assignee_id = ${assignee}`);
      if (keyword) {
        // A whole number is one order; else it is part of number, title, device or customer. What is open stands in an index with its words.
        const id = await idOf(scope, keyword.toUpperCase());
        if (id === undefined && queue === "all")
          return readList(db, { ...listOf("all", conditions), word: { words: sql`w.words`, keyword } }, request);
        conditions.push(
          id === undefined ? sql<SqlBool>`w.words like ${likeWord(keyword.toLowerCase())}` : sql<SqlBool>`w.id = ${id}`,
        );
      }
      return readList(db, listOf(queue, conditions), request);
    },

    /** Other orders of the same device, then of the same customer. */
    async related(
      scope: TenantScope,
      { id, tenantId, deviceId }: Pick<OrderRow, "id" | "tenantId" | "deviceId">,
      most: number,
    ) {
      const { rows } = await sql<OrderRow>`
        select ${orderColumns} from ${orderTables}
         where w.tenant_id = ${tenantId} and w.id <> ${id} and w.type <> 'suggestion' and ${inScope(scope, "w")}
         order by (w.device_id is not distinct from ${deviceId}::bigint and w.device_id is not null) desc, w.id desc limit ${most}`.execute(
        db,
      );
      return rows;
    },

    idOf: (scope: TenantScope, number: string) => idOf(scope, number),

    /** Members of a tenant whose roles hold a right, with what they have in hand. */
    async people(scope: TenantScope, right: string) {
      const { rows } = await sql<{
        id: string;
        name: string;
        open: number;
        overdue: number;
        completed: number;
        rating: number | null;
      }>`
        select p.id, ${personName("p")} as name, o.open, o.overdue, s.completed, s.rating
          from memberships m join accounts p on p.id = m.account_id
         cross join lateral (select count(*)::int as open, (count(*) filter (where ${isLate}))::int as overdue
                               from work_orders w where w.assignee_id = p.id and ${isOpen}) o
         cross join lateral (select (count(*) filter (where w.state in ('completed', 'closed')))::int as completed, avg(w.rating)::float8 as rating
                               from work_orders w where w.assignee_id = p.id and w.solved_at > now() - interval '30 days') s
         where m.tenant_id = ${scope.tenantId} and m.status = 1 and p.status = 1
           and exists (select from membership_roles mr join granted_menus rm on rm.role_id = mr.role_id join menus n on n.id = rm.menu_id
                        where mr.membership_id = m.id and n.code = ${right})
         order by o.open desc, p.id limit 200`.execute(db);
      return rows;
    },

    async figures(scope: TenantScope) {
      const aged = (from: number, to: number | undefined) =>
        sql<number>`(count(*) filter (where w.created_at <= now() - make_interval(days => ${from})
                       and ${to === undefined ? sql`true` : sql`w.created_at > now() - make_interval(days => ${to})`}))::int`;
      // What is open and what is new stand in an index each, which has all that is counted.
      const { rows } = await sql<{
        mine: number;
        unassigned: number;
        overdue: number;
        waiting: number;
        open: number;
        age0: number;
        age1: number;
        age2: number;
        age3: number;
        firstInTime: number | null;
        solvedInTime: number | null;
        rating: number | null;
      }>`
        select * from (
          select (count(*) filter (where w.assignee_id = ${scope.accountId}))::int as mine,
                 (count(*) filter (where w.assignee_id is null))::int as unassigned,
                 (count(*) filter (where ${isLate}))::int as overdue,
                 (count(*) filter (where w.state = 'waiting_customer'))::int as waiting,
                 count(*)::int as open, ${aged(0, 1)} as age0, ${aged(1, 3)} as age1, ${aged(3, 7)} as age2, ${aged(7, undefined)} as age3
            from work_orders w where ${isOpen} and ${inScope(scope, "w")}) o
         cross join (
          select (avg((w.first_answered_at <= w.first_due_at)::int) filter (where w.first_answered_at is not null))::float8 as first_in_time,
                 (avg((w.solved_at <= coalesce(w.solve_due_at, w.solved_at))::int) filter (where w.solved_at is not null))::float8 as solved_in_time,
                 avg(w.rating)::float8 as rating
            from work_orders w
           where w.created_at > now() - interval '30 days' and w.type <> 'suggestion' and ${inScope(scope, "w")}) n`.execute(
        db,
      );
      return rows[0];
    },

    /** When orders of the last 30 days were raised, answered and solved, newest first. */
    async times(scope: TenantScope, most: number) {
      const { rows } = await sql<{ createdAt: Date; firstAnsweredAt: Date | null; solvedAt: Date | null }>`
        select w.created_at, w.first_answered_at, w.solved_at from work_orders w
         where w.created_at > now() - interval '30 days' and w.type <> 'suggestion' and w.first_answered_at is not null
           and ${inScope(scope, "w")}
         order by w.id desc limit ${most}`.execute(db);
      return rows;
    },
  };
}
export type DeskRepository = ReturnType<typeof deskRepository>;
