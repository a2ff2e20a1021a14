import type {
  CancellationEffect,
  CancellationEvent,
  CancellationKind,
  CancellationReport,
  CancellationState,
  cancellationDeskPage,
  QueryOf,
  RetentionCategory,
} from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { inOneTenant, inScope, likeWord, ofAccount } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readList } from "../../database/pages.ts";
import { changeRow, type Due } from "../../processes/index.ts";
import {
  type AccountScope,
  type MemberScope,
  requireSystemScope,
  type SystemScope,
  type TenantScope,
} from "../../tenant-scope.ts";

export interface CancellationRow {
  id: string;
  kind: CancellationKind;
  state: CancellationState;
  tenantId: string;
  accountId: string;
  /** Name of the account or of the customer, as it is now. */
  title: string;
  customer: string;
  decider: string;
  reason: string;
  askedAt: Date;
  coolUntil: Date;
  dueAt: Date;
  decidedAt: Date | null;
  answer: string;
  eraseAt: Date | null;
  report: CancellationReport | null;
  version: number;
}

/** Which cancellations the desk looks at; the waiting ones where no queue is named. */
type CancellationFilter = Pick<QueryOf<typeof cancellationDeskPage>, "queue" | "kind" | "keyword">;

type StepWhat = CancellationEvent | "ask";

/** What changes beside the state. */
export interface CancellationChange {
  dueAt?: Date;
  decidedBy?: string;
  answer?: string;
  eraseAt?: Date | null;
  report?: CancellationReport;
}

/** What ends with a cancellation: accounts, and customers that nobody is left in. */
export interface Closing {
  accountIds: string[];
  tenantIds: string[];
}

/** What time does to cancellations, as it is then. */
export function cancellationDue(now: Date) {
  const of = { table: "cancellations", alias: "c", before: sql`${now}::timestamptz` } as const;
  return {
    cooled: { ...of, at: sql`c.cool_until`, where: sql<SqlBool>`c.state = 'cooling'` },
    erasure: { ...of, at: sql`c.erase_at`, where: sql<SqlBool>`c.state = 'accepted'` },
    /** The desk has not answered in time. */
    late: {
      ...of,
      at: sql`c.due_at`,
      where: sql<SqlBool>`c.state = 'waiting' and not c.told_late`,
      marks: sql`told_late = true`,
    },
  } satisfies Record<string, Due>;
}

/** Cancellations, and what they touch. @param db a pool or an open transaction */
export function cancellationRepository(db: Kysely<DB>) {
  const columns = sql`
    c.id, c.kind, c.state, c.tenant_id, c.account_id, case c.kind when 'tenant' then t.name else a.account end as title, t.name as customer,
    coalesce((select coalesce(nullif(d.real_name, ''), d.account) from accounts d where d.id = c.decided_by), '') as decider,
    c.reason, c.asked_at, c.cool_until, c.due_at, c.decided_at, c.answer, c.erase_at, c.report, c.version`;
  const customers = sql`join tenants t on t.tenant_id = c.tenant_id`;
  const people = sql`${customers} join accounts a on a.id = c.account_id`;
  const tables = sql`cancellations c ${people}`;
  const rowsOf = async (condition: RawBuilder<unknown>): Promise<CancellationRow[]> => {
    const { rows } = await sql<CancellationRow>`select ${columns} from ${tables} where ${condition}`.execute(db);
    return rows;
  };
  const countOf = async (statement: RawBuilder<unknown>): Promise<number> => {
    const { rows } = await sql<{ count: number }>`select coalesce((${statement}), 0)::int as count`.execute(db);
    return rows[0]?.count ?? 0;
  };

  return {
    /** The newest of an account, the open one first. */
    async ofAccount(owner: AccountScope): Promise<CancellationRow | undefined> {
      return (await rowsOf(sql`c.kind = 'account' and ${ofAccount(owner, "c")} order by c.id desc limit 1`))[0];
    },
    async ofTenant(scope: MemberScope): Promise<CancellationRow | undefined> {
      return (await rowsOf(sql`c.kind = 'tenant' and ${inOneTenant(scope, "c")} order by c.id desc limit 1`))[0];
    },

    /** One, held against other changes. */
    async find(scope: TenantScope | SystemScope, id: string, lock = false): Promise<CancellationRow | undefined> {
      if (lock)
        await sql`select from cancellations c where c.id = ${id} and ${inScope(scope, "c")} for update`.execute(db);
      return (await rowsOf(sql`c.id = ${id} and ${inScope(scope, "c")}`))[0];
    },
    /** The account's or the tenant's own, held against other changes. */
    async own(by: MemberScope, kind: CancellationKind, id: string): Promise<CancellationRow | undefined> {
      const reach = kind === "account" ? ofAccount(by, "c") : inOneTenant(by, "c");
      const own = sql`c.id = ${id} and c.kind = ${kind} and ${reach}`;
      await sql`select from cancellations c where ${own} for update`.execute(db);
      return (await rowsOf(own))[0];
    },

    /** @returns false while another one is open */
    async insert(
      owner: MemberScope,
      row: { id: string; kind: CancellationKind; reason: string; askedAt: Date; coolUntil: Date; dueAt: Date },
    ): Promise<boolean> {
      const { rows } = await sql`
        insert into cancellations (id, kind, tenant_id, account_id, reason, asked_at, cool_until, due_at)
        values (${row.id}, ${row.kind}, ${owner.tenantId}, ${owner.accountId}, ${row.reason}, ${row.askedAt}, ${row.coolUntil}, ${row.dueAt})
        on conflict do nothing returning id`.execute(db);
      return rows.length > 0;
    },

    /** Brings one on. Callers hold its lock and looked at the table of transitions. */
    move(
      scope: SystemScope,
      id: string,
      state: CancellationState,
      { dueAt, decidedBy, answer, eraseAt = null, report }: CancellationChange = {},
    ): Promise<void> {
      return changeRow(db, "cancellations", scope, id, {
        version: sql`r.version + 1`,
        ...{ state, dueAt, decidedBy, answer, eraseAt },
        ...(dueAt && { toldLate: false }),
        ...(decidedBy !== undefined && { decidedAt: sql`now()` }),
        ...(report && { erasedAt: sql`now()`, report: sql`${JSON.stringify(report)}::jsonb` }),
      });
    },

    /** Writes the last figures of an erasure. */
    async setReport(scope: SystemScope, id: string, report: CancellationReport): Promise<void> {
      requireSystemScope(scope);
      await sql`update cancellations set report = ${JSON.stringify(report)}::jsonb where id = ${id} and state = 'erased'`.execute(
        db,
      );
    },

    async addStep(
      scope: SystemScope,
      id: string,
      step: { id: string; what: StepWhat; accountId?: string },
    ): Promise<void> {
      const reach = inScope(scope, "c");
      await sql`
        insert into cancellation_steps (id, cancellation_id, what, account_id)
        select ${step.id}, c.id, ${step.what}, ${step.accountId ?? null}::bigint from cancellations c where c.id = ${id} and ${reach}`.execute(
        db,
      );
    },

    async steps(
      scope: TenantScope,
      id: string,
    ): Promise<{ id: string; what: StepWhat; actor: string; createTime: Date }[]> {
      const { rows } = await sql<{ id: string; what: StepWhat; actor: string; createTime: Date }>`
        select s.id, s.what, coalesce(nullif(a.real_name, ''), a.account, '') as actor, s.created_at as create_time
          from cancellation_steps s join cancellations c on c.id = s.cancellation_id left join accounts a on a.id = s.account_id
         where c.id = ${id} and ${inScope(scope, "c")} order by s.id`.execute(db);
      return rows;
    },

    page(
      scope: TenantScope,
      { queue = "waiting", kind, keyword }: CancellationFilter,
      request: PageRange,
    ): Promise<{ rows: CancellationRow[]; total: number }> {
      const done = queue === "done";
      const where = [
        inScope(scope, "c"),
        done ? sql<SqlBool>`c.state in ('refused', 'taken_back', 'erased')` : sql<SqlBool>`c.state = ${queue}`,
      ];
      if (kind) where.push(sql<SqlBool>`c.kind = ${kind}`);
      if (keyword) where.push(sql<SqlBool>`t.name ilike ${likeWord(keyword)}`);
      const list = {
        table: sql`cancellations c`,
        found: keyword ? customers : sql``,
        where,
        order: done ? [{ by: sql`c.id`, descending: true }] : [{ by: sql`c.due_at` }, { by: sql`c.id` }],
        columns,
        key: "c.id",
        joins: people,
      };
      return readList<CancellationRow>(db, list, request);
    },

    async counts(scope: TenantScope) {
      const { rows } = await sql<{
        waiting: number;
        overdue: number;
        cooling: number;
        accepted: number;
        erased: number;
      }>`
        select (count(*) filter (where c.state = 'waiting'))::int as waiting,
               (count(*) filter (where c.state = 'waiting' and c.due_at < now()))::int as overdue,
               (count(*) filter (where c.state = 'cooling'))::int as cooling,
               (count(*) filter (where c.state = 'accepted'))::int as accepted,
               (count(*) filter (where c.state = 'erased' and c.erased_at > now() - interval '30 days'))::int as erased
          from cancellations c where ${inScope(scope, "c")}`.execute(db);
      return rows[0] ?? { waiting: 0, overdue: 0, cooling: 0, accepted: 0, erased: 0 };
    },

    /** Whether an account is one of the group's people. */
    async isStaff(owner: AccountScope): Promise<boolean> {
      const { rows } = await sql`
        select from memberships m join tenants t on t.tenant_id = m.tenant_id
         where ${ofAccount(owner, "m")} and t.type = 'group' limit 1`.execute(db);
      return rows.length > 0;
    },

    async account(
      owner: AccountScope,
    ): Promise<{ account: string; phoneEncrypted: string; emailEncrypted: string } | undefined> {
      const { rows } = await sql<{ account: string; phoneEncrypted: string; emailEncrypted: string }>`
        select a.account, case when a.phone_verified_at is null then '' else a.phone_encrypted end as phone_encrypted, a.email_encrypted
          from accounts a where a.id = ${owner.accountId} and a.status = 1`.execute(db);
      return rows[0];
    },
    async customerName(scope: MemberScope): Promise<string> {
      const { rows } = await sql<{
        name: string;
      }>`select t.name from tenants t where ${inOneTenant(scope, "t")}`.execute(db);
      return rows[0]?.name ?? "";
    },

    /**
     * What ends with it: of an account the customers that nobody else is a member of, of a customer the accounts that are in no other one.
     * @param lock holds accounts and customers, so that nobody joins or leaves before they are gone
     */
    async closing(
      scope: SystemScope,
      { kind, accountId, tenantId }: Pick<CancellationRow, "kind" | "accountId" | "tenantId">,
      lock = false,
    ): Promise<Closing> {
      requireSystemScope(scope);
      const held = lock ? sql`for update` : sql``;
      if (kind === "account") {
        await sql`select from accounts where id = ${accountId} ${held}`.execute(db);
        const { rows } = await sql<{ tenantId: string }>`
          select t.tenant_id from tenants t join memberships m on m.tenant_id = t.tenant_id and m.account_id = ${accountId}
           where t.type <> 'group' and not exists (select from memberships o where o.tenant_id = t.tenant_id and o.account_id <> ${accountId})
           order by t.tenant_id ${lock ? sql`for update of t` : sql``}`.execute(db);
        return { accountIds: [accountId], tenantIds: rows.map((row) => row.tenantId) };
      }
      await sql`select from tenants where tenant_id = ${tenantId} ${held}`.execute(db);
      const { rows } = await sql<{ accountId: string }>`
        select a.id as account_id from accounts a join memberships m on m.account_id = a.id and m.tenant_id = ${tenantId}
         where not exists (select from memberships o where o.account_id = a.id and o.tenant_id <> ${tenantId})
         order by a.id ${lock ? sql`for update of a` : sql``}`.execute(db);
      return { accountIds: rows.map((row) => row.accountId), tenantIds: [tenantId] };
    },

    /** How much of each kind a cancellation touches; a module that is new adds its line here and to the contract. */
    async touched(
      scope: SystemScope,
      { kind, accountId, tenantId }: Pick<CancellationRow, "kind" | "accountId" | "tenantId">,
      { accountIds, tenantIds }: Closing,
    ): Promise<Record<CancellationEffect, number>> {
      requireSystemScope(scope);
      const gone = sql`any(${[...tenantIds]}::text[])`;
      const people = sql`any(${[...accountIds]}::bigint[])`;
      const isTenant = kind === "tenant";
      const none = sql`0`;
      const counts: Record<CancellationEffect, RawBuilder<unknown>> = {
        devices: sql`select count(*) from devices where tenant_id = ${gone}`,
        work_orders: sql`select count(*) from work_orders where tenant_id = ${gone} and state in ('pending', 'in_process', 'waiting_customer')`,
        // Somebody else has to be able to give roles and see to the farm.
        sole_owner: isTenant
          ? none
          : sql`select count(*) from memberships m
                 where m.account_id = ${accountId} and m.tenant_id <> all(${[...tenantIds]}::text[])
                   and exists (select from membership_roles x join roles r on r.id = x.role_id
                                where x.membership_id = m.id and r.role_alias = 'owner')
                   and not exists (select from memberships o join accounts b on b.id = o.account_id
                                     join membership_roles x on x.membership_id = o.id join roles r on r.id = x.role_id
                                    where o.tenant_id = m.tenant_id and o.account_id <> m.account_id and o.status = 1 and b.status = 1
                                      and r.role_alias = 'owner')`,
        phone_change: sql`select count(*) from contact_changes where account_id = ${accountId} and state = 'waiting'`,
        cards: sql`select count(*) from bank_cards where tenant_id = ${gone} and state <> 'unbound'`,
        members: isTenant
          ? sql`select count(*) from memberships where tenant_id = ${tenantId} and account_id <> ${accountId}`
          : none,
        accounts: isTenant ? sql`select count(*) from accounts where id = ${people}` : none,
        farms: sql`select count(*) from farms where tenant_id = ${gone}`,
        pigs: sql`select sum(head_count) from units where tenant_id = ${gone}`,
        subscriptions: sql`
          select (select count(*) from alarm_subscriptions s where s.enabled and (s.account_id = ${people} or s.tenant_id = ${gone}))
               + (select count(*) from report_subscriptions s where s.account_id = ${people} or s.tenant_id = ${gone})
               + (select count(*) from comparison_subscriptions s where s.account_id = ${people} or s.tenant_id = ${gone})
               + (select count(*) from price_alerts s where s.account_id = ${people})`,
        apps: sql`select count(*) from authorization_payloads p where p.model = 'Grant' and p.account_id = any(${[...accountIds]}::text[])`,
        files: sql`select count(*) from attachments f where f.state = 'kept' and f.expires_at is null
                     and (f.account_id = ${people} or f.tenant_id = ${gone})`,
      };
      const found = {} as Record<CancellationEffect, number>;
      for (const [effect, statement] of Object.entries(counts))
        found[effect as CancellationEffect] = await countOf(statement);
      return found;
    },

    /** What law wants kept of who goes, still closed where it was encrypted. */
    async keptByLaw(scope: SystemScope, { accountIds, tenantIds }: Closing) {
      requireSystemScope(scope);
      const gone = sql`any(${[...tenantIds]}::text[])`;
      const people = sql`any(${[...accountIds]}::bigint[])`;
      type Row = Record<string, unknown>;
      const all = async (statement: RawBuilder<unknown>): Promise<Row[]> =>
        (await (statement as RawBuilder<Row>).execute(db)).rows;
      return {
        accounts: await all(
          sql`select a.account, a.real_name, a.phone_encrypted, a.created_at from accounts a where a.id = ${people}`,
        ),
        items: await all(sql`
          select t.name as customer, a.kind, i.field, i.value_encrypted, a.decided_at
            from real_name_items i join real_name_applications a on a.id = i.real_name_application_id join tenants t on t.tenant_id = a.tenant_id
           where a.tenant_id = ${gone} and a.state in ('passed', 'suspended') and i.value_encrypted <> ''`),
        consents: await all(sql`
          select c.account_id, v.kind, v.version, c.agreed_at, c.remote_address
            from agreement_consents c join agreement_versions v on v.id = c.version_id where c.account_id = ${people}`),
        payments: await all(sql`
          select 'real_name' as what, r.amount_fen, r.state, r.reference, r.created_at, '' as bank, '' as last_four
            from real_name_remittances r where r.tenant_id = ${gone}
          union all
          select 'bank_card', r.amount_fen, b.state, r.reference, r.created_at, b.bank_name, b.last_four
            from bank_card_remittances r join bank_cards b on b.id = r.bank_card_id where r.tenant_id = ${gone}`),
        logIns: await all(sql`
          select e.account_id, e.kind, e.user_agent, e.remote_address, e.created_at from account_events e
           where e.account_id = ${people} and e.kind in ('log_in', 'log_in_locked')`),
      };
    },

    async keep(
      scope: SystemScope,
      row: {
        id: string;
        cancellationId: string;
        category: RetentionCategory;
        contentEncrypted: string;
        keepUntil: string;
      },
    ): Promise<void> {
      requireSystemScope(scope);
      await sql`
        insert into retained_records (id, cancellation_id, category, content_encrypted, keep_until)
        values (${row.id}, ${row.cancellationId}, ${row.category}, ${row.contentEncrypted}, ${row.keepUntil}::date)`.execute(
        db,
      );
    },
    async retained(scope: TenantScope, cancellationId: string) {
      const { rows } = await sql<{ id: string; category: RetentionCategory; keepUntil: string; gone: boolean }>`
        select r.id, r.category, to_char(r.keep_until, 'YYYY-MM-DD') as keep_until, r.content_encrypted = '' as gone
          from retained_records r join cancellations c on c.id = r.cancellation_id
         where c.id = ${cancellationId} and ${inScope(scope, "c")} order by r.keep_until, r.id`.execute(db);
      return rows;
    },
    async retainedOne(scope: TenantScope, id: string) {
      const { rows } = await sql<{
        id: string;
        cancellationId: string;
        tenantId: string;
        category: RetentionCategory;
        contentEncrypted: string;
      }>`
        select r.id, r.cancellation_id, c.tenant_id, r.category, r.content_encrypted
          from retained_records r join cancellations c on c.id = r.cancellation_id
         where r.id = ${id} and r.content_encrypted <> '' and ${inScope(scope, "c")}`.execute(db);
      return rows[0];
    },
    /** Ends what law wants kept no longer. @returns how many */
    async endRetained(scope: SystemScope, today: string): Promise<number> {
      requireSystemScope(scope);
      const { rows } = await sql`
        update retained_records set content_encrypted = '' where keep_until < ${today}::date and content_encrypted <> '' returning id`.execute(
        db,
      );
      return rows.length;
    },

    /** Everybody of a customer. */
    async members(scope: SystemScope, tenantId: string): Promise<string[]> {
      requireSystemScope(scope);
      const { rows } = await sql<{ accountId: string }>`
        select m.account_id from memberships m where m.tenant_id = ${tenantId} order by m.account_id limit 5000`.execute(
        db,
      );
      return rows.map(({ accountId }) => accountId);
    },
  };
}
export type CancellationRepository = ReturnType<typeof cancellationRepository>;
