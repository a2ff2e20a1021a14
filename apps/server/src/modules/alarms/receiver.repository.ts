import type { AlarmChannel } from "@herdwise/contract";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { inOneTenant, inReach } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";

/** Channel of a notice; calls can't be chosen, they follow an unanswered SMS. */
export type NoticeChannel = AlarmChannel | "voice";

/** Channels that wake a person. */
export const wakingChannels = ["sms", "voice"] as const satisfies readonly NoticeChannel[];
export type WakingChannel = (typeof wakingChannels)[number];
/** Whether a channel wakes people. */
export const wakes = (channel: NoticeChannel): boolean => wakingChannels.some((one) => one === channel);

/**
 * Receivers of alarms by channel, used for notices and for the roster.
 * - People who subscribed.
 * - People who may handle alarms and chose nothing: in the portal from MINOR on, and by SMS for a critical alarm at once.
 * - Owners, for a critical alarm at the third step, whatever they chose.
 * From the second step on a call follows each SMS about a critical alarm.
 * @param alarms rows of id, tenant_id, farm_id, severity and step
 * @param handleCode button code of the right to handle alarms
 * @param accountId only this account; everybody where it is left out
 * @param subscriptions rows as of `alarm_subscriptions`, in place of those
 * @returns rows of id, tenant_id, step, account_id and channel
 */
export const receiversOf = (
  alarms: RawBuilder<unknown>,
  handleCode: string,
  accountId?: string,
  subscriptions: RawBuilder<unknown> = sql`alarm_subscriptions`,
): RawBuilder<unknown> => sql`
  with alarm as (${alarms}),
  person as (
    select m.tenant_id, m.account_id, p.phone_verified_at is not null and p.phone_encrypted <> '' as has_phone,
           exists (select from membership_roles mr join granted_menus rm on rm.role_id = mr.role_id join menus n on n.id = rm.menu_id
                    where mr.membership_id = m.id and n.code = ${handleCode}) as handles,
           exists (select from membership_roles mr join roles r on r.id = mr.role_id
                    where mr.membership_id = m.id and r.role_alias in ('owner', 'administrator')) as owns,
           exists (select from ${subscriptions} s where s.account_id = m.account_id and s.tenant_id = m.tenant_id) as chose
      from memberships m join accounts p on p.id = m.account_id and p.status = 1
     where m.status = 1 and m.tenant_id in (select tenant_id from alarm)
       ${accountId === undefined ? sql`` : sql`and m.account_id = ${accountId}`}),
  chosen as (
    select a.*, s.account_id, s.channel, p.has_phone
      from alarm a
      join ${subscriptions} s on s.tenant_id = a.tenant_id and s.enabled and s.step <= a.step
       and s.least_severity <= a.severity and (s.farm_ids = '{}' or a.farm_id = any(s.farm_ids))
      join person p on p.tenant_id = s.tenant_id and p.account_id = s.account_id)
  select id, tenant_id, step, account_id, channel from chosen where channel <> 'sms' or has_phone
  union
  select id, tenant_id, step, account_id, 'voice' from chosen where channel = 'sms' and has_phone and severity = 4 and step >= 2
  union
  select a.id, a.tenant_id, a.step, p.account_id, w.channel
    from alarm a
    join person p on p.tenant_id = a.tenant_id
   cross join (values ('site', 1), ('sms', 1), ('voice', 2)) as w (channel, from_step)
   where w.from_step <= a.step
     and case when w.channel = 'site' then a.severity >= 2 and p.handles and not p.chose
              else a.severity = 4 and p.has_phone and (p.handles and not p.chose or p.owns and a.step >= 3) end`;

/** A person whom an alarm of a farm concerns. */
export interface RosterPerson {
  accountId: string;
  personName: string;
  /** "" for no number, or one that its owner has not proved. */
  phoneEncrypted: string;
  /** The account or its membership is disabled. */
  disabled: boolean;
}

/** One way in which a critical alarm of a farm wakes a person. */
export interface WakingRow {
  farmId: string;
  farmName: string;
  accountId: string;
  step: number;
  channel: NoticeChannel;
}

export interface FarmRow {
  farmId: string;
  farmName: string;
  tenantName: string;
}

/** Imaginary critical alarms, one for each farm and step. */
const critical = (farms: RawBuilder<unknown>, steps: readonly number[]) =>
  sql`select f.id, f.tenant_id, f.id as farm_id, 4 as severity, w.step
        from (${farms}) f cross join unnest(${[...steps]}::int[]) as w (step)`;
const allSteps = [1, 2, 3] as const;
const hasDevices = sql`exists (select from devices d where d.farm_id = f.id and d.tenant_id = f.tenant_id)`;

/**
 * Finds the people whom critical alarms would wake.
 * @param db a pool or an open transaction
 * @param handleCode button code of the right to handle alarms
 */
export function receiverRepository(db: Kysely<DB>, handleCode: string) {
  return {
    /** How the scope's account is woken for its tenant's farms, and whether it may handle alarms. */
    async ownWaking(scope: TenantScope): Promise<{ handles: boolean; rows: WakingRow[] }> {
      const farms = sql`select id, tenant_id from farms f where ${inOneTenant(scope, "f")} and ${inReach(scope, "f")}`;
      const { rows } = await sql<WakingRow>`
        select f.id::text as farm_id, f.name as farm_name, t.account_id::text as account_id, t.step, t.channel
          from (${receiversOf(critical(farms, allSteps), handleCode, scope.accountId)}) t
          join farms f on f.id = t.id
         where t.channel = any(${[...wakingChannels]}::text[])
         order by f.sort, f.id, t.step`.execute(db);
      const handles = await sql`
        select from memberships m join membership_roles mr on mr.membership_id = m.id join granted_menus rm on rm.role_id = mr.role_id
          join menus n on n.id = rm.menu_id
         where m.account_id = ${scope.accountId} and ${inOneTenant(scope, "m")} and n.code = ${handleCode} limit 1`.execute(
        db,
      );
      return { handles: handles.rows.length > 0, rows };
    },

    /** Receivers of a critical alarm of farms of the scope's tenant, by step and channel. */
    async receivers(scope: TenantScope, farmIds: readonly string[]): Promise<WakingRow[]> {
      const farms = sql`select id, tenant_id from farms f where ${inOneTenant(scope, "f")} and ${inReach(scope, "f")} and f.id = any(${[...farmIds]}::bigint[])`;
      const { rows } = await sql<WakingRow>`
        select f.id::text as farm_id, f.name as farm_name, t.account_id::text as account_id, t.step, t.channel
          from (${receiversOf(critical(farms, allSteps), handleCode)}) t
          join farms f on f.id = t.id
         order by f.sort, f.id, t.step`.execute(db);
      return rows;
    },

    /** Members of the scope's tenant who may handle alarms or own the farms, including disabled ones, and the given others. */
    async people(scope: TenantScope, others: readonly string[]): Promise<RosterPerson[]> {
      const { rows } = await sql<RosterPerson>`
        select p.id::text as account_id, coalesce(nullif(p.real_name, ''), nullif(p.nick_name, ''), p.account_key) as person_name,
               case when p.phone_verified_at is null then '' else p.phone_encrypted end as phone_encrypted,
               p.status <> 1 or m.status <> 1 as disabled
          from memberships m join accounts p on p.id = m.account_id
         where ${inOneTenant(scope, "m")} and p.removed_at is null
           and (p.id = any(${[...others]}::bigint[])
                or exists (select from membership_roles mr join roles r on r.id = mr.role_id
                            where mr.membership_id = m.id and (r.role_alias in ('owner', 'administrator')
                              or exists (select from granted_menus rm join menus n on n.id = rm.menu_id
                                          where rm.role_id = r.id and n.code = ${handleCode}))))
         order by person_name, p.id`.execute(db);
      return rows;
    },

    /** Farms of the scope's tenant that have devices, and so can raise alarms. */
    async farms(scope: TenantScope): Promise<{ farmId: string; farmName: string }[]> {
      const { rows } = await sql<{ farmId: string; farmName: string }>`
        select f.id::text as farm_id, f.name as farm_name from farms f
         where ${inOneTenant(scope, "f")} and ${inReach(scope, "f")} and ${hasDevices} order by f.sort, f.id`.execute(
        db,
      );
      return rows;
    },

    /**
     * Farms with devices whose critical alarms wake nobody up to the third step, and the number of farms with devices.
     * @param works channels whose service works
     */
    async unwoken(
      scope: TenantScope,
      works: readonly WakingChannel[],
      limit: number,
    ): Promise<{ total: number; count: number; farms: FarmRow[] }> {
      const { rows } = await sql<{ total: number; count: number; farms: FarmRow[] }>`
        with farm as materialized (
          select f.id, f.tenant_id, f.name, f.sort, n.name as tenant_name
            from farms f join tenants n on n.tenant_id = f.tenant_id and n.status = 1
           where ${inReach(scope, "f")} and ${hasDevices}),
        gap as (
          select * from farm
           where id not in (
             select t.id from (${receiversOf(critical(sql`select id, tenant_id from farm`, [3]), handleCode)}) t
              where t.channel = any(${[...works]}::text[])))
        select (select count(*) from farm)::int as total, (select count(*) from gap)::int as count,
               coalesce((select json_agg(json_build_object('farmId', id::text, 'farmName', name, 'tenantName', tenant_name))
                           from (select * from gap order by tenant_name, sort, id limit ${limit}) named), '[]') as farms`.execute(
        db,
      );
      return rows[0] ?? { total: 0, count: 0, farms: [] };
    },
  };
}
export type ReceiverRepository = ReturnType<typeof receiverRepository>;
