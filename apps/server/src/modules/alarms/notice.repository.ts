import { criticalStepMinutes, type DeviceKindId, languagePreference } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { isKnown, placeName, worstFirst } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";
import { type NoticeChannel, receiversOf } from "./receiver.repository.ts";

/** A notice that is due, with its alarm and its receiver. */
export interface DueNotice {
  id: string;
  alarmId: string;
  tenantId: string;
  accountId: string;
  channel: NoticeChannel;
  step: number;
  attempts: number;
  kind: DeviceKindId;
  ruleId: string;
  severity: number;
  facts: { key?: string; value?: unknown; limit?: unknown; name?: string; fields?: unknown };
  raisedAt: Date;
  ended: boolean;
  /** Somebody knows of the alarm, so it does not ask. */
  known: boolean;
  /** How often the alarm has asked, from 1. */
  round: number;
  deviceName: string;
  farmName: string;
  houseName: string;
  unitName: string;
  /** Quiet hours in minutes of the day, Asia/Shanghai; both 0 for none. */
  quietFrom: number;
  quietTo: number;
  addressEncrypted: string;
  phoneEncrypted: string;
  emailEncrypted: string;
  /** Language of the person. */
  language: "zh" | "en";
}

/** Minutes without an acknowledgement until the second and the third step, by severity 1 to 4; 0 for no such step. */
const stepMinutes: Readonly<Record<number, readonly [second: number, third: number]>> = {
  4: [criticalStepMinutes[1], criticalStepMinutes[2]],
  3: [15, 60],
  2: [0, 0],
  1: [0, 0],
};

/** SQL for the minutes from raising to a step, by severity. */
const minutesTo = (step: "first" | "second") => {
  const at = step === "first" ? 0 : 1;
  return sql`case a.severity when 4 then ${stepMinutes[4]?.[at] ?? 0}::int when 3 then ${stepMinutes[3]?.[at] ?? 0}::int else 0 end`;
};

/**
 * The outbox of notices about alarms of all tenants.
 * @param db a pool or an open transaction
 */
export function noticeRepository(db: Kysely<DB>, scope: SystemScope) {
  requireSystemScope(scope);
  return {
    /**
     * Adds a notice for each receiver of alarms at a step.
     * @param handleCode button code of the right to handle alarms
     */
    async announce(alarmIds: readonly string[], step: number, handleCode: string): Promise<void> {
      if (alarmIds.length === 0) return;
      const alarms = sql`select a.id, a.tenant_id, a.farm_id, a.severity, ${step}::smallint as step
        from alarms a where a.id = any(${[...alarmIds]}::bigint[])`;
      await sql`
        insert into alarm_notices (alarm_id, tenant_id, account_id, channel, step, round)
        select t.id, t.tenant_id, t.account_id, t.channel, t.step, a.round
          from (${receiversOf(alarms, handleCode)}) t join alarms a on a.id = t.id
        on conflict (alarm_id, round, step, account_id, channel) do nothing`.execute(db);
      await sql`
        insert into alarm_announcements (alarm_id, round, step)
        select a.id, a.round, ${step}::smallint from alarms a where a.id = any(${[...alarmIds]}::bigint[])
        on conflict do nothing`.execute(db);
      await sql`
        update alarms a set step = ${step}::smallint,
               next_step_at = case when ${step}::smallint = 1 and ${minutesTo("first")} > 0
                                     then coalesce(a.asked_at, a.recorded_at) + make_interval(mins => ${minutesTo("first")})
                                   when ${step}::smallint = 2 and ${minutesTo("second")} > 0
                                     then coalesce(a.asked_at, a.recorded_at) + make_interval(mins => ${minutesTo("second")}) end
         where a.id = any(${[...alarmIds]}::bigint[])`.execute(db);
    },

    /** Alarms that nobody acknowledged in time for their next step, locked. */
    async overdue(now: Date, limit: number): Promise<{ id: string; tenantId: string; step: number }[]> {
      const { rows } = await sql<{ id: string; tenantId: string; step: number }>`
        select a.id::text as id, a.tenant_id, a.step from alarms a
         where a.ended_at is null and a.next_step_at <= ${now} and not ${isKnown("a", now)}
         order by a.next_step_at limit ${limit} for update skip locked`.execute(db);
      return rows;
    },

    /** Adds entries of what happened by itself: a step that was reached, or why the alarm asks again. */
    async note(
      entries: readonly { id: string; alarmId: string; action: "escalate" | "ask"; body: string }[],
    ): Promise<void> {
      await db
        .insertInto("alarmEntries")
        .values([...entries])
        .execute();
    },

    /**
     * Claims due notices for `leaseS` seconds, all of a person and channel together.
     * A person who got a message by the channel within the last `restS` seconds waits until then, so that further notices are
     * sent in the same message.
     */
    async take(
      now: Date,
      { leaseS, restS, limit }: { leaseS: number; restS: number; limit: number },
    ): Promise<DueNotice[]> {
      const { rows } = await sql<DueNotice>`
        with due as materialized (
          select n.id from alarm_notices n
           where n.state = 'waiting' and n.due_at <= ${now}::timestamptz
             and not exists (select from alarm_notices p
                              where p.account_id = n.account_id and p.channel = n.channel and p.state = 'sent'
                                and p.sent_at > ${now}::timestamptz - make_interval(secs => ${restS}::float8))
           order by n.due_at, n.id limit ${limit} for update skip locked),
        taken as (
          update alarm_notices n set attempts = n.attempts + 1, due_at = ${now}::timestamptz + make_interval(secs => ${leaseS}::float8)
            from due where n.id = due.id returning n.*)
        select n.id::text as id, n.alarm_id::text as alarm_id, n.tenant_id, n.account_id::text as account_id, n.channel,
               n.step, n.attempts, a.kind, a.rule_id, a.severity, a.facts, a.raised_at, a.ended_at is not null as ended, ${isKnown("a", now)} as known, n.round,
              
               d.name as device_name, coalesce(${placeName("farms", "a.farmId")}, '') as farm_name,
               coalesce(${placeName("pigHouses", "a.houseId")}, '') as house_name,
               coalesce(${placeName("units", "a.unitId")}, '') as unit_name, coalesce(s.quiet_from, 0) as quiet_from, coalesce(s.quiet_to, 0) as quiet_to,
               coalesce(s.address_encrypted, '') as address_encrypted, case when p.phone_verified_at is null then '' else p.phone_encrypted end as phone_encrypted, p.email_encrypted,
               case when exists (select from preferences l where l.account_id = n.account_id and l.key = ${languagePreference} and l.value = '"en"')
                    then 'en' else 'zh' end as language
          from taken n
          join alarms a on a.id = n.alarm_id
          join devices d on d.id = a.device_id
          join accounts p on p.id = n.account_id
          left join alarm_subscriptions s on s.tenant_id = n.tenant_id and s.account_id = n.account_id and s.channel = n.channel
         order by ${worstFirst("a")}`.execute(db);
      return rows;
    },

    /** @param bundled number of notices in the same message */
    async sent(ids: readonly string[], now: Date, bundled: number): Promise<void> {
      await sql`update alarm_notices set state = 'sent', sent_at = ${now}, bundled = ${bundled}, fault = ''
         where id = any(${[...ids]}::bigint[])`.execute(db);
    },

    async failed(ids: readonly string[], fault: string, final: boolean, dueAt: Date): Promise<void> {
      await sql`update alarm_notices set fault = ${fault}, due_at = ${dueAt}, state = case when ${final}::boolean then 'failed' else 'waiting' end
         where id = any(${[...ids]}::bigint[])`.execute(db);
    },

    /** Removes notices that are no longer needed. */
    async drop(ids: readonly string[]): Promise<void> {
      await sql`update alarm_notices set state = 'dropped' where id = any(${[...ids]}::bigint[])`.execute(db);
    },

    /** Delays notices without counting it as an attempt. */
    async postpone(ids: readonly string[], until: Date): Promise<void> {
      await sql`update alarm_notices set due_at = ${until}, attempts = attempts - 1
         where id = any(${[...ids]}::bigint[])`.execute(db);
    },
  };
}
export type NoticeRepository = ReturnType<typeof noticeRepository>;
