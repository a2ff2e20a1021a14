import {
  type ContractEvent,
  type ContractQueue,
  type ContractState,
  endReminderDays,
  signReminderDays,
} from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { inOneTenant, inScope, likeWord, personName } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type Order, type PageRange, readList } from "../../database/pages.ts";
import { wireDate } from "../../http/present.ts";
import { changedBy, changeRow, type Due, madeBefore, nextNumber } from "../../processes/index.ts";
import type { SystemScope, TenantScope } from "../../tenant-scope.ts";

export interface ContractRow {
  id: string;
  tenantId: string;
  number: string;
  templateId: string;
  templateVersion: number;
  templateName: string;
  kind: string;
  state: ContractState;
  title: string;
  titleEn: string;
  version: number;
  revision: number;
  customer: string;
  amountFen: string | null;
  startDay: string;
  endDay: string;
  signDays: number;
  signBy: Date | null;
  sentTime: Date | null;
  signedTime: Date | null;
  reason: string;
  batchId: string | null;
  createdBy: string | null;
  changedBy: string;
  updateTime: Date;
  /** Volume of the signed price terms, and what is left of it; null without any. */
  termHeads: number | null;
  termLeft: number | null;
  urgent: boolean;
}

export interface NewContract {
  id: string;
  tenantId: string;
  number: string;
  templateId: string;
  templateVersion: number;
  kind: string;
  title: string;
  titleEn: string;
  amountFen: number | null;
  startDay: string;
  endDay: string;
  signDays: number;
  batchId: string | null;
  requestKey: string | null;
}

/** What changes of a contract beside its revision; what is left out stays. */
export interface ContractChange {
  state: ContractState;
  version?: number;
  title?: string;
  titleEn?: string;
  /** What the contract is found by, as its words say it now. */
  terms?: { amountFen: number | null; startDay: string; endDay: string; signDays: number };
  /** It goes to the customer: to be signed until then. */
  signBy?: Date;
  signedAt?: Date;
  reason?: string;
}

export interface EventRow {
  id: string;
  contractId: string;
  number: string;
  title: string;
  titleEn: string;
  what: "draft" | "download" | "remind" | ContractEvent;
  side: "customer" | "desk" | "clock";
  name: string;
  version: number;
  body: string;
  createTime: Date;
}

const isWaiting = sql<SqlBool>`c.state in ('sent', 'seen')`;
const isUrgent = sql<SqlBool>`(${isWaiting} and c.sign_by < now() + interval '2 days')`;
const isEnding = sql<SqlBool>`(c.state = 'signed' and c.end_day <= (now() at time zone 'Asia/Shanghai')::date + 30)`;
/** Customers see what was sent to them, also after it was taken back. */
const wasSent = sql<SqlBool>`(c.state <> 'draft' and c.sent_at is not null)`;

const columns = sql`
  c.id, c.tenant_id, c.number, c.template_id, c.template_version, p.template_name, c.kind, c.state, c.title, c.title_en, c.version,
  c.revision, t.name as customer, c.amount_fen, coalesce(c.start_day::text, '') as start_day, coalesce(c.end_day::text, '') as end_day,
  c.sign_days, c.sign_by, c.sent_at as sent_time, c.signed_at as signed_time, c.reason, c.batch_id, c.created_by,
  ${personName("u")} as changed_by, c.updated_at as update_time,
  (select sum(x.heads)::int from contract_terms x where x.contract = c.id) as term_heads,
  (select sum(x.left_heads)::int from price_term_rows x where x.contract = c.id) as term_left, ${isUrgent} as urgent`;
const joins = sql`
  join tenants t on t.tenant_id = c.tenant_id join contract_templates p on p.id = c.template_id
  left join accounts u on u.id = c.updated_by`;
const tables = sql`contracts c ${joins}`;

const named = (keyword: string | undefined): RawBuilder<SqlBool> => {
  if (!keyword) return sql<SqlBool>`true`;
  const word = likeWord(keyword);
  return sql<SqlBool>`(c.number ilike ${word} or c.title ilike ${word} or c.title_en ilike ${word})`;
};

const amongIds = (ids: readonly string[]): RawBuilder<SqlBool> => sql<SqlBool>`c.id = any(${[...ids]}::bigint[])`;

/** What time does to contracts, as it is then. */
export function contractDue(now: Date) {
  const dayMs = 86_400_000;
  const today = wireDate(now);
  const of = { table: "contracts", alias: "c" } as const;
  const signing = { ...of, at: sql`c.sign_by` };
  const ending = { ...of, at: sql`c.end_day` };
  const inForce = sql<SqlBool>`c.state = 'signed'`;
  const [month, week] = endReminderDays;
  return {
    expiry: { ...signing, before: sql`${now}::timestamptz`, where: isWaiting },
    end: { ...ending, before: sql`${today}::date`, where: inForce },
    signing: {
      ...signing,
      before: sql`${new Date(now.getTime() + signReminderDays * dayMs)}::timestamptz`,
      where: sql<SqlBool>`${isWaiting} and not c.told_signing`,
      marks: sql`told_signing = true`,
    },
    week: {
      ...ending,
      before: sql`${today}::date + ${week + 1}::int`,
      where: sql<SqlBool>`${inForce} and not c.told_7`,
      // Who is told of a week is not told of a month any more.
      marks: sql`told_7 = true, told_30 = true`,
    },
    month: {
      ...ending,
      before: sql`${today}::date + ${month + 1}::int`,
      where: sql<SqlBool>`${inForce} and not c.told_30`,
      marks: sql`told_30 = true`,
    },
  } satisfies Record<string, Due>;
}

/** Contracts and what happened to them. @param db a pool or an open transaction */
export function contractRepository(db: Kysely<DB>) {
  const idOf = async (scope: TenantScope, number: string): Promise<string | undefined> => {
    const { rows } = await sql<{ id: string }>`
      select c.id from contracts c where c.number = ${number} and ${inScope(scope, "c")}`.execute(db);
    return rows[0]?.id;
  };

  return {
    /** @param lock waits for other changes of it, and holds them off until the transaction ends */
    async find(scope: TenantScope | SystemScope, id: string, lock = false): Promise<ContractRow | undefined> {
      // By a statement of its own: one that waits for the lock would read what was before.
      if (lock) await sql`select from contracts c where c.id = ${id} and ${inScope(scope, "c")} for update`.execute(db);
      const { rows } = await sql<ContractRow>`
        select ${columns} from ${tables} where c.id = ${id} and ${inScope(scope, "c")}`.execute(db);
      return rows[0];
    },

    /** As the customer may see it: nothing that was never sent. */
    async findSent(scope: TenantScope, id: string): Promise<ContractRow | undefined> {
      const { rows } = await sql<ContractRow>`
        select ${columns} from ${tables} where c.id = ${id} and ${inOneTenant(scope, "c")} and ${wasSent}`.execute(db);
      return rows[0];
    },

    /** The contract that one's own form made before. */
    draftedBy: (scope: TenantScope, requestKey: string) => madeBefore(db, "contracts", scope, requestKey),

    nextNumber: (year: number) => nextNumber(db, "contractNumbers", { year }),

    /** @returns false where the same form was sent before */
    async insert(scope: TenantScope, row: NewContract): Promise<boolean> {
      const { rows } = await sql`
        insert into contracts (id, tenant_id, number, template_id, template_version, kind, title, title_en, amount_fen, start_day, end_day,
                               sign_days, batch_id, request_key, created_by, updated_by)
        select ${row.id}, t.tenant_id, ${row.number}, ${row.templateId}, ${row.templateVersion}, ${row.kind}, ${row.title}, ${row.titleEn},
               ${row.amountFen}::bigint, nullif(${row.startDay}, '')::date, nullif(${row.endDay}, '')::date, ${row.signDays}::smallint,
               ${row.batchId}::bigint, ${row.requestKey}, ${scope.accountId}, ${scope.accountId}
          from tenants t where t.tenant_id = ${row.tenantId} and ${inScope(scope, "t")}
        on conflict (created_by, request_key) do nothing returning id`.execute(db);
      return rows.length > 0;
    },

    /** Brings a contract on. Callers hold its lock and looked at its state. @param by who does it; null for the clock */
    move(scope: TenantScope | SystemScope, id: string, by: string | null, to: ContractChange): Promise<void> {
      const { state, version, title, titleEn, signBy, signedAt, reason, terms } = to;
      return changeRow(db, "contracts", scope, id, {
        ...changedBy(by),
        revision: sql`r.revision + 1`,
        ...{ state, version, title, titleEn, signBy, signedAt, reason },
        ...(terms && { ...terms, startDay: terms.startDay || null, endDay: terms.endDay || null }),
        ...(signBy && { sentAt: sql`now()`, toldSigning: false }),
      });
    },

    page(
      scope: TenantScope,
      {
        list: kept,
        keyword,
        ids,
      }: {
        list: "waiting" | "inForce" | "over" | "all";
        keyword?: string | undefined;
        ids?: readonly string[] | undefined;
      },
      request: PageRange,
    ): Promise<{ rows: ContractRow[]; total: number }> {
      const lists: Readonly<Record<typeof kept, RawBuilder<SqlBool>>> = {
        waiting: isWaiting,
        inForce: sql<SqlBool>`c.state = 'signed'`,
        over: sql<SqlBool>`c.state in ('rejected', 'withdrawn', 'expired', 'ended')`,
        all: sql<SqlBool>`true`,
      };
      const list = {
        table: tables,
        where: [inOneTenant(scope, "c"), wasSent, lists[kept], named(keyword), ...(ids ? [amongIds(ids)] : [])],
        order: [
          { by: isWaiting, descending: true },
          { by: sql`case when ${isWaiting} then c.sign_by end` },
          { by: sql`c.sent_at`, descending: true },
          { by: sql`c.id`, descending: true },
        ],
        columns,
      };
      return readList(db, list, request);
    },

    async deskPage(
      scope: TenantScope,
      {
        queue,
        keyword,
        batchId,
        ids,
      }: {
        queue: ContractQueue;
        keyword?: string | undefined;
        batchId?: string | undefined;
        ids?: readonly string[] | undefined;
      },
      request: PageRange,
    ): Promise<{ rows: ContractRow[]; total: number }> {
      const queues: Readonly<Record<ContractQueue, RawBuilder<SqlBool>>> = {
        waiting: isWaiting,
        overdue: isUrgent,
        draft: sql<SqlBool>`c.state = 'draft'`,
        returned: sql<SqlBool>`c.state in ('rejected', 'expired')`,
        inForce: sql<SqlBool>`c.state = 'signed'`,
        ending: isEnding,
        all: sql<SqlBool>`true`,
      };
      const order: Order =
        queue === "waiting" || queue === "overdue"
          ? [{ by: sql`c.sign_by` }, { by: sql`c.id` }]
          : queue === "ending"
            ? [{ by: sql`c.end_day` }, { by: sql`c.id` }]
            : [{ by: sql`c.id`, descending: true }];
      const conditions = [inScope(scope, "c"), queues[queue]];
      if (batchId) conditions.push(sql<SqlBool>`c.batch_id = ${batchId}`);
      if (ids) conditions.push(amongIds(ids));
      // What a page shows beside is read for its rows alone.
      const list = { table: sql`contracts c`, where: conditions, order, columns, key: "c.id", joins };
      if (keyword) {
        // A whole number is one contract; else it is part of number, title or customer.
        const id = await idOf(scope, keyword.toUpperCase());
        if (id === undefined) return readList(db, { ...list, word: { words: sql`c.words`, keyword } }, request);
        conditions.push(sql<SqlBool>`c.id = ${id}`);
      }
      return readList(db, list, request);
    },

    async figures(scope: TenantScope) {
      // What waits, what ends, what was signed lately and the states stand in an index each, which has all that is counted.
      const { rows } = await sql<{
        waiting: number;
        overdue: number;
        draft: number;
        returned: number;
        inForce: number;
        ending: number;
        signed: number;
        signedFen: number;
        hours: number | null;
      }>`
        select * from (
          select (count(*) filter (where c.state in ('sent', 'seen')))::int as waiting,
                 (count(*) filter (where c.state = 'draft'))::int as draft,
                 (count(*) filter (where c.state in ('rejected', 'expired')))::int as returned,
                 (count(*) filter (where c.state = 'signed'))::int as in_force
            from contracts c where ${inScope(scope, "c")}) s
         cross join (select count(*)::int as overdue from contracts c where ${isUrgent} and ${inScope(scope, "c")}) o
         cross join (select count(*)::int as ending from contracts c where ${isEnding} and ${inScope(scope, "c")}) e
         cross join (
          select count(*)::int as signed, coalesce(sum(c.amount_fen), 0)::float8 as signed_fen,
                 (percentile_cont(0.5) within group (order by extract(epoch from c.signed_at - c.sent_at) / 3600))::float8 as hours
            from contracts c where c.signed_at > now() - interval '30 days' and ${inScope(scope, "c")}) n`.execute(db);
      return rows[0];
    },

    async summary(scope: TenantScope): Promise<{ waiting: number; ending: number; inForce: number }> {
      const { rows } = await sql<{ waiting: number; ending: number; inForce: number }>`
        select (count(*) filter (where ${isWaiting}))::int as waiting, (count(*) filter (where ${isEnding}))::int as ending,
               (count(*) filter (where c.state = 'signed'))::int as in_force
          from contracts c where ${inOneTenant(scope, "c")}`.execute(db);
      return rows[0] ?? { waiting: 0, ending: 0, inForce: 0 };
    },

    async addEvent(
      scope: TenantScope | SystemScope,
      contractId: string,
      event: {
        id: string;
        what: EventRow["what"];
        side: EventRow["side"];
        accountId: string | null;
        version: number;
        body?: string;
      },
    ): Promise<void> {
      await sql`
        insert into contract_events (id, contract_id, what, side, account_id, version, body)
        select ${event.id}, c.id, ${event.what}, ${event.side}, ${event.accountId}::bigint, ${event.version}::integer, ${event.body ?? ""}
          from contracts c where c.id = ${contractId} and ${inScope(scope, "c")}`.execute(db);
    },

    /** Newest first. @param sentOnly leaves out what happened before the customer first had it */
    events(
      scope: TenantScope,
      { id, sentOnly }: { id?: string | undefined; sentOnly: boolean },
      request: PageRange,
    ): Promise<{ rows: EventRow[]; total: number }> {
      const where = [sentOnly ? inOneTenant(scope, "c") : inScope(scope, "c")];
      if (id) where.push(sql<SqlBool>`c.id = ${id}`);
      if (sentOnly) where.push(sql<SqlBool>`c.sent_at is not null and e.what not in ('draft', 'revise')`);
      const list = {
        table: sql`contract_events e join contracts c on c.id = e.contract_id left join accounts u on u.id = e.account_id`,
        where,
        order: [
          { by: sql`e.created_at`, descending: true },
          { by: sql`e.id`, descending: true },
        ],
        columns: sql`e.id, e.contract_id, c.number, c.title, c.title_en, e.what, e.side, ${personName("u")} as name, e.version, e.body,
          e.created_at as create_time`,
      };
      return readList(db, list, request);
    },

    /** Customers by name, those that can sign first. @param signRight code of the right to sign */
    async customers(
      scope: TenantScope,
      {
        keyword,
        tenantId,
        names,
      }: { keyword?: string | undefined; tenantId?: string | undefined; names?: readonly string[] },
      signRight: string,
      limit: number,
    ): Promise<{ tenantId: string; customer: string; signers: number }[]> {
      const { rows } = await sql<{ tenantId: string; customer: string; signers: number }>`
        select * from (
          select t.tenant_id, t.name as customer,
                 (select count(distinct m.account_id)::int from memberships m join accounts a on a.id = m.account_id and a.status = 1
                    join membership_roles mr on mr.membership_id = m.id join granted_menus rm on rm.role_id = mr.role_id
                    join menus n on n.id = rm.menu_id and n.code = ${signRight}
                   where m.tenant_id = t.tenant_id and m.status = 1) as signers
            from tenants t
           where t.type <> 'group' and ${inScope(scope, "t")} and ${keyword ? sql`t.name ilike ${likeWord(keyword)}` : sql`true`}
             and ${tenantId ? sql`t.tenant_id = ${tenantId}` : sql`true`}
             and ${names ? sql`t.name = any(${[...names]}::text[])` : sql`true`}) found
         order by (found.customer = ${keyword ?? ""}) desc, found.signers = 0, found.customer limit ${limit}`.execute(
        db,
      );
      return rows;
    },

    /** Name of the group's tenant. */
    async tenantName(scope: TenantScope | SystemScope, tenantId: string): Promise<string> {
      const { rows } = await sql<{ name: string }>`
        select t.name from tenants t where t.tenant_id = ${tenantId} and ${inScope(scope, "t")}`.execute(db);
      return rows[0]?.name ?? "";
    },

    /** Drafts of a batch, by their place in it. */
    async batchDrafts(scope: TenantScope, batchId: string): Promise<{ id: string; revision: number }[]> {
      const { rows } = await sql<{ id: string; revision: number }>`
        select c.id, c.revision from contracts c
         where c.batch_id = ${batchId} and c.state = 'draft' and ${inScope(scope, "c")} order by c.id`.execute(db);
      return rows;
    },
  };
}
export type ContractRepository = ReturnType<typeof contractRepository>;
