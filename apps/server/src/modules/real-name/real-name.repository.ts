import type { RealNameEvent, RealNameReason, RealNameState } from "@herdwise/contract";
import type { RealNameField, RealNameKind } from "@herdwise/contract/real-name-checks";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { hasWord, inOneTenant, inScope, ofMember } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type Order, type PageRange, readList } from "../../database/pages.ts";
import { changeRow, type Due } from "../../processes/index.ts";
import type { MemberScope, SystemScope, TenantScope } from "../../tenant-scope.ts";

export interface ApplicationRow {
  id: string;
  tenantId: string;
  kind: RealNameKind;
  state: RealNameState;
  title: string;
  subjectIndex: Buffer;
  upgrade: boolean;
  round: number;
  version: number;
  rejections: number;
  submittedBy: string | null;
  submittedAt: Date;
  queuedAt: Date | null;
  dueAt: Date | null;
  /** Who has it in hand now; null when the time is over. */
  claimedBy: string | null;
  claimedUntil: Date | null;
  claimer: string;
  firstBy: string | null;
  decidedAt: Date | null;
  /** `yyyy-MM-dd` */
  licenceUntil: string | null;
}

export interface ItemRow {
  field: RealNameField;
  valueEncrypted: string;
  attachmentId: string | null;
  verdict: "open" | "accepted" | "returned";
  reason: RealNameReason | "";
  note: string;
  documentEncrypted: string;
  round: number;
}

/** What a customer sends of an item. */
export interface NewItem {
  field: string;
  valueEncrypted: string;
  attachmentId: string | null;
}

export type EventWhat = RealNameEvent["what"];
export interface EventRow {
  id: string;
  what: EventWhat;
  actor: string;
  items: { field: string; reason: string }[];
  createTime: Date;
}

export interface TaskFilter {
  view: "waiting" | "mine" | "second" | "done";
  kind?: RealNameKind | undefined;
  keyword?: string | undefined;
}

/** What changes of an application beside its version; what is left out stays. */
export interface ApplicationChange {
  state: RealNameState;
  round?: number;
  title?: string;
  subjectIndex?: Buffer;
  licenceUntil?: string | null;
  queue?: { at: Date; due: Date } | null;
  firstBy?: string | null;
  decidedBy?: string;
  rejected?: boolean;
}

/** Not decided. */
export const openApplicationStates: readonly RealNameState[] = ["remitting", "waiting", "second_look", "rejected"];
const open = sql`('remitting', 'waiting', 'second_look', 'rejected')`;
const inForce = sql`('passed', 'suspended')`;
const claimHolds = sql`a.claimed_until > clock_timestamp()`;

/** Of applications whose licence ends. @param today `yyyy-MM-dd` in Asia/Shanghai */
const licenceDue = { table: "realNameApplications", alias: "a", at: sql`a.licence_until` } as const;
/** Licences that are over. */
export const licenceOver = (today: string): Due => ({
  ...licenceDue,
  before: sql`${today}::date`,
  where: sql<SqlBool>`a.state = 'passed'`,
});
/** Licences that end within some days and whose owners were not reminded at that distance, or at a smaller one. */
export const licenceEnding = (today: string, days: number): Due => ({
  ...licenceDue,
  before: sql`${today}::date + ${days + 1}::int`,
  where: sql<SqlBool>`a.state = 'passed' and (a.reminded_days is null or a.reminded_days > ${sql.lit(days)}) and a.licence_until >= ${today}::date`,
  marks: sql`reminded_days = ${days}`,
});

/** Applications of customers with their items and history. @param db a pool or an open transaction */
export function realNameRepository(db: Kysely<DB>) {
  const columns = sql`
    a.id, a.tenant_id, a.kind, a.state, a.title, a.subject_index, a.upgrade, a.round, a.version, a.rejections, a.submitted_by,
    a.submitted_at, a.queued_at, a.due_at, a.first_by, a.decided_at, to_char(a.licence_until, 'YYYY-MM-DD') as licence_until,
    case when ${claimHolds} then a.claimed_by end as claimed_by,
    case when ${claimHolds} then a.claimed_until end as claimed_until,
    coalesce((select coalesce(nullif(c.real_name, ''), c.account) from accounts c
               where c.id = a.claimed_by and ${claimHolds}), '') as claimer`;
  const one = async (condition: RawBuilder<unknown>, lock: boolean): Promise<ApplicationRow | undefined> => {
    // By a statement of its own: one that waits for the lock would read what was before.
    if (lock) await sql`select from real_name_applications a where ${condition} for update`.execute(db);
    const { rows } =
      await sql<ApplicationRow>`select ${columns} from real_name_applications a where ${condition}`.execute(db);
    return rows[0];
  };

  return {
    /** The application of a tenant that is not decided. */
    openOne: (scope: MemberScope, lock = false) => one(sql`a.state in ${open} and ${inOneTenant(scope, "a")}`, lock),

    /** What is in force, or was until its licence ended. */
    current: (scope: MemberScope, lock = false) => one(sql`a.state in ${inForce} and ${inOneTenant(scope, "a")}`, lock),

    /** The person's ID number in the authentication in force that they sent themselves, encrypted. */
    async ownIdNumber(owner: MemberScope): Promise<string | undefined> {
      const { rows } = await sql<{ valueEncrypted: string }>`
        select i.value_encrypted
          from real_name_applications a join real_name_items i on i.real_name_application_id = a.id
         where a.state in ${inForce} and ${inOneTenant(owner, "a")} and a.submitted_by = ${owner.accountId}
           and i.field = case a.kind when 'personal' then 'idNumber' else 'legalIdNumber' end and i.value_encrypted <> ''
         limit 1`.execute(db);
      return rows[0]?.valueEncrypted;
    },

    /** The same of a customer whom the group's staff decide on. */
    currentOf: (scope: TenantScope, tenantId: string, lock = false) =>
      one(sql`a.state in ${inForce} and a.tenant_id = ${tenantId} and ${inScope(scope, "a")}`, lock),

    find: (scope: TenantScope | SystemScope, id: string, lock = false) =>
      one(sql`a.id = ${id} and ${inScope(scope, "a")}`, lock),

    /** Whether what is in force lets the tenant do business on a day. @param today `yyyy-MM-dd` in Asia/Shanghai */
    async isOpen(scope: MemberScope, today: string): Promise<boolean> {
      const { rows } = await sql`
        select from real_name_applications a
         where a.state = 'passed' and ${inOneTenant(scope, "a")}
           and (a.licence_until is null or a.licence_until >= ${today}::date)`.execute(db);
      return rows.length > 0;
    },

    async items(scope: TenantScope | SystemScope, applicationId: string): Promise<ItemRow[]> {
      const { rows } = await sql<ItemRow>`
        select i.field, i.value_encrypted, i.attachment_id, i.verdict, i.reason, i.note, i.document_encrypted, i.round
          from real_name_items i join real_name_applications a on a.id = i.real_name_application_id
         where a.id = ${applicationId} and ${inScope(scope, "a")}`.execute(db);
      return rows;
    },

    /** Newest first. */
    async events(scope: TenantScope, applicationId: string): Promise<EventRow[]> {
      const { rows } = await sql<EventRow>`
        select e.id, e.what, e.items, e.created_at as create_time, coalesce(nullif(c.real_name, ''), c.account, '') as actor
          from real_name_events e join real_name_applications a on a.id = e.real_name_application_id
          left join accounts c on c.id = e.account_id
         where a.id = ${applicationId} and ${inScope(scope, "a")} order by e.id desc limit 100`.execute(db);
      return rows;
    },

    async addEvent(
      scope: TenantScope | SystemScope,
      applicationId: string,
      event: {
        id: string;
        what: EventWhat;
        accountId?: string | null;
        items?: readonly { field: string; reason: string }[] | undefined;
      },
    ): Promise<void> {
      await sql`
        insert into real_name_events (id, real_name_application_id, what, account_id, items)
        select ${event.id}, a.id, ${event.what}, ${event.accountId ?? null}::bigint, ${JSON.stringify(event.items ?? [])}::jsonb
          from real_name_applications a where a.id = ${applicationId} and ${inScope(scope, "a")}`.execute(db);
    },

    /** @returns false while the tenant has another one under way */
    async insert(
      scope: TenantScope,
      row: {
        id: string;
        kind: RealNameKind;
        state: RealNameState;
        title: string;
        subjectIndex: Buffer;
        upgrade: boolean;
        licenceUntil: string | null;
        queue: { at: Date; due: Date } | undefined;
      },
    ): Promise<boolean> {
      const { rows } = await sql`
        insert into real_name_applications
          (id, tenant_id, kind, state, title, subject_index, upgrade, licence_until, submitted_by, queued_at, due_at)
        values (${row.id}, ${scope.tenantId}, ${row.kind}, ${row.state}, ${row.title}, ${row.subjectIndex}, ${row.upgrade},
                ${row.licenceUntil}::date, ${scope.accountId}, ${row.queue?.at ?? null}, ${row.queue?.due ?? null})
        on conflict (tenant_id) where state in ('remitting', 'waiting', 'second_look', 'rejected') do nothing
        returning id`.execute(db);
      return rows.length > 0;
    },

    /** Writes items as they were sent in a round; they are open again. */
    async saveItems(
      scope: TenantScope,
      applicationId: string,
      round: number,
      items: readonly NewItem[],
    ): Promise<void> {
      for (const { field, valueEncrypted, attachmentId } of items)
        await sql`
          insert into real_name_items (real_name_application_id, field, value_encrypted, attachment_id, round)
          select a.id, ${field}, ${valueEncrypted}, ${attachmentId}::bigint, ${round}
            from real_name_applications a where a.id = ${applicationId} and ${inScope(scope, "a")}
          on conflict (real_name_application_id, field) do update
            set value_encrypted = excluded.value_encrypted, attachment_id = excluded.attachment_id, round = excluded.round,
                verdict = 'open', reason = '', note = '', document_encrypted = ''`.execute(db);
    },

    async saveVerdict(
      scope: TenantScope,
      applicationId: string,
      { field, reason, note, documentEncrypted }: Pick<ItemRow, "field" | "reason" | "note" | "documentEncrypted">,
    ): Promise<void> {
      const verdict = reason === "none" ? "accepted" : "returned";
      await sql`
        update real_name_items i set verdict = ${verdict}, reason = ${reason}, note = ${note}, document_encrypted = ${documentEncrypted}
          from real_name_applications a
         where a.id = i.real_name_application_id and a.id = ${applicationId} and i.field = ${field}
           and ${inScope(scope, "a")}`.execute(db);
    },

    /**
     * Brings an application on. Callers hold its lock and looked at its state.
     * @param to a claim ends with each step
     */
    move(scope: TenantScope | SystemScope, id: string, to: ApplicationChange): Promise<void> {
      const { state, round, title, subjectIndex, licenceUntil, queue, firstBy, decidedBy } = to;
      return changeRow(db, "realNameApplications", scope, id, {
        version: sql`r.version + 1`,
        claimedBy: null,
        claimedUntil: null,
        ...{ state, round, title, subjectIndex, licenceUntil, firstBy, decidedBy },
        ...(queue !== undefined && { queuedAt: queue?.at ?? null, dueAt: queue?.due ?? null }),
        ...(decidedBy !== undefined && { decidedAt: sql`now()` }),
        ...(to.rejected && { rejections: sql`r.rejections + 1` }),
      });
    },

    /** A customer that was a person is an enterprise from now on. */
    async becomeEnterprise(scope: TenantScope, tenantId: string): Promise<void> {
      await sql`
        update tenants t set type = 'enterprise'
         where t.tenant_id = ${tenantId} and t.type = 'personal' and ${inScope(scope, "t")}`.execute(db);
    },

    /** @returns until when; undefined when somebody else has it, it waits for nobody, or the caller may not look at it */
    async claim(scope: TenantScope, id: string, minutes: number): Promise<Date | undefined> {
      const { rows } = await sql<{ claimedUntil: Date }>`
        update real_name_applications a
           set claimed_by = ${scope.accountId}, claimed_until = clock_timestamp() + make_interval(mins => ${minutes})
         where a.id = ${id} and ${inScope(scope, "a")} and a.state in ('waiting', 'second_look')
           and (a.claimed_by is null or a.claimed_by = ${scope.accountId} or not coalesce(${claimHolds}, false))
           and not (a.state = 'second_look' and a.first_by is not distinct from ${scope.accountId}::bigint)
           and not exists (select from memberships m where m.account_id = ${scope.accountId} and m.tenant_id = a.tenant_id)
        returning a.claimed_until`.execute(db);
      return rows[0]?.claimedUntil;
    },

    async release(scope: TenantScope, id: string): Promise<boolean> {
      const { rows } = await sql`
        update real_name_applications a set claimed_by = null, claimed_until = null
         where a.id = ${id} and a.claimed_by = ${scope.accountId} and ${inScope(scope, "a")} returning a.id`.execute(
        db,
      );
      return rows.length > 0;
    },

    /** Whether a reviewer keeps pigs with the customer. */
    async isMember(scope: TenantScope, tenantId: string): Promise<boolean> {
      const { rows } = await sql`
        select from memberships m where m.account_id = ${scope.accountId} and m.tenant_id = ${tenantId}`.execute(db);
      return rows.length > 0;
    },

    async page(
      scope: TenantScope,
      { view, kind, keyword }: TaskFilter,
      request: PageRange,
    ): Promise<{ rows: ApplicationRow[]; total: number }> {
      const views = {
        waiting: sql<SqlBool>`a.state in ('waiting', 'second_look')`,
        mine: sql<SqlBool>`a.state in ('waiting', 'second_look') and a.claimed_by = ${scope.accountId} and ${claimHolds}`,
        second: sql<SqlBool>`a.state = 'second_look'`,
        done: sql<SqlBool>`a.decided_at is not null and a.state in ('rejected', 'passed', 'suspended', 'replaced')`,
      };
      const order: Order =
        view === "done"
          ? [
              { by: sql`a.decided_at`, descending: true },
              { by: sql`a.id`, descending: true },
            ]
          : [{ by: sql`a.due_at` }, { by: sql`a.id` }];
      const conditions = [inScope(scope, "a"), views[view]];
      if (kind) conditions.push(sql<SqlBool>`a.kind = ${kind}`);
      if (keyword) conditions.push(hasWord(sql`lower(a.title)`, keyword));
      const list = { table: sql`real_name_applications a`, where: conditions, order, columns, key: "a.id" };
      return readList(db, list, request);
    },

    /** Whether another customer is authenticated by the same number. */
    async isUsedElsewhere(scope: TenantScope, { tenantId, indexes }: { tenantId: string; indexes: readonly Buffer[] }) {
      const { rows } = await sql`
        select from real_name_applications a
         where a.state in ${inForce} and a.tenant_id <> ${tenantId} and a.subject_index = any(${[...indexes]}::bytea[])
           and ${inScope(scope, "a")} limit 1`.execute(db);
      return rows.length > 0;
    },

    async figures(scope: TenantScope) {
      const waits = sql`a.state in ('waiting', 'second_look')`;
      const lately = sql`now() - interval '30 days'`;
      // Whoever reaches all needs no look at whose an event is.
      const reached = scope.everyTenant
        ? sql`true`
        : sql`exists (select from real_name_applications a where a.id = e.real_name_application_id and ${inScope(scope, "a")})`;
      const { rows } = await sql<{
        waiting: number;
        second: number;
        mine: number;
        overdue: number;
        oldestMinutes: number | null;
        medianMinutes: number | null;
      }>`
        select * from (
          select count(*)::int as waiting, (count(*) filter (where a.state = 'second_look'))::int as second,
                 (count(*) filter (where a.claimed_by = ${scope.accountId} and ${claimHolds}))::int as mine,
                 (count(*) filter (where a.due_at < now()))::int as overdue,
                 (extract(epoch from now() - min(a.queued_at)) / 60)::int as oldest_minutes
            from real_name_applications a where ${waits} and ${inScope(scope, "a")}) w
         cross join (
          select (percentile_cont(0.5) within group (order by extract(epoch from a.decided_at - a.queued_at)) / 60)::int as median_minutes
            from real_name_applications a
           where a.decided_at > ${lately} and a.decided_at >= a.queued_at and ${inScope(scope, "a")}) d`.execute(db);
      const { rows: decisions } = await sql<{ what: "passed" | "rejected"; count: number }>`
        select e.what, count(*)::int as count from real_name_events e
         where e.what in ('passed', 'rejected') and e.created_at > ${lately} and ${reached}
         group by e.what`.execute(db);
      const { rows: reasons } = await sql<{ reason: RealNameReason; count: number }>`
        select x->>'reason' as reason, count(*)::int as count
          from real_name_events e cross join jsonb_array_elements(e.items) as x
         where e.what = 'rejected' and e.created_at > ${lately} and ${reached}
         group by 1 order by 2 desc, 1`.execute(db);
      const countOf = (what: string) => decisions.find((row) => row.what === what)?.count ?? 0;
      const passed = countOf("passed");
      const rejected = countOf("rejected");
      const [figures] = rows;
      return {
        waiting: figures?.waiting ?? 0,
        second: figures?.second ?? 0,
        mine: figures?.mine ?? 0,
        overdue: figures?.overdue ?? 0,
        oldestMinutes: figures?.oldestMinutes ?? null,
        medianMinutes: figures?.medianMinutes ?? null,
        decided: passed + rejected,
        passed,
        rejected,
        reasons,
      };
    },

    /** Whose a picture of an application is, as the files keep it. */
    async pictureOwner(
      scope: TenantScope,
      applicationId: string,
      field: string,
    ): Promise<{ attachmentId: string; accountId: string; tenantId: string } | undefined> {
      const { rows } = await sql<{ attachmentId: string; accountId: string; tenantId: string }>`
        select f.id as attachment_id, f.account_id, f.tenant_id from real_name_items i
          join real_name_applications a on a.id = i.real_name_application_id
          join attachments f on f.id = i.attachment_id and f.tenant_id = a.tenant_id
         where a.id = ${applicationId} and i.field = ${field} and ${inScope(scope, "a")}`.execute(db);
      return rows[0];
    },

    async draft(owner: MemberScope) {
      const { rows } = await sql<{ kind: RealNameKind; valuesEncrypted: string; updateTime: Date }>`
        select d.kind, d.values_encrypted, d.updated_at as update_time from real_name_drafts d
         where ${ofMember(owner, "d")}`.execute(db);
      return rows[0];
    },

    /** Waits for another change of the same draft, so that two quick ones do not lose each other's fields. */
    async lockDraft(owner: MemberScope): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtext(${`real-name draft ${owner.tenantId} ${owner.accountId}`}))`.execute(
        db,
      );
    },

    async saveDraft(owner: MemberScope, kind: RealNameKind, valuesEncrypted: string): Promise<void> {
      await sql`
        insert into real_name_drafts (tenant_id, account_id, kind, values_encrypted)
        values (${owner.tenantId}, ${owner.accountId}, ${kind}, ${valuesEncrypted})
        on conflict (tenant_id, account_id) do update
          set kind = excluded.kind, values_encrypted = excluded.values_encrypted, updated_at = now()`.execute(db);
    },

    async removeDraft(owner: MemberScope): Promise<void> {
      await sql`delete from real_name_drafts d where ${ofMember(owner, "d")}`.execute(db);
    },
  };
}
export type RealNameRepository = ReturnType<typeof realNameRepository>;
