import {
  type AlarmFigure,
  type DeviceKindId,
  deviceKindIds,
  faultRulesOf,
  type PigstyType,
  type ReportedValue,
  type Severity,
  type UnitMode,
  type WorseFrom,
} from "@herdwise/device-kinds";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { isKnown } from "../../database/conditions.ts";
import { fetchedFirst } from "../../database/distribution.ts";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";
import { severityRank } from "./severity.ts";

/** Rules about faults of a device, as `kind/rule`. */
const faults = deviceKindIds.flatMap((kind) => faultRulesOf(kind).map((rule) => `${kind}/${rule}`));

/** Data besides messages that the evaluation of a device's rules depends on. */
export interface FollowedDevice {
  id: string;
  tenantId: string;
  kind: DeviceKindId;
  farmId: string | null;
  houseId: string | null;
  unitId: string | null;
  mode: UnitMode | null;
  pigstyType: PigstyType | null;
  averageWeightGrams: number | null;
  /** Desired settings of the device. */
  parameters: Record<string, unknown>;
  /** Time of the last change of its row or its unit's, in µs since 1970. */
  changedUs: number;
}

/** Evaluation state of a device, and the time from which its telemetry must be judged again. */
export interface SettledState {
  deviceId: string;
  /** ms since 1970, by the device's clock. */
  settledMs: number;
  /** Telemetry up to this time arrived late; ms since 1970. */
  lateUntilMs: number | null;
  /** JSON. */
  state: string;
}

export interface AlarmRaise {
  id: string;
  deviceId: string;
  ruleId: string;
  severity: Severity;
  /** Times are in ms since 1970 by the device's clock. */
  sinceMs: number;
  atMs: number;
  suppressed: boolean;
  /** Raised by data that arrived too late, so it is only a record. */
  late: boolean;
  /** Shown, but not pushed. */
  quiet: boolean;
  figure: AlarmFigure | undefined;
}

export interface AlarmEnd {
  deviceId: string;
  ruleId: string;
  atMs: number;
}

/** An alarm as stored in the log. */
export interface LoggedAlarm {
  id: string;
  tenantId: string;
  deviceId: string;
  farmId: string | null;
  unitId: string | null;
  kind: DeviceKindId;
  ruleId: string;
  severity: number;
  suppressed: boolean;
  late: boolean;
  withdrawn: boolean;
  quiet: boolean;
  raisedMs: number;
  endedMs: number | null;
  endedBy: string | null;
  causeId: string | null;
  /** Somebody knows of it, so it does not ask. */
  known: boolean;
  facts: StoredFigure;
}

/** The figure as stored. */
type StoredFigure = { key?: string; value?: unknown; limit?: unknown };

/** An open alarm of which somebody knows, with what is needed to judge whether its figure got worse. */
export interface KnownAlarm extends WorseFrom {
  id: string;
  kind: DeviceKindId;
  key: string;
  readings: Readonly<Record<string, { value: ReportedValue }>>;
  /** Settings of the device. */
  parameters: Record<string, unknown>;
  pigstyType: PigstyType | null;
  averageWeightGrams: number | null;
}

/** An alarm that asks again: because it got worse, or because its time is over. */
export type AskingAgain = LoggedAlarm & {
  worse: boolean;
  /** 0 for an alarm without an open cause. */
  causeSeverity: number;
};

/** Whether an alarm is worse than the acknowledgement of another holds for. */
const worseThan = (known: string, { severity, value }: { severity: RawBuilder<unknown>; value: RawBuilder<unknown> }) =>
  sql`(${severity} > ${sql.ref(`${known}.known_severity`)} or coalesce(${value} >= ${sql.ref(`${known}.worse_above`)}, false)
       or coalesce(${value} <= ${sql.ref(`${known}.worse_below`)}, false))`;
const number = (of: RawBuilder<unknown>) => sql`(case when jsonb_typeof(${of}) = 'number' then (${of})::float8 end)`;

/** A device that stopped reporting, or reports again. */
export type SilentDevice = Pick<
  FollowedDevice,
  "id" | "tenantId" | "kind" | "farmId" | "houseId" | "unitId" | "mode"
> & {
  /** Time from which it counts as offline, ms since 1970. */
  silentMs: number;
  /** Gateway that it is connected through, or itself if it is one; null for neither. */
  gatewayId: string | null;
  isGateway: boolean;
  /** The gateway has no connection. */
  gatewayAway: boolean;
  /** Open alarm for the loss of that gateway, since which no device behind it has reported. */
  gatewayAlarmId: string | null;
  /** The alarm of this device is open. */
  open: boolean;
};

const columns = sql`a.id::text as id, a.tenant_id, a.device_id::text as device_id, a.farm_id::text as farm_id,
  a.unit_id::text as unit_id, a.kind, a.rule_id, a.severity, a.suppressed, a.late, a.withdrawn, a.quiet,
  floor(extract(epoch from a.raised_at) * 1000)::float8 as raised_ms,
  floor(extract(epoch from a.ended_at) * 1000)::float8 as ended_ms,
  a.ended_by::text as ended_by, a.cause_id::text as cause_id, ${isKnown("a")} as known, a.facts`;

const changedUs = sql`floor(extract(epoch from greatest(d.updated_at, u.updated_at)) * 1000000)::float8`;

/**
 * Alarms of all tenants as devices raise and clear them.
 * @param db a pool or an open transaction
 */
export function alarmLogRepository(db: Kysely<DB>, scope: SystemScope) {
  requireSystemScope(scope);
  return {
    /** Bound devices among the ids, with their evaluation state. */
    async followed(ids: readonly string[]): Promise<(FollowedDevice & { settled: SettledState | null })[]> {
      const { rows } = await sql<
        FollowedDevice & { settledMs: number | null; lateUntilMs: number | null; state: string | null }
      >`
        select d.id::text as id, d.tenant_id, d.kind, d.farm_id::text as farm_id, d.house_id::text as house_id,
               d.unit_id::text as unit_id, u.mode, coalesce(u.pigsty_type, h.pigsty_type) as pigsty_type,
               u.average_weight_grams, d.shared_attributes as parameters, s.state, ${changedUs} as changed_us,
               floor(extract(epoch from s.settled_at) * 1000)::float8 as settled_ms,
               floor(extract(epoch from s.late_until) * 1000)::float8 as late_until_ms
          from devices d
          left join units u on u.id = d.unit_id
          left join pig_houses h on h.id = d.house_id
          left join alarm_states s on s.device_id = d.id
         where d.id = any(${[...ids]}::bigint[]) and d.bound_at is not null`.execute(db);
      return rows.map(({ settledMs, lateUntilMs, state, ...device }) => ({
        ...device,
        settled: state === null || settledMs === null ? null : { deviceId: device.id, settledMs, lateUntilMs, state },
      }));
    },

    /** Bound devices that reported since a time. */
    async reportingSince(since: Date): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select d.id::text as id from devices d join device_states s on s.device_id = d.id
         where d.bound_at is not null and s.reported_at > ${since}`.execute(db);
      return rows.map(({ id }) => id);
    },

    /** Devices whose place, unit or settings changed since a time. */
    async changedSince(since: Date): Promise<Pick<FollowedDevice, "id" | "changedUs">[]> {
      const { rows } = await sql<Pick<FollowedDevice, "id" | "changedUs">>`
        select d.id::text as id, ${changedUs} as changed_us from devices d left join units u on u.id = d.unit_id
         where d.updated_at > ${since} or u.updated_at > ${since}`.execute(db);
      return rows;
    },

    /** Stores evaluation states; devices that were removed meanwhile are skipped. */
    async saveStates(states: readonly SettledState[]): Promise<void> {
      const sorted = [...states].sort((a, b) => (a.deviceId < b.deviceId ? -1 : 1));
      await sql`
        insert into alarm_states as held (device_id, settled_at, late_until, state)
        select w.device_id, to_timestamp(w.settled_ms / 1000.0), to_timestamp(w.late_ms / 1000.0), w.state
          from unnest(${sorted.map(({ deviceId }) => deviceId)}::bigint[], ${sorted.map(({ settledMs }) => settledMs)}::float8[],
                      ${sorted.map(({ lateUntilMs }) => lateUntilMs)}::float8[], ${sorted.map(({ state }) => state)}::text[])
               as w (device_id, settled_ms, late_ms, state)
         where exists (select from devices d where d.id = w.device_id)
        on conflict (device_id) do update set
          settled_at = excluded.settled_at, late_until = excluded.late_until, state = excluded.state
          where held.settled_at <= excluded.settled_at`.execute(db);
    },

    /**
     * Stores raised alarms, at most one open alarm for each device and rule. An open suppressed alarm that is raised
     * unsuppressed becomes visible.
     * @param raises at most one of a device and rule
     * @returns the alarms that became visible or were added
     */
    async raise(raises: readonly AlarmRaise[]): Promise<LoggedAlarm[]> {
      const { rows } = await sql<LoggedAlarm>`
        insert into alarms as a (id, tenant_id, device_id, farm_id, house_id, unit_id, kind, rule_id, severity, since_at,
                                 raised_at, suppressed, late, quiet, fault, ended_at, facts)
        select r.id, d.tenant_id, d.id, d.farm_id, d.house_id, d.unit_id, d.kind, r.rule_id, r.severity,
               to_timestamp(r.since_ms / 1000.0), to_timestamp(r.at_ms / 1000.0), r.suppressed, r.late, r.quiet,
               d.kind || '/' || r.rule_id = any(${faults}::text[]),
               case when r.late then to_timestamp(r.at_ms / 1000.0) end, r.facts::jsonb
          from unnest(${raises.map(({ id }) => id)}::bigint[], ${raises.map(({ deviceId }) => deviceId)}::bigint[],
                      ${raises.map(({ ruleId }) => ruleId)}::text[], ${raises.map(({ severity }) => severityRank(severity))}::smallint[],
                      ${raises.map(({ sinceMs }) => sinceMs)}::float8[], ${raises.map(({ atMs }) => atMs)}::float8[],
                      ${raises.map(({ suppressed }) => suppressed)}::boolean[], ${raises.map(({ late }) => late)}::boolean[],
                      ${raises.map(({ quiet }) => quiet)}::boolean[],
                      ${raises.map(({ figure }) => JSON.stringify(figure ?? {}))}::text[])
               as r (id, device_id, rule_id, severity, since_ms, at_ms, suppressed, late, quiet, facts)
          join devices d on d.id = r.device_id
         where not exists (select from alarms h where h.device_id = r.device_id and h.rule_id = r.rule_id
                              and h.raised_at = to_timestamp(r.at_ms / 1000.0))
         order by r.device_id, r.rule_id
        on conflict (device_id, rule_id) where ended_at is null do update set suppressed = false
          where a.suppressed and not excluded.suppressed
        returning ${columns}`.execute(db);
      return rows;
    },

    /**
     * Ends open alarms.
     * @returns those that ended
     */
    async end(ends: readonly AlarmEnd[]): Promise<LoggedAlarm[]> {
      const { rows } = await sql<LoggedAlarm>`
        update alarms a set ended_at = greatest(a.raised_at, to_timestamp(e.at_ms / 1000.0)), next_step_at = null
          from unnest(${ends.map(({ deviceId }) => deviceId)}::bigint[], ${ends.map(({ ruleId }) => ruleId)}::text[],
                      ${ends.map(({ atMs }) => atMs)}::float8[]) as e (device_id, rule_id, at_ms)
         where a.device_id = e.device_id and a.rule_id = e.rule_id and a.ended_at is null
        returning ${columns}`.execute(db);
      return rows;
    },

    /** Alarms of a device that were raised or open after a time, except those that only the clock raises. */
    async after(deviceId: string, afterMs: number, without: readonly string[]): Promise<LoggedAlarm[]> {
      const { rows } = await sql<LoggedAlarm>`
        select ${columns} from alarms a
         where a.device_id = ${deviceId} and not a.late and a.rule_id <> all(${[...without]}::text[])
           and (a.ended_at is null or a.raised_at > to_timestamp(${afterMs} / 1000.0)
                or a.ended_at > to_timestamp(${afterMs} / 1000.0))
         order by a.raised_at`.execute(db);
      return rows;
    },

    /** Withdraws alarms that never were, as data in another order showed. */
    async withdraw(ids: readonly string[]): Promise<LoggedAlarm[]> {
      const { rows } = await sql<LoggedAlarm>`
        update alarms a set withdrawn = true, ended_at = coalesce(a.ended_at, a.raised_at), next_step_at = null
         where a.id = any(${[...ids]}::bigint[]) returning ${columns}`.execute(db);
      return rows;
    },

    /** Moves or removes the end of an alarm, as data in another order requires. */
    async moveEnd(id: string, endedMs: number | null): Promise<LoggedAlarm[]> {
      const { rows } = await sql<LoggedAlarm>`
        update alarms a set withdrawn = false, ended_at = to_timestamp(${endedMs}::float8 / 1000.0)
         where a.id = ${id} returning ${columns}`.execute(db);
      return rows;
    },

    /** Open alarms of units and devices, the oldest first, which may be causes or effects. */
    async openAround(unitIds: readonly string[], deviceIds: readonly string[]): Promise<LoggedAlarm[]> {
      const { rows } = await sql<LoggedAlarm>`
        select ${columns} from alarms a
         where a.ended_at is null and not a.suppressed
           and (a.unit_id = any(${[...unitIds]}::bigint[]) or a.device_id = any(${[...deviceIds]}::bigint[]))
         order by a.raised_at, a.id`.execute(db);
      return rows;
    },

    /** @param causes ids of alarms, each with the id of the alarm that caused it */
    async setCauses(causes: readonly { id: string; causeId: string }[]): Promise<void> {
      await sql`update alarms a set cause_id = c.cause_id
          from unnest(${causes.map(({ id }) => id)}::bigint[], ${causes.map(({ causeId }) => causeId)}::bigint[])
               as c (id, cause_id) where a.id = c.id`.execute(db);
    },

    /**
     * Hands what people know of a cause on to its next alarm: of the same rule and device, or of the unit's new device, at the
     * same place. One that is worse than what was acknowledged asks, and ends what was known. An alarm that a person cleared or
     * closed hands nothing on.
     * @param ids new alarms
     * @returns those of which somebody knows
     */
    async inherit(ids: readonly string[]): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        with found as materialized (
          select distinct on (a.id) a.id, p.id as from_id, p.known_until, p.known_by, p.known_severity, p.worse_above, p.worse_below,
                 ${worseThan("p", { severity: sql`a.severity`, value: number(sql`(a.facts -> 'value')`) })} as worse
            from alarms a
            join alarms p on p.rule_id = a.rule_id and p.known_until > now() and p.id <> a.id and p.tenant_id = a.tenant_id
             and p.kind = a.kind and p.known_through is null and p.ended_at is not null and p.ended_by is null and p.closed_at is null
             and (p.farm_id, p.house_id, p.unit_id) is not distinct from (a.farm_id, a.house_id, a.unit_id)
             and (p.device_id = a.device_id
                  or a.unit_id is not null and not exists (
                       select from devices d where d.id = p.device_id and d.unit_id = p.unit_id and d.bound_at is not null))
           where a.id = any(${[...ids]}::bigint[]) and a.ended_at is null and not a.suppressed
           order by a.id, p.known_until desc),
        handed as (update alarms p set known_until = null from found f where p.id = f.from_id)
        update alarms a set known_until = f.known_until, known_by = f.known_by, known_severity = f.known_severity,
               worse_above = f.worse_above, worse_below = f.worse_below, assigned_to = coalesce(a.assigned_to, f.known_by)
          from found f where a.id = f.id and not f.worse
        returning a.id::text as id`.execute(db);
      return rows.map(({ id }) => id);
    },

    /**
     * Alarms that begin beneath one that somebody acknowledged are known through it, unless they are more severe.
     * @param effects new alarms with the values from which they ask
     */
    async coverByCause(effects: readonly ({ id: string } & WorseFrom)[]): Promise<void> {
      await sql`
        update alarms a set known_until = c.known_until, known_by = c.known_by, known_severity = a.severity, known_through = c.id,
               worse_above = w.above, worse_below = w.below
          from unnest(${effects.map(({ id }) => id)}::bigint[], ${effects.map(({ above }) => above ?? null)}::float8[],
                      ${effects.map(({ below }) => below ?? null)}::float8[]) as w (id, above, below), alarms c
         where a.id = w.id and c.id = a.cause_id and c.known_until > now() and c.ended_at is null and a.known_until is null
           and a.severity <= c.known_severity`.execute(db);
    },

    /** Open alarms that are known, and whose figure is worked out from readings instead of being one. */
    async knownByDerived(): Promise<KnownAlarm[]> {
      const { rows } = await sql<KnownAlarm & { above: number | null; below: number | null }>`
        select a.id::text as id, a.kind, a.facts ->> 'key' as key, a.worse_above as above, a.worse_below as below, n.readings,
               d.shared_attributes as parameters, coalesce(u.pigsty_type, h.pigsty_type) as pigsty_type, u.average_weight_grams
          from alarms a join devices d on d.id = a.device_id join device_readings n on n.device_id = a.device_id
          left join units u on u.id = d.unit_id left join pig_houses h on h.id = d.house_id
         where a.ended_at is null and a.known_until is not null and (a.worse_above is not null or a.worse_below is not null)
           and not n.readings ? (a.facts ->> 'key')`.execute(db);
      return rows;
    },

    /**
     * Open alarms of which nobody knows any more, because the time is over or they got worse, ask anew: their steps begin again,
     * and what waited to be told of the round before is dropped.
     * @param worseIds alarms that are known to be worse
     */
    async askAgain(now: Date, worseIds: readonly string[], limit: number): Promise<AskingAgain[]> {
      // Read before, because the update returns what a distributed table can't be asked for beside it.
      const { rows: newest } = await sql<{ id: string; value: number | null }>`
        select a.id::text as id, ${number(sql`(n.readings -> (a.facts ->> 'key') -> 'value')`)} as value
          from alarms a join device_readings n on n.device_id = a.device_id
         where a.ended_at is null and a.known_until is not null`.execute(db);
      const { rows } = await sql<AskingAgain>`
        with due as materialized (
          select * from (
            select a.id, a.known_until,
                   a.id = any(${[...worseIds]}::bigint[]) or ${worseThan("a", { severity: sql`a.severity`, value: sql`n.value` })} as worse
              from alarms a
              left join unnest(${newest.map(({ id }) => id)}::bigint[], ${newest.map(({ value }) => value)}::float8[]) as n (id, value)
                     on n.id = a.id
             where a.ended_at is null and a.known_until is not null) k
           where k.worse or k.known_until <= ${now} order by k.known_until limit ${limit}),
        mine as materialized (
          select a.id from alarms a join due on due.id = a.id
           where a.ended_at is null and a.known_until = due.known_until for update of a skip locked),
        dropped as (update alarm_notices n set state = 'dropped' from mine where n.alarm_id = mine.id and n.state = 'waiting')
        update alarms a set known_until = null, known_through = null, round = a.round + 1, asked_at = ${now}, step = 0, next_step_at = null
          from mine join due on due.id = mine.id where a.id = mine.id
        returning ${columns}, due.worse,
                  coalesce((select c.severity from alarms c where c.id = a.cause_id and c.ended_at is null), 0) as cause_severity`.execute(
        db,
      );
      return rows;
    },

    /**
     * Removes the cause of open alarms whose cause ended. Who acknowledged the cause alone does not know of what is left, so
     * these ask anew.
     * @returns these alarms
     */
    async release(causeIds: readonly string[]): Promise<LoggedAlarm[]> {
      const { rows } = await sql<LoggedAlarm>`
        update alarms a set cause_id = null, known_through = null,
               known_until = case when a.known_through is null then a.known_until end,
               round = case when a.known_through is null then a.round else a.round + 1 end,
               asked_at = case when a.known_through is null then a.asked_at else now() end
         where a.cause_id = any(${[...causeIds]}::bigint[]) and a.ended_at is null returning ${columns}`.execute(db);
      return rows;
    },

    /**
     * Devices that count as offline without an open alarm for it, and devices with such an alarm that report again. A device
     * that never reported is not offline.
     * @param now by the server's clock
     */
    async offlineChanges(ruleId: string, now: Date): Promise<SilentDevice[]> {
      const { rows } = await sql<SilentDevice>`
        with states as ${await fetchedFirst(db)} (
          select device_id, online_until, reported_at, connected from device_states)
        select d.id::text as id, d.tenant_id, d.kind, d.farm_id::text as farm_id, d.house_id::text as house_id,
               d.unit_id::text as unit_id, u.mode, floor(extract(epoch from s.online_until) * 1000)::float8 as silent_ms,
               a.id is not null as open, g.id::text as gateway_id, d.is_gateway,
               not coalesce(gs.connected, false) as gateway_away, lost.id::text as gateway_alarm_id
          from devices d
          join states s on s.device_id = d.id
          left join units u on u.id = d.unit_id
          left join alarms a on a.device_id = d.id and a.rule_id = ${ruleId} and a.ended_at is null
          left join devices g on g.id = case when d.is_gateway then d.id else d.gateway_id end
          left join states gs on gs.device_id = g.id
          left join lateral (
            select c.id from alarms c join devices o on o.id = c.device_id
             where a.id is null and (o.gateway_id = g.id or o.id = g.id) and c.tenant_id = d.tenant_id and c.rule_id = ${ruleId}
               and c.ended_at is null and c.cause_id is null and not c.suppressed
               and not exists (select from devices m join states ms on ms.device_id = m.id
                                where (m.gateway_id = g.id or m.id = g.id) and ms.reported_at > c.raised_at)
             order by c.raised_at, c.id limit 1) lost on true
         where d.bound_at is not null and s.reported_at is not null
           and ((s.online_until <= ${now} and a.id is null) or (s.online_until > ${now} and a.id is not null))`.execute(
        db,
      );
      return rows;
    },

    /**
     * Removes alarms that ended before a time, some thousand per statement.
     * @returns their number
     */
    async removeBefore(before: Date): Promise<number> {
      const { numAffectedRows = 0n } = await sql`
        delete from alarms where id in (select id from alarms where raised_at < ${before} and ended_at is not null limit 5000)`.execute(
        db,
      );
      return Number(numAffectedRows);
    },
  };
}
export type AlarmLogRepository = ReturnType<typeof alarmLogRepository>;
