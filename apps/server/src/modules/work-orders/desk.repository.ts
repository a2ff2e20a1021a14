import type { WorkOrderQueue, WorkOrderType } from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { inScope, likeWord, wordPieces } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope, type TenantScope } from "../../tenant-scope.ts";
import { isLate, isOpen, type OrderRow, orderColumns, orderJoins, orderTables } from "./work-order.repository.ts";

/** Somebody who is to be told of an order by the clock. */
export interface Due {
  id: string;
  number: string;
  title: string;
  type: WorkOrderType;
  assigneeId: string | null;
  createdBy: string | null;
}

/** Orders that one look of the clock takes. */
const takenTogether = 200;

/** Part of a number, a title, a device's or a customer's name, among the orders of all customers: found by the indexes of words. */
function meantBy(keyword: string | undefined): RawBuilder<SqlBool> {
  if (!keyword) return sql<SqlBool>`true`;
  const word = keyword.toLowerCase();
  return sql<SqlBool>`w.id in (
    select s.id from work_orders s where word_pieces(s.words) @> ${wordPieces(word)}::text[] and s.words like ${likeWord(word)}
    union
    select s.id from customer_entries c join work_orders s on s.tenant_id = c.tenant_id
     where word_pieces(c.words) @> ${wordPieces(word)}::text[] and lower(c.name) like ${likeWord(word)})`;
}

/** The desk's queues and figures, and what the clock finds. @param db a pool or an open transaction */
export function deskRepository(db: Kysely<DB>) {
  /** Marks open orders that a condition holds for, and that nobody was told of. */
  const take = async (scope: SystemScope, told: string, condition: RawBuilder<SqlBool>): Promise<Due[]> => {
    requireSystemScope(scope);
    const { rows } = await sql<Due>`
      update work_orders w set ${sql.ref(told)} = true
       where w.id in (select w.id from work_orders w where ${isOpen} and not ${sql.ref(`w.${told}`)} and ${condition} and ${inScope(scope, "w")}
                       order by w.id limit ${takenTogether} for update skip locked)
      returning w.id, w.number, w.title, w.type, w.assignee_id, w.created_by`.execute(db);
    return rows;
  };

  return {
    /** What is due first at the top; `all` the newest first. */
    async page(
      scope: TenantScope,
      filter: {
        queue: WorkOrderQueue;
        type?: WorkOrderType | undefined;
        assignee?: string | undefined;
        keyword?: string | undefined;
      },
      { offset, limit }: { offset: number; limit: number },
    ): Promise<{ rows: OrderRow[]; total: number }> {
      const queues: Readonly<Record<WorkOrderQueue, RawBuilder<SqlBool>>> = {
        mine: sql<SqlBool>`(${isOpen} and w.assignee_id = ${scope.accountId})`,
        unassigned: sql<SqlBool>`(${isOpen} and w.assignee_id is null)`,
        overdue: isLate,
        waiting: sql<SqlBool>`w.state = 'waiting_customer'`,
        open: isOpen,
        all: sql<SqlBool>`true`,
      };
      const order =
        filter.queue === "all"
          ? sql`w.id desc`
          : sql`least(case when w.first_answered_at is null then w.first_due_at end, w.solve_due_at) nulls last, w.id`;
      const chosen = sql`
        from work_orders w where ${inScope(scope, "w")} and ${queues[filter.queue]}
         and ${filter.type ? sql`w.type = ${filter.type}` : sql`true`}
         and ${filter.assignee ? sql`w.assignee_id = ${filter.assignee}` : sql`true`} and ${meantBy(filter.keyword)}`;
      // Names are looked up for the page alone, and what is counted is not sorted.
      const [{ rows }, count] = await Promise.all([
        sql<OrderRow>`
          select ${orderColumns} from (select w.* ${chosen} order by ${order} offset ${offset} limit ${limit}) w ${orderJoins}
           order by ${order}`.execute(db),
        sql<{ total: number }>`select count(*)::int as total ${chosen}`.execute(db),
      ]);
      return { rows, total: count.rows[0]?.total ?? 0 };
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

    async idOf(scope: TenantScope, number: string): Promise<string | undefined> {
      const { rows } = await sql<{ id: string }>`
        select w.id from work_orders w where w.number = ${number} and ${inScope(scope, "w")}`.execute(db);
      return rows[0]?.id;
    },

    /** Members of a tenant whose roles hold a right, with what they have in hand. */
    async people(scope: TenantScope, right: string) {
      const recent = sql`w.solved_at > now() - interval '30 days'`;
      const { rows } = await sql<{
        id: string;
        name: string;
        open: number;
        overdue: number;
        completed: number;
        rating: number | null;
      }>`
        select p.id, coalesce(nullif(p.real_name, ''), nullif(p.nick_name, ''), p.account) as name,
               (count(w.id) filter (where ${isOpen}))::int as open, (count(w.id) filter (where ${isLate}))::int as overdue,
               (count(w.id) filter (where ${recent} and w.state in ('completed', 'closed')))::int as completed,
               (avg(w.rating) filter (where ${recent}))::float8 as rating
          from memberships m join accounts p on p.id = m.account_id
          left join work_orders w on w.assignee_id = p.id and (${isOpen} or ${recent})
         where m.tenant_id = ${scope.tenantId} and m.status = 1 and p.status = 1
           and exists (select from membership_roles mr join role_menus rm on rm.role_id = mr.role_id join menus n on n.id = rm.menu_id
                        where mr.membership_id = m.id and n.code = ${right})
         group by p.id order by open desc, p.id limit 200`.execute(db);
      return rows;
    },

    async figures(scope: TenantScope) {
      const recent = sql`w.created_at > now() - interval '30 days' and w.type <> 'suggestion'`;
      const aged = (from: number, to: number | undefined) =>
        sql<number>`(count(*) filter (where ${isOpen} and w.created_at <= now() - make_interval(days => ${from})
                       and ${to === undefined ? sql`true` : sql`w.created_at > now() - make_interval(days => ${to})`}))::int`;
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
        select (count(*) filter (where ${isOpen} and w.assignee_id = ${scope.accountId}))::int as mine,
               (count(*) filter (where ${isOpen} and w.assignee_id is null))::int as unassigned,
               (count(*) filter (where ${isLate}))::int as overdue,
               (count(*) filter (where w.state = 'waiting_customer'))::int as waiting,
               (count(*) filter (where ${isOpen}))::int as open,
               ${aged(0, 1)} as age0, ${aged(1, 3)} as age1, ${aged(3, 7)} as age2, ${aged(7, undefined)} as age3,
               (avg((w.first_answered_at <= w.first_due_at)::int) filter (where ${recent} and w.first_answered_at is not null))::float8 as first_in_time,
               (avg((w.solved_at <= coalesce(w.solve_due_at, w.solved_at))::int) filter (where ${recent} and w.solved_at is not null))::float8 as solved_in_time,
               (avg(w.rating) filter (where ${recent}))::float8 as rating
          from work_orders w
         where ${inScope(scope, "w")} and (${isOpen} or w.created_at > now() - interval '30 days')`.execute(db);
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

    /** Orders whose first answer is late. */
    takeUnanswered: (scope: SystemScope) =>
      take(scope, "told_first", sql<SqlBool>`w.first_answered_at is null and w.first_due_at < now()`),

    /** Orders that are due within some minutes. */
    takeSoon: (scope: SystemScope, minutes: number) =>
      take(
        scope,
        "told_soon",
        sql<SqlBool>`w.solve_due_at > now() and w.solve_due_at < now() + make_interval(mins => ${minutes})`,
      ),

    /** Orders whose solution is late. */
    takeLate: (scope: SystemScope) => take(scope, "told_late", sql<SqlBool>`w.solve_due_at < now()`),

    /** Orders that have waited for their customer for some days. */
    takeForgotten: (scope: SystemScope, days: number) =>
      take(
        scope,
        "told_customer",
        sql<SqlBool>`w.state = 'waiting_customer' and w.updated_at < now() - make_interval(days => ${days})`,
      ),

    /** The oldest order that nobody rated in some days, locked; undefined when there is none. */
    async nextUnrated(
      scope: SystemScope,
      days: number,
    ): Promise<(Due & Pick<OrderRow, "tenantId" | "state">) | undefined> {
      requireSystemScope(scope);
      const { rows } = await sql<Due & Pick<OrderRow, "tenantId" | "state">>`
        select w.id, w.tenant_id, w.number, w.title, w.type, w.state, w.assignee_id, w.created_by from work_orders w
         where w.state = 'completed' and w.solved_at < now() - make_interval(days => ${days}) and ${inScope(scope, "w")}
         order by w.solved_at limit 1 for update skip locked`.execute(db);
      return rows[0];
    },
  };
}
export type DeskRepository = ReturnType<typeof deskRepository>;
