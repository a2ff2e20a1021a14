import type { WorkOrderState, WorkOrderType } from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { inOneTenant, inScope, likeWord, personName } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readList } from "../../database/pages.ts";
import { changedBy, changeRow, madeBefore, nextNumber } from "../../processes/index.ts";
import type { SystemScope, TenantScope } from "../../tenant-scope.ts";

export interface OrderRow {
  id: string;
  tenantId: string;
  number: string;
  type: WorkOrderType;
  state: WorkOrderState;
  title: string;
  description: string;
  category: string;
  repairMode: string;
  productId: string;
  deviceId: string | null;
  deviceName: string;
  place: string;
  orderNumber: string;
  customer: string;
  createdBy: string | null;
  raiser: string;
  assigneeId: string | null;
  assignee: string;
  changedBy: string;
  createTime: Date;
  updateTime: Date;
  firstDueTime: Date;
  firstAnswerTime: Date | null;
  solveDueTime: Date | null;
  minutesLeft: number | null;
  solveTime: Date | null;
  overdue: boolean;
  urges: number;
  urgedAt: Date | null;
  rating: number;
  mergedInto: string | null;
  published: boolean;
  version: number;
}

export interface NewOrder {
  id: string;
  type: WorkOrderType;
  number: string;
  title: string;
  description: string;
  category: string;
  repairMode: string;
  productId: string;
  deviceId: string | null;
  deviceName: string;
  place: string;
  orderNumber: string;
  requestKey: string | null;
  firstDue: Date;
  solveDue: Date;
}

/** What changes of an order beside its version; what is left out stays. */
export interface OrderChange {
  state: WorkOrderState;
  assigneeId?: string;
  repairMode?: string;
  firstAnswered?: boolean;
  /** When the solution is due; null lets the time stand still with these minutes left. */
  solveDue?: Date | null;
  minutesLeft?: number | null;
  solved?: boolean;
  urged?: boolean;
  reopened?: boolean;
  rating?: number;
  mergedInto?: string;
  published?: boolean;
}

export interface OrderFilter {
  type?: WorkOrderType | undefined;
  states?: readonly WorkOrderState[] | undefined;
  keyword?: string | undefined;
  deviceId?: string | undefined;
  ids?: readonly string[] | undefined;
  /** Older ones only where they are open. */
  since?: Date | undefined;
}

/** An adopted suggestion in the reader's language. */
export interface PublishedSuggestion {
  id: string;
  category: string;
  title: string;
  content: string;
  answer: string;
  answerTime: Date | null;
}

export const isOpen = sql<SqlBool>`w.state in ('pending', 'in_process', 'waiting_customer')`;
/** What an order is due by next, the first answer or the solution; null while its time stands still. As the index of due times has it. */
export const dueNext = sql`least(case when w.first_answered_at is null then w.first_due_at end, w.solve_due_at)`;
/** Late with the first answer or with the solution. */
export const isLate = sql<SqlBool>`(${isOpen} and coalesce(${dueNext} < now(), false))`;

export const orderColumns = sql`
  w.id, w.tenant_id, w.number, w.type, w.state, w.title, w.description, w.category, w.repair_mode, w.product_id, w.device_id, w.device_name,
  w.place, w.order_number, t.name as customer, w.created_by, ${personName("raised")} as raiser, w.assignee_id, ${personName("has")} as assignee,
  ${personName("changed")} as changed_by, w.created_at as create_time, w.updated_at as update_time, w.first_due_at as first_due_time,
  w.first_answered_at as first_answer_time, w.solve_due_at as solve_due_time, w.minutes_left, w.solved_at as solve_time,
  ${isLate} as overdue, w.urges, w.urged_at, coalesce(w.rating, 0) as rating, w.merged_into, w.published, w.version`;
/** What an order `w` is shown with. */
export const orderJoins = sql`
  join tenants t on t.tenant_id = w.tenant_id
  left join accounts raised on raised.id = w.created_by
  left join accounts has on has.id = w.assignee_id
  left join accounts changed on changed.id = w.updated_by`;
export const orderTables = sql`work_orders w ${orderJoins}`;

/** Part of a number, a title, a device's or a customer's name, among the orders of one customer. */
const named = (keyword: string | undefined): RawBuilder<SqlBool> =>
  keyword
    ? sql<SqlBool>`(w.number ilike ${likeWord(keyword)} or w.title ilike ${likeWord(keyword)} or w.device_name ilike ${likeWord(keyword)} or t.name ilike ${likeWord(keyword)})`
    : sql<SqlBool>`true`;

/** Orders of customers. @param db a pool or an open transaction */
export function workOrderRepository(db: Kysely<DB>) {
  return {
    /** @param lock waits for other changes of it, and holds them off until the transaction ends */
    async find(scope: TenantScope | SystemScope, id: string, lock = false): Promise<OrderRow | undefined> {
      // By a statement of its own: one that waits for the lock would join the names of before.
      if (lock)
        await sql`select from work_orders w where w.id = ${id} and ${inScope(scope, "w")} for update`.execute(db);
      const { rows } = await sql<OrderRow>`
        select ${orderColumns} from ${orderTables} where w.id = ${id} and ${inScope(scope, "w")}`.execute(db);
      return rows[0];
    },

    /** The order that one's own form made before. */
    raisedBy: (scope: TenantScope, requestKey: string) => madeBefore(db, "workOrders", scope, requestKey),

    /** The next place in the day. @param day yyyy-MM-dd in Asia/Shanghai */
    nextNumber: (type: WorkOrderType, day: string) => nextNumber(db, "workOrderNumbers", { type, day }),

    /** @returns false where the same form was sent before */
    async insert(scope: TenantScope, row: NewOrder): Promise<boolean> {
      const { rows } = await sql`
        insert into work_orders
          (id, tenant_id, number, type, title, description, category, repair_mode, product_id, device_id, device_name, place, order_number,
           request_key, created_by, updated_by, first_due_at, solve_due_at)
        values (${row.id}, ${scope.tenantId}, ${row.number}, ${row.type}, ${row.title}, ${row.description}, ${row.category},
                ${row.repairMode}, ${row.productId}, ${row.deviceId}::bigint, ${row.deviceName}, ${row.place}, ${row.orderNumber},
                ${row.requestKey}, ${scope.accountId}, ${scope.accountId}, ${row.firstDue}, ${row.solveDue})
        on conflict (created_by, request_key) do nothing returning id`.execute(db);
      return rows.length > 0;
    },

    /** Brings an order on. Callers hold its lock and looked at its state. @param by who does it; null for the clock */
    move(scope: TenantScope | SystemScope, id: string, by: string | null, to: OrderChange): Promise<void> {
      const { assigneeId, repairMode, minutesLeft, mergedInto, published } = to;
      return changeRow(db, "workOrders", scope, id, {
        ...changedBy(by),
        version: sql`r.version + 1`,
        state: to.state,
        ...{ assigneeId, repairMode, minutesLeft, mergedInto, published },
        rating: to.rating,
        solveDueAt: to.solveDue,
        ...(to.firstAnswered && { firstAnsweredAt: sql`coalesce(r.first_answered_at, now())` }),
        ...(to.solved && { solvedAt: sql`now()` }),
        ...(to.urged && { urges: sql`r.urges + 1`, urgedAt: sql`now()` }),
        ...(to.reopened && { solvedAt: null, reopens: sql`r.reopens + 1`, rating: null }),
        // Another time is told of anew.
        ...(to.solveDue !== undefined && { toldSoon: false, toldLate: false }),
        ...(to.state !== "waiting_customer" && { toldCustomer: false }),
      });
    },

    /** What waits for the customer, then open orders by what is due next, then the others, the newest first. */
    page(
      scope: TenantScope,
      { type, states, keyword, deviceId, ids, since }: OrderFilter,
      request: PageRange,
    ): Promise<{ rows: OrderRow[]; total: number }> {
      const where = [inOneTenant(scope, "w"), named(keyword)];
      if (type) where.push(sql<SqlBool>`w.type = ${type}`);
      if (states) where.push(sql<SqlBool>`w.state = any(${[...states]}::text[])`);
      if (deviceId) where.push(sql<SqlBool>`w.device_id = ${deviceId}`);
      if (ids) where.push(sql<SqlBool>`w.id = any(${[...ids]}::bigint[])`);
      if (since) where.push(sql<SqlBool>`(w.created_at >= ${since} or ${isOpen})`);
      const list = {
        table: sql`work_orders w`,
        found: sql`join tenants t on t.tenant_id = w.tenant_id`,
        where,
        order: [
          { by: sql`case when w.state = 'waiting_customer' then 0 when ${isOpen} then 1 else 2 end` },
          { by: sql`case when w.state in ('pending', 'in_process') then ${dueNext} end`, nullsLast: true },
          { by: sql`w.id`, descending: true },
        ],
        columns: orderColumns,
        key: "w.id",
        joins: orderJoins,
      };
      return readList(db, list, request);
    },

    /** Open orders of the customer, and what waits for the customer. */
    async summary(scope: TenantScope, most: number) {
      const { rows } = await sql<OrderRow & { why: "waiting" | "toRate" | "late" | "" }>`
        select ${orderColumns}, case when w.state = 'waiting_customer' then 'waiting' when w.state = 'completed' then 'toRate'
                 when ${isLate} then 'late' else '' end as why
          from ${orderTables}
         where ${inOneTenant(scope, "w")} and (${isOpen} or w.state = 'completed') and w.type <> 'suggestion'
         order by w.updated_at desc limit 500`.execute(db);
      const of = (why: string) => rows.filter((row) => row.why === why).slice(0, most);
      return {
        open: rows.filter(({ state }) => state !== "completed").length,
        waiting: of("waiting"),
        toRate: of("toRate"),
        late: of("late"),
      };
    },

    /** Adopted suggestions that are shown, whosever they were: their words alone. */
    published(scope: SystemScope, { id, language }: { id?: string; language: "zh" | "en" }, request: PageRange) {
      const inLanguage = (text: RawBuilder<string>) =>
        language === "en"
          ? sql<string>`coalesce((select x.translation from translations x where x.source = ${text} and x.language = 'en'), ${text})`
          : text;
      const answer = sql<string>`coalesce((select e.body from work_order_entries e where e.work_order_id = w.id and e.what = 'adopt'
                                            order by e.id desc limit 1), '')`;
      const where = [sql<SqlBool>`w.type = 'suggestion' and w.state = 'adopted' and w.published`, inScope(scope, "w")];
      if (id !== undefined) where.push(sql<SqlBool>`w.id = ${id}`);
      const list = {
        table: sql`work_orders w`,
        where,
        order: [
          { by: sql`w.solved_at`, descending: true },
          { by: sql`w.id`, descending: true },
        ],
        columns: sql`
          w.id, w.category, ${inLanguage(sql<string>`w.title`)} as title, ${inLanguage(sql<string>`w.description`)} as content,
          ${inLanguage(answer)} as answer, w.solved_at as answer_time`,
        key: "w.id",
      };
      return readList<PublishedSuggestion>(db, list, request);
    },
  };
}
export type WorkOrderRepository = ReturnType<typeof workOrderRepository>;
