import type {
  CancellationKind,
  CancellationState,
  ContractState,
  CustomerAuthentication,
  CustomerKind,
  CustomerRule,
  CustomerState,
  CustomerView,
  DeviceKindId,
} from "@herdwise/contract";
import type { BankCardState } from "@herdwise/contract/bank-card-rules";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { deviceStatus, hasWord, inScope, worstFirst } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type Order, type PageRange, readList } from "../../database/pages.ts";
import type { TenantScope } from "../../tenant-scope.ts";

export interface CustomerFilter {
  view: CustomerView;
  kind?: CustomerKind | undefined;
  state?: CustomerState | undefined;
  authentication?: CustomerAuthentication | undefined;
  rule?: CustomerRule | undefined;
  region?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** Part of name, login name or contact. */
  word?: string | undefined;
  ids?: readonly string[] | undefined;
  /** Of a whole phone number, by every key. */
  phoneIndexes?: readonly Buffer[] | undefined;
  /** Of a whole ID number or credit code, by every key. */
  numberIndexes?: readonly Buffer[] | undefined;
}

export interface CustomerRow {
  id: string;
  name: string;
  kind: CustomerKind;
  state: CustomerState;
  authentication: CustomerAuthentication;
  regionCode: string;
  accountId: string | null;
  account: string;
  /** Of the first member. */
  realName: string;
  contactNameEncrypted: string;
  phoneEncrypted: string;
  emailEncrypted: string;
  members: number;
  farms: number;
  devices: number;
  createTime: Date;
  endTime: Date | null;
}

export interface CustomerFindingRow {
  tenantId: string;
  rule: CustomerRule;
  sinceAt: Date;
  detail: string;
}

/** Rows of each list on the page of a customer. */
const listed = 50;

/**
 * Who a keyword means: by a part of the customer's name or of an account, or by a whole number or name of a contact, as those are shown
 * shortened and could be told by their parts.
 */
function meantBy({ word, phoneIndexes, numberIndexes }: CustomerFilter): RawBuilder<SqlBool> {
  if (!word) return sql<SqlBool>`true`;
  const named = (entry: "e" | "w") => {
    const contact = sql.ref(`${entry}.contact_key`);
    return sql<SqlBool>`(${hasWord(sql.ref(`${entry}.words`), word)} or (${contact} = lower(${word}) and ${contact} <> ''))`;
  };
  if (!phoneIndexes && !numberIndexes) return named("e");
  return sql<SqlBool>`e.tenant_id in (
    select w.tenant_id from customer_entries w where ${named("w")}
    ${
      phoneIndexes
        ? sql`union select m.tenant_id from accounts a join memberships m on m.account_id = a.id where a.phone_index = any(${[...phoneIndexes]}::bytea[])`
        : sql``
    }
    ${
      numberIndexes
        ? sql`union select n.tenant_id from real_name_applications n where n.subject_index = any(${[...numberIndexes]}::bytea[])`
        : sql``
    })`;
}

const viewConditions: Readonly<Record<CustomerView, RawBuilder<SqlBool>>> = {
  all: sql<SqlBool>`e.state <> 'cancelled'`,
  abnormal: sql<SqlBool>`e.state <> 'cancelled'`,
  cancelled: sql<SqlBool>`e.state = 'cancelled'`,
};

const dayStart = (day: string) => sql`${day}::date::timestamp at time zone 'Asia/Shanghai'`;

/** Customers as the group's staff see them. @param db a pool or an open transaction */
export function customerRepository(db: Kysely<DB>) {
  const conditionsOf = (scope: TenantScope, filter: CustomerFilter): RawBuilder<SqlBool>[] => {
    const { view, kind, state, authentication, rule, region, from, to } = filter;
    const conditions: RawBuilder<SqlBool>[] = [inScope(scope, "e"), viewConditions[view], meantBy(filter)];
    if (filter.ids) conditions.push(sql<SqlBool>`e.tenant_id = any(${[...filter.ids]}::text[])`);
    if (kind) conditions.push(sql<SqlBool>`e.kind = ${kind}`);
    if (state) conditions.push(sql<SqlBool>`e.state = ${state}`);
    if (authentication) conditions.push(sql<SqlBool>`e.authentication = ${authentication}`);
    if (region) conditions.push(sql<SqlBool>`(e.region_code <> '' and e.region_code like ${`${region}%`})`);
    if (from) conditions.push(sql<SqlBool>`e.created_at >= ${dayStart(from)}`);
    if (to) conditions.push(sql<SqlBool>`e.created_at < ${dayStart(to)} + interval '1 day'`);
    if (view !== "abnormal" && rule)
      conditions.push(
        sql<SqlBool>`exists (select from customer_findings f where f.tenant_id = e.tenant_id and f.rule = ${rule})`,
      );
    // By any rule they stand in an index of their own; by one, what it found says which they are.
    if (view === "abnormal" && !rule) conditions.push(sql<SqlBool>`e.abnormal_since is not null`);
    return conditions;
  };
  const found = ({ view, rule }: CustomerFilter): RawBuilder<unknown> =>
    view === "abnormal" && rule
      ? sql`join customer_findings f on f.tenant_id = e.tenant_id and f.rule = ${rule}`
      : sql``;
  const orderOf = ({ view, rule }: CustomerFilter): Order => {
    const descending = view !== "abnormal";
    const times = {
      all: sql`e.created_at`,
      cancelled: sql`e.ended_at`,
      abnormal: rule ? sql`f.since_at` : sql`e.abnormal_since`,
    };
    return [
      // Nulls are last in the index, too.
      ...(view === "all" || (view === "abnormal" && !rule) ? [{ by: sql`e.worst` }] : []),
      ...(view === "all" ? [{ by: sql`e.abnormal_since` }] : []),
      { by: times[view], descending },
      { by: sql`e.tenant_id`, descending },
    ];
  };
  const columns = sql`
    e.tenant_id as id, e.name, e.kind, e.state, e.authentication, e.region_code, e.account_id,
    coalesce(a.account, '') as account, coalesce(a.real_name, '') as real_name, coalesce(p.contact_name_encrypted, '') as contact_name_encrypted,
    coalesce(a.phone_encrypted, '') as phone_encrypted, coalesce(a.email_encrypted, '') as email_encrypted,
    (select count(*)::int from memberships m where m.tenant_id = e.tenant_id) as members,
    (select count(*)::int from farms f where f.tenant_id = e.tenant_id) as farms,
    (select count(*)::int from devices d where d.tenant_id = e.tenant_id) as devices,
    e.created_at as create_time, e.ended_at as end_time`;
  const joined = sql`left join accounts a on a.id = e.account_id left join customer_profiles p on p.tenant_id = e.tenant_id`;
  const status = deviceStatus();
  const personOf = sql`coalesce(nullif(a.real_name, ''), nullif(a.nick_name, ''), a.account)`;

  return {
    page: (scope: TenantScope, filter: CustomerFilter, request: PageRange) =>
      readList<CustomerRow>(
        db,
        {
          table: sql`customer_entries e`,
          found: found(filter),
          where: conditionsOf(scope, filter),
          order: orderOf(filter),
          columns,
          key: "e.tenant_id",
          joins: joined,
        },
        request,
      ),

    /** Customers of a list after one of them, by their ids, for a file. */
    async after(scope: TenantScope, filter: CustomerFilter, id: string, limit: number): Promise<CustomerRow[]> {
      const { rows } = await sql<CustomerRow>`
        select ${columns} from (select e.* from customer_entries e ${found(filter)}
                                 where ${sql.join(conditionsOf(scope, filter), sql` and `)} and e.tenant_id > ${id}
                                 order by e.tenant_id limit ${limit}) e ${joined} order by e.tenant_id`.execute(db);
      return rows;
    },

    async find(scope: TenantScope, id: string) {
      const { rows } = await sql<
        CustomerRow & {
          version: number;
          remark: string;
          ownRegionCode: string;
          ownAddressEncrypted: string;
          addressEncrypted: string;
        }
      >`
        select ${columns}, coalesce(p.version, 0) as version, coalesce(p.remark, '') as remark, coalesce(p.region_code, '') as own_region_code,
               coalesce(p.address_encrypted, '') as own_address_encrypted,
               coalesce(nullif(p.address_encrypted, ''), (select d.address_encrypted from addresses d where d.account_id = e.account_id), '') as address_encrypted
          from customer_entries e ${joined} where e.tenant_id = ${id} and ${inScope(scope, "e")}`.execute(db);
      return rows[0];
    },

    /** Makes changes of one customer wait for each other. */
    async lock(scope: TenantScope, id: string): Promise<void> {
      // Not the key: rows that name the customer go on being written.
      await sql`select from tenants t where t.tenant_id = ${id} and ${inScope(scope, "t")} for no key update`.execute(
        db,
      );
    },

    async findings(scope: TenantScope, ids: readonly string[]): Promise<CustomerFindingRow[]> {
      const { rows } = await sql<CustomerFindingRow>`
        select f.tenant_id, f.rule, f.since_at, f.detail from customer_findings f
         where f.tenant_id = any(${[...ids]}::text[]) and ${inScope(scope, "f")}
         order by customer_rule_rank(f.rule), f.since_at`.execute(db);
      return rows;
    },

    async figures(scope: TenantScope) {
      const [counts, rules, looks] = await Promise.all([
        sql<{ total: number; cancelled: number; abnormal: number }>`
          select (count(*) filter (where e.state <> 'cancelled'))::int as total,
                 (count(*) filter (where e.state = 'cancelled'))::int as cancelled,
                 (select count(*)::int from customer_entries a
                   where a.abnormal_since is not null and a.state <> 'cancelled' and ${inScope(scope, "a")}) as abnormal
            from customer_entries e where ${inScope(scope, "e")}`.execute(db),
        sql<{ rule: CustomerRule; count: number }>`
          select f.rule, count(*)::int as count from customer_findings f where ${inScope(scope, "f")} group by f.rule`.execute(
          db,
        ),
        sql<{ lookedAt: Date }>`select looked_at from customer_looks`.execute(db),
      ]);
      const [of] = counts.rows;
      return {
        total: of?.total ?? 0,
        abnormal: of?.abnormal ?? 0,
        cancelled: of?.cancelled ?? 0,
        rules: rules.rows,
        lookTime: looks.rows[0]?.lookedAt ?? null,
      };
    },

    /** The authentication in force, else the newest. */
    async authentication(scope: TenantScope, id: string) {
      const { rows } = await sql<{
        id: string;
        title: string;
        kind: CustomerKind;
        licenceUntil: string | null;
        submitTime: Date;
        decideTime: Date | null;
        numberEncrypted: string;
      }>`
        select n.id, n.title, n.kind, n.licence_until, n.submitted_at as submit_time, n.decided_at as decide_time,
               coalesce((select i.value_encrypted from real_name_items i where i.real_name_application_id = n.id
                          and i.field = case n.kind when 'personal' then 'idNumber' else 'creditCode' end), '') as number_encrypted
          from real_name_applications n
         where n.tenant_id = ${id} and ${inScope(scope, "n")}
         order by n.state in ('passed', 'suspended') desc, n.id desc limit 1`.execute(db);
      return rows[0];
    },

    async members(scope: TenantScope, id: string) {
      const { rows } = await sql<{
        id: string;
        account: string;
        contactName: string;
        phoneEncrypted: string;
        emailEncrypted: string;
        roles: string;
        status: number;
        lastSeenAt: Date | null;
      }>`
        select a.id, a.account, coalesce(nullif(a.real_name, ''), a.nick_name) as contact_name, a.phone_encrypted, a.email_encrypted,
               coalesce((select string_agg(r.role_name, ',' order by r.sort, r.id) from membership_roles mr
                 join roles r on r.id = mr.role_id where mr.membership_id = m.id), '') as roles,
               least(m.status, a.status) as status,
               (select max(s.last_seen_at) from sessions s where s.membership_id = m.id) as last_seen_at
          from memberships m join accounts a on a.id = m.account_id
         where m.tenant_id = ${id} and a.removed_at is null and ${inScope(scope, "m")}
         order by m.created_at, m.id limit ${listed}`.execute(db);
      return rows;
    },

    async farms(scope: TenantScope, id: string) {
      const { rows } = await sql<{ id: string; name: string; type: string; regionCode: string; heads: number }>`
        select f.id, f.name, f.type, f.region_code,
               coalesce((select sum(u.head_count)::int from units u join pig_houses h on h.id = u.house_id where h.farm_id = f.id), 0) as heads
          from farms f where f.tenant_id = ${id} and ${inScope(scope, "f")} order by f.sort, f.id limit ${listed}`.execute(
        db,
      );
      return rows;
    },

    async deviceStates(scope: TenantScope, id: string) {
      const { rows } = await sql<{ status: string; count: number }>`
        select ${status} as status, count(*)::int as count from devices d left join device_states s on s.device_id = d.id
         where d.tenant_id = ${id} and ${inScope(scope, "d")} group by 1 order by 2 desc`.execute(db);
      return rows;
    },

    /** Those that need somebody first. */
    async devices(scope: TenantScope, id: string) {
      const { rows } = await sql<{
        id: string;
        name: string;
        kind: string;
        serialNumber: string;
        status: string;
        reportTime: Date | null;
      }>`
        select d.id, d.name, d.kind, d.serial_number, ${status} as status, s.reported_at as report_time
          from devices d left join device_states s on s.device_id = d.id
         where d.tenant_id = ${id} and ${inScope(scope, "d")}
         order by array_position(array['fault', 'offline', 'blocked', 'unactivated', 'online'], ${status}), d.id limit 12`.execute(
        db,
      );
      return rows;
    },

    async orders(scope: TenantScope, id: string) {
      const { rows } = await sql<{
        id: string;
        number: string;
        type: string;
        title: string;
        state: string;
        overdue: boolean;
        createTime: Date;
      }>`
        select w.id, w.number, w.type, w.title, w.state, w.created_at as create_time,
               w.state in ('pending', 'in_process', 'waiting_customer')
                 and ((w.first_answered_at is null and w.first_due_at < now()) or coalesce(w.solve_due_at < now(), false)) as overdue
          from work_orders w where w.tenant_id = ${id} and ${inScope(scope, "w")} order by w.id desc limit 12`.execute(
        db,
      );
      return rows;
    },

    /** What was drafted for it, sent to it and signed, the newest first. */
    async contracts(scope: TenantScope, id: string) {
      const { rows } = await sql<{
        id: string;
        number: string;
        title: string;
        titleEn: string;
        state: ContractState;
        until: string;
      }>`
        select c.id, c.number, c.title, c.title_en, c.state, coalesce(c.end_day::text, '') as until
          from contracts c where c.tenant_id = ${id} and ${inScope(scope, "c")} order by c.id desc limit 12`.execute(
        db,
      );
      return rows;
    },

    async bankCards(scope: TenantScope, id: string) {
      const { rows } = await sql<{
        id: string;
        bankName: string;
        lastFour: string;
        state: BankCardState;
        isDefault: boolean;
      }>`
        select b.id, b.bank_name, b.last_four, b.state, b.is_default from bank_cards b
         where b.tenant_id = ${id} and b.state <> 'unbound' and ${inScope(scope, "b")} order by b.is_default desc, b.id limit ${listed}`.execute(
        db,
      );
      return rows;
    },

    async closings(scope: TenantScope, id: string) {
      const { rows } = await sql<{
        id: string;
        kind: CancellationKind;
        member: string;
        state: CancellationState;
        askTime: Date;
        dueTime: Date;
      }>`
        select k.id, k.kind, ${personOf} as member, k.state, k.asked_at as ask_time, k.due_at as due_time
          from cancellations k join accounts a on a.id = k.account_id
         where k.tenant_id = ${id} and ${inScope(scope, "k")}
         order by k.state in ('cooling', 'waiting', 'accepted') desc, k.id desc limit 12`.execute(db);
      return rows;
    },

    async alarms(scope: TenantScope, id: string) {
      const { rows } = await sql<{
        id: string;
        kind: DeviceKindId;
        ruleId: string;
        ruleName: string;
        severity: number;
        deviceName: string;
        raiseTime: Date;
        total: number;
      }>`
        select a.id, a.kind, a.rule_id, coalesce(a.facts ->> 'name', '') as rule_name, a.severity, d.name as device_name,
               a.raised_at as raise_time, (count(*) over ())::int as total
          from alarms a join devices d on d.id = a.device_id
         where a.tenant_id = ${id} and a.ended_at is null and not a.suppressed and ${inScope(scope, "a")}
         order by ${worstFirst("a")} limit 12`.execute(db);
      return rows;
    },

    async consents(scope: TenantScope, id: string) {
      const { rows } = await sql<{ kind: string; version: string; member: string; agreeTime: Date }>`
        select v.kind, v.version, a.account as member, c.agreed_at as agree_time
          from memberships m join accounts a on a.id = m.account_id
          join agreement_consents c on c.account_id = a.id join agreement_versions v on v.id = c.version_id
         where m.tenant_id = ${id} and ${inScope(scope, "m")} order by c.agreed_at desc limit ${listed}`.execute(db);
      return rows;
    },

    async sessions(scope: TenantScope, id: string) {
      const { rows } = await sql<{
        id: string;
        member: string;
        userAgent: string;
        createTime: Date;
        lastSeenAt: Date;
      }>`
        select s.id, ${personOf} as member, s.user_agent, s.created_at as create_time, s.last_seen_at
          from sessions s join accounts a on a.id = s.account_id
         where s.tenant_id = ${id} and s.ended_at is null and ${inScope(scope, "s")} and s.last_seen_at > now() - interval '7 days'
         order by s.last_seen_at desc limit 12`.execute(db);
      return rows;
    },

    /** Phone, e-mail and name of a member, encrypted where they are. */
    async member(scope: TenantScope, id: string, accountId: string) {
      const { rows } = await sql<{ phoneEncrypted: string; emailEncrypted: string; realName: string }>`
        select a.phone_encrypted, a.email_encrypted, coalesce(nullif(a.real_name, ''), a.nick_name) as real_name
          from memberships m join accounts a on a.id = m.account_id
         where m.tenant_id = ${id} and a.id = ${accountId} and a.removed_at is null and ${inScope(scope, "m")}`.execute(
        db,
      );
      return rows[0];
    },

    async isRegion(code: string): Promise<boolean> {
      return (await db.selectFrom("regions").select("code").where("code", "=", code).executeTakeFirst()) !== undefined;
    },

    async rename(scope: TenantScope, id: string, name: string): Promise<void> {
      await sql`update tenants t set name = ${name}, updated_at = now() where t.tenant_id = ${id} and t.type <> 'group' and ${inScope(scope, "t")}`.execute(
        db,
      );
    },

    /** What customers call somebody of the group's staff; "" for who is gone. */
    async staffName(scope: TenantScope): Promise<string> {
      const { rows } = await sql<{ name: string }>`
        select coalesce(nullif(a.nick_name, ''), a.real_name) as name from accounts a where a.id = ${scope.accountId}`.execute(
        db,
      );
      return rows[0]?.name ?? "";
    },

    /** @returns the new version */
    async saveProfile(
      scope: TenantScope,
      id: string,
      profile: { contactNameEncrypted: string; regionCode: string; addressEncrypted: string; remark: string },
    ): Promise<number> {
      const { rows } = await sql<{ version: number }>`
        insert into customer_profiles as p (tenant_id, contact_name_encrypted, region_code, address_encrypted, remark, updated_by)
        select t.tenant_id, ${profile.contactNameEncrypted}, ${profile.regionCode}, ${profile.addressEncrypted}, ${profile.remark}, ${scope.accountId}
          from tenants t where t.tenant_id = ${id} and t.type <> 'group' and ${inScope(scope, "t")}
        on conflict (tenant_id) do update
          set contact_name_encrypted = excluded.contact_name_encrypted, region_code = excluded.region_code,
              address_encrypted = excluded.address_encrypted, remark = excluded.remark,
              version = p.version + 1, updated_by = excluded.updated_by, updated_at = now()
        returning version`.execute(db);
      return rows[0]?.version ?? 0;
    },
  };
}
export type CustomerRepository = ReturnType<typeof customerRepository>;
