import type { DeviceKindId } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { inOneTenant, placeName } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { PushRow } from "./push.repository.ts";
import { type NoticeChannel, receiversOf } from "./receiver.repository.ts";

/** A notice that other settings would have written, with what became of its alarm. */
export interface PreviewRow {
  alarmId: string;
  channel: NoticeChannel;
  step: number;
  round: number;
  dueMs: number;
  /** The unit's mode or a masking period hid it, so that nobody was told. */
  masked: boolean;
  kind: DeviceKindId;
  ruleId: string;
  severity: number;
  facts: { key?: string; value?: unknown; limit?: unknown; name?: string; fields?: Readonly<Record<string, unknown>> };
  raisedAt: Date;
  endedMs: number | null;
  deviceName: string;
  farmName: string;
  houseName: string;
  unitName: string;
}

/** From when until when somebody knew of an alarm, ms since 1970. */
export interface KnownTime {
  alarmId: string;
  fromMs: number;
  toMs: number;
}

/** Notices that one answer is worked out from; beyond them the newest count. */
const mostNotices = 5000;

/** What alarms of the past would have told one person. @param db a pool */
export function pushPreviewRepository(db: Kysely<DB>, handleCode: string) {
  /** Settings as rows of `alarm_subscriptions`. */
  const subscriptionsOf = ({ tenantId, accountId }: TenantScope, rows: readonly PushRow[]) => sql`
    (select ${tenantId}::text as tenant_id, ${accountId}::bigint as account_id, w.channel, w.least_severity, w.step, w.enabled,
            array(select jsonb_array_elements_text(w.farm_ids))::bigint[] as farm_ids
       from jsonb_to_recordset(${JSON.stringify(
         rows.map(({ channel, leastSeverity, farmIds, step, enabled }) => ({
           channel,
           least_severity: leastSeverity,
           farm_ids: farmIds,
           step,
           enabled,
         })),
       )}::jsonb) as w (channel text, least_severity smallint, farm_ids jsonb, step smallint, enabled boolean))`;

  return {
    /**
     * What the receivers of alarms would have been with other settings of the scope's account, by the rule that finds them for a real alarm.
     * A masked alarm counts as if it had been told when it was raised.
     */
    async notices(scope: TenantScope, rows: readonly PushRow[], since: Date): Promise<PreviewRow[]> {
      const asked = sql`
        select row_number() over () as id, a.id as alarm_id, a.tenant_id, a.farm_id, a.severity, n.step, n.round, n.at, false as masked
          from alarm_announcements n join alarms a on a.id = n.alarm_id where n.at > ${since} and ${inOneTenant(scope, "a")}
        union all
        select -row_number() over () as id, a.id, a.tenant_id, a.farm_id, a.severity, 1, 1, a.recorded_at, true
          from alarms a where a.suppressed and not a.quiet and not a.late and not a.withdrawn and a.recorded_at > ${since}
           and ${inOneTenant(scope, "a")}`;
      const receivers = receiversOf(
        sql`select id, tenant_id, farm_id, severity, step from asked`,
        handleCode,
        scope.accountId,
        subscriptionsOf(scope, rows),
      );
      const { rows: found } = await sql<PreviewRow>`
        with asked as materialized (${asked})
        select a.id::text as alarm_id, t.channel, k.step, k.round, floor(extract(epoch from k.at) * 1000)::float8 as due_ms, k.masked,
               a.kind, a.rule_id, a.severity, a.facts, a.raised_at, floor(extract(epoch from a.ended_at) * 1000)::float8 as ended_ms,
               d.name as device_name, coalesce(${placeName("farms", "a.farmId")}, '') as farm_name,
               coalesce(${placeName("pigHouses", "a.houseId")}, '') as house_name, coalesce(${placeName("units", "a.unitId")}, '') as unit_name
          from (${receivers}) t join asked k on k.id = t.id join alarms a on a.id = k.alarm_id join devices d on d.id = a.device_id
         order by k.at desc, a.id desc limit ${mostNotices}`.execute(db);
      return found;
    },

    /** Times in which somebody knew of alarms, by what they acknowledged and when the alarms asked again. */
    async knownTimes(scope: TenantScope, since: Date): Promise<KnownTime[]> {
      const { rows } = await sql<KnownTime>`
        select a.id::text as alarm_id, floor(extract(epoch from e.created_at) * 1000)::float8 as from_ms,
               floor(extract(epoch from least(e.created_at + make_interval(mins => e.body::int), n.created_at)) * 1000)::float8 as to_ms
          from alarms a
          join alarm_entries e on e.alarm_id in (a.id, a.cause_id) and e.action = 'acknowledge' and e.body ~ '^[0-9]{1,4}$'
          left join lateral (select x.created_at from alarm_entries x where x.alarm_id = a.id and x.action = 'ask' and x.id > e.id
                              order by x.id limit 1) n on true
         where ${inOneTenant(scope, "a")} and e.created_at > ${since}::timestamptz - interval '1 day'`.execute(db);
      return rows;
    },

    /** How many alarms of the scope's tenant were told to somebody. */
    async figures(scope: TenantScope, since: Date): Promise<{ alarms: number }> {
      const { rows } = await sql<{ alarms: number }>`
        select count(distinct n.alarm_id)::int as alarms from alarm_announcements n join alarms a on a.id = n.alarm_id
         where n.at > ${since} and ${inOneTenant(scope, "a")}`.execute(db);
      return rows[0] ?? { alarms: 0 };
    },
  };
}
export type PushPreviewRepository = ReturnType<typeof pushPreviewRepository>;
