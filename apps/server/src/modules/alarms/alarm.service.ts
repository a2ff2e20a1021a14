import {
  type Alarm,
  type AlarmCounts,
  type AlarmState,
  type alarmAssign,
  type alarmClose,
  type alarmCounts,
  alarmHandleCode,
  type alarmOpen,
  type alarmPage,
  alarmPath,
  alarmSeverities,
  alarmStates,
  type alarmStatistics,
  type BodyOf,
  type FarmAlarms,
  type FieldAction,
  type FieldOutcome,
  type fieldActionSubmit,
  mostOpenAlarms,
  mostWorstAlarms,
  plainText,
  type QueryOf,
  type RejectReasonCode,
  type ReplyOf,
  rejectReasons,
  type WorstAlarm,
} from "@herdwise/contract";
import { asksNow, knownFor } from "@herdwise/contract/alarm-asking";
import { shanghaiMidnight, shanghaiMs } from "@herdwise/contract/shanghai";
import { deviceKinds, worseFrom } from "@herdwise/device-kinds";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { type Reason, reasons } from "../../http/reasons.ts";
import { readSomeIds } from "../../ids.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import type { Bus } from "../../providers/bus.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { AuditRepository } from "../audit/index.ts";
import type { RecentRepository } from "../telemetry/index.ts";
import type { AlarmFilter, AlarmRepository, AlarmRow, CountRow, KnownUntil } from "./alarm.repository.ts";
import type { FieldActionRepository, KeptOutcome } from "./field-action.repository.ts";
import { offlineRule } from "./follower.service.ts";
import { firstStepOf, sentenceOf } from "./sentence.ts";
import { severityOf, severityRank } from "./severity.ts";
import { type TrendPoint, trendOf } from "./trend.ts";

/** Repositories of one transaction. */
export interface AlarmTransaction {
  alarms: AlarmRepository;
  audit: Pick<AuditRepository, "append">;
  actions: FieldActionRepository;
  /** Tells a person that an alarm was assigned to them. */
  tellAssigned(accountId: string, link: string): Promise<void>;
}

export interface AlarmServiceDependencies {
  repository: AlarmRepository;
  inTransaction<T>(work: (transaction: AlarmTransaction) => Promise<T>): Promise<T>;
  recent: RecentRepository;
  cipher: Pick<PersonalCipher, "decrypt">;
  bus: Bus;
  nextId: () => string;
  now: () => number;
}

const minuteMs = 60_000;
const trendMs = 15 * minuteMs;
/** Delay of an acknowledgement up to which its person has seen the present value, ms. */
const freshMs = minuteMs;
const dayMs = 86_400_000;

const ms = (at: Date | null): number | undefined => at?.getTime();

const isRejectReason = (reason: unknown): reason is RejectReasonCode =>
  (rejectReasons as readonly unknown[]).includes(reason);

/** The rejected reading that an alarm is about; fields of events are handled elsewhere. */
function rejectedOf(fields: Readonly<Record<string, unknown>> | undefined): Alarm["figure"]["rejected"] {
  const { reason, text } = fields ?? {};
  return isRejectReason(reason) && typeof text === "string" ? { reason, text } : undefined;
}

/** Converts a row to the contract's form. */
export const alarmView = (row: AlarmRow): Alarm => {
  const {
    facts,
    currentValue,
    sinceAt,
    raisedAt,
    endedAt,
    acknowledgedAt,
    closedAt,
    nextStepAt,
    knownUntil,
    knownBy,
    ...rest
  } = row;
  const text = (value: string | null): string => value ?? "";
  const endedMs = ms(endedAt);
  const acknowledgedMs = ms(acknowledgedAt);
  const closedMs = ms(closedAt);
  const nextStepMs = ms(nextStepAt);
  const { key, value, limit, name, fields } = facts;
  const rejected = rejectedOf(fields);
  return {
    ...rest,
    ruleName: name ?? "",
    sentence: sentenceOf(row),
    severity: severityOf(row.severity),
    farmId: text(row.farmId),
    farmName: text(row.farmName),
    houseId: text(row.houseId),
    houseName: text(row.houseName),
    unitId: text(row.unitId),
    unitName: text(row.unitName),
    assignedTo: text(row.assignedTo),
    causeId: text(row.causeId),
    figure: {
      ...(key !== undefined && { key }),
      ...(value !== undefined && { value }),
      ...(limit !== undefined && { limit }),
      ...(rejected && { rejected }),
    },
    // An alarm about an unknown value has no value, and the newest stored one is outdated.
    ...(value !== undefined && currentValue !== null && currentValue !== undefined && { currentValue }),
    sinceMs: sinceAt.getTime(),
    raisedMs: raisedAt.getTime(),
    ...(endedMs !== undefined && { endedMs }),
    ...(acknowledgedMs !== undefined && { acknowledgedMs }),
    ...(knownUntil !== null && rest.state === "open" && { known: { untilMs: knownUntil.getTime(), by: knownBy } }),
    ...(closedMs !== undefined && { closedMs }),
    ...(nextStepMs !== undefined && { nextStepMs }),
  };
};

/** Open alarms of each farm that has any. */
function farmsOf(rows: readonly CountRow[]): FarmAlarms[] {
  const farms = new Map<string, FarmAlarms>();
  for (const { farmId, severity, suppressed, count } of rows) {
    if (farmId === null || suppressed) continue;
    const farm = farms.get(farmId) ?? { farmId, WARN: 0, MINOR: 0, MAJOR: 0, CRITICAL: 0 };
    farm[severityOf(severity)] += count;
    farms.set(farmId, farm);
  }
  return [...farms.values()];
}

/** Converts an alarm to its short form, with the texts of its kind. */
const worstView = (row: AlarmRow, nowMs: number): WorstAlarm => {
  const alarm = alarmView(row);
  const { id, severity, kind, ruleId, sentence, farmName, houseName, unitName, deviceName, raisedMs } = alarm;
  const { alarmRules, guides } = deviceKinds[kind];
  const guide = guides?.find(({ rule }) => rule === ruleId);
  const firstStep = firstStepOf(alarm);
  const name = alarm.ruleName || ruleId;
  return {
    id,
    severity,
    rule: alarmRules.find((rule) => rule.id === ruleId)?.name ?? { zh: name, en: name },
    sentence,
    ...(guide && { cause: guide.cause }),
    ...(firstStep && { firstStep }),
    farmName,
    houseName,
    unitName,
    deviceName,
    raisedMs,
    acknowledged: !asksNow(alarm, nowMs),
    ...(alarm.known && { known: alarm.known }),
  };
};

const countsOf = (rows: readonly CountRow[]): AlarmCounts => {
  const counts: AlarmCounts = { WARN: 0, MINOR: 0, MAJOR: 0, CRITICAL: 0, unacknowledged: 0, mine: 0, suppressed: 0 };
  for (const { severity, suppressed, count, unacknowledged, mine } of rows) {
    if (suppressed) {
      counts.suppressed += count;
      continue;
    }
    counts[severityOf(severity)] += count;
    counts.unacknowledged += unacknowledged;
    counts.mine += mine;
  }
  return counts;
};

/**
 * Conditions of the log as the caller sent them.
 * @throws Refusal 400 for an unknown value
 */
export const logFilterOf = ({
  severity,
  state,
  fromDay,
  toDay,
  from = fromDay === undefined ? undefined : shanghaiMidnight(fromDay),
  to = toDay === undefined ? undefined : shanghaiMidnight(toDay) + dayMs,
  ...places
}: Omit<QueryOf<typeof alarmPage>, "current" | "size">): AlarmFilter => ({
  kind: places.kind,
  ruleId: places.ruleId,
  farmId: places.farmId,
  unitId: places.unitId,
  deviceId: places.deviceId,
  severities: severitiesOf(severity),
  states: wordsOf<AlarmState>(state, alarmStates),
  from: from === undefined ? undefined : new Date(from),
  to: to === undefined ? undefined : new Date(to),
});

const wordsOf = <Word extends string>(list: string | undefined, known: readonly Word[]): Word[] | undefined => {
  if (list === undefined || list === "") return undefined;
  const words = list.split(",");
  const found = known.filter((word) => words.includes(word));
  if (found.length !== words.length) throw refuse("alarm.unknown_word", { values: { words: known.join(", ") } });
  return found;
};

const severitiesOf = (list: string | undefined): number[] | undefined =>
  wordsOf(list, alarmSeverities)?.map(severityRank);

/** Reading and handling of alarms. */
export function createAlarmService(dependencies: AlarmServiceDependencies) {
  const { repository, inTransaction, recent, cipher, bus, nextId, now } = dependencies;

  type Held = Awaited<ReturnType<AlarmRepository["held"]>>;

  type ChangeWork = (to: AlarmTransaction, ids: string[], held: Held) => Promise<void>;

  /**
   * Changes alarms that the scope reaches within a transaction, and adds entries about it.
   * @param fits selects the alarms to change; others stay unchanged
   */
  const changeIn = async (
    to: AlarmTransaction,
    scope: TenantScope,
    ids: readonly string[],
    action: "acknowledge" | "assign" | "clear" | "close",
    body: string,
    fits: (alarm: Held[number]) => boolean,
    work: ChangeWork,
    entryOf: (alarm: Held[number]) => string = () => body,
  ): Promise<Held> => {
    const held = await to.alarms.held(scope, ids);
    if (held.length !== new Set(ids).size) throw refuse("alarm.not_found");
    const concerned = held.filter(fits);
    if (concerned.length === 0) return [];
    const touchedIds = concerned.map(({ id }) => id);
    await work(to, touchedIds, concerned);
    await to.alarms.addEntries(
      scope,
      concerned.map((alarm) => ({ id: nextId(), alarmId: alarm.id, action, body: entryOf(alarm) })),
    );
    for (const [tenantId, of] of Map.groupBy(concerned, (alarm) => alarm.tenantId)) {
      const records = of.map(({ id, kind, ruleId }) => ({
        resource: "alarm",
        rowId: id,
        rowTitle: deviceKinds[kind].alarmRules.find((rule) => rule.id === ruleId)?.name.zh ?? ruleId,
        action: "update" as const,
        changes: [{ field: action, before: "", after: body }],
      }));
      await to.audit.append(tenantId, scope, records, nextId);
    }
    return concerned;
  };

  const tellChanged = (touched: readonly { id: string; tenantId: string }[]): void => {
    for (const [tenantId, of] of Map.groupBy(touched, (alarm) => alarm.tenantId)) {
      bus.publish("alarmsChanged", { tenantId, ids: of.map(({ id }) => id) });
    }
  };

  /** The same in its own transaction; readers of the live streams are told. */
  const change = async (
    scope: TenantScope,
    list: string | undefined,
    action: "assign" | "clear" | "close",
    body: string,
    fits: (alarm: Held[number]) => boolean,
    work: ChangeWork,
  ): Promise<Held> => {
    const ids = readSomeIds(list);
    const touched = await inTransaction((to) => changeIn(to, scope, ids, action, body, fits, work));
    tellChanged(touched);
    return touched;
  };

  /**
   * Acknowledges alarms: they and what stands beneath them do not ask until the time is over or they get worse.
   * @param minutes undefined for the usual length, and then only for those of which nobody knows
   * @param fromMs when the person saw them, ms since 1970
   */
  const acknowledgeIn = async (
    to: AlarmTransaction,
    scope: TenantScope,
    ids: readonly string[],
    minutes: number | undefined,
    fromMs: number,
  ): Promise<{ id: string; tenantId: string }[]> => {
    const lengthOf = ({ severity }: Held[number]): number => knownFor(severityOf(severity), minutes);
    // What came in between was not seen; the figure as it was raised is what the person can have read.
    const isFresh = now() - fromMs < freshMs;
    const knownOf = (alarm: Held[number], until: Date, through?: string): KnownUntil => {
      const value = isFresh ? (alarm.currentValue ?? undefined) : undefined;
      return { id: alarm.id, until, through, ...worseFrom(deviceKinds[alarm.kind], alarm.ruleId, alarm.facts, value) };
    };
    const covered: Held = [];
    const concerned = await changeIn(
      to,
      scope,
      ids,
      "acknowledge",
      "",
      ({ known }) => minutes !== undefined || !known,
      async (transaction, concernedIds, held) => {
        const untilOf = new Map(held.map((alarm) => [alarm.id, new Date(fromMs + lengthOf(alarm) * minuteMs)]));
        const beneath = (await transaction.alarms.beneath(scope, concernedIds)).filter(({ id }) => !untilOf.has(id));
        const causeOf = new Map(beneath.map(({ id, causeId }) => [id, causeId]));
        covered.push(...(beneath.length > 0 ? await transaction.alarms.held(scope, [...causeOf.keys()]) : []));
        const known = held.map((alarm) => knownOf(alarm, untilOf.get(alarm.id) ?? new Date(fromMs)));
        const through = covered.map((alarm) => {
          const causeId = causeOf.get(alarm.id) ?? "";
          return knownOf(alarm, untilOf.get(causeId) ?? new Date(fromMs), causeId);
        });
        await transaction.alarms.know(scope, [...known, ...through]);
      },
      (alarm) => String(lengthOf(alarm)),
    );
    return [...concerned, ...covered];
  };

  /**
   * Runs one action of a phone unless it was run before.
   * @param sentMs when it was sent by the phone's clock, which may differ from the server's
   */
  const doFieldAction = async (
    to: AlarmTransaction,
    scope: TenantScope,
    { key, type, alarmId, text = "", atMs, minutes }: FieldAction,
    sentMs: number,
  ): Promise<KeptOutcome & { touched?: { id: string; tenantId: string }[] }> => {
    const kept = await to.actions.take(scope, key, new Date(atMs));
    if (kept !== undefined) return kept;
    const [alarm] = await to.alarms.held(scope, [alarmId]);
    if (alarm === undefined) return { outcome: "refused", reason: "alarm.not_found" };
    if (type === "note") {
      const note = plainText(text, { lines: true });
      if (note === "") return { outcome: "refused", reason: "alarm.note_empty" };
      await to.alarms.addEntries(scope, [{ id: nextId(), alarmId, action: "comment", body: note }]);
      return { outcome: "done", reason: "", touched: [alarm] };
    }
    if (alarm.known) return { outcome: "already", reason: "" };
    const fromMs = now() - Math.max(0, sentMs - atMs);
    const isOver = fromMs + knownFor(severityOf(alarm.severity), minutes) * minuteMs <= now();
    // It may have got worse since: who has not seen that does not silence it.
    if (isOver || (alarm.askedAgainAt?.getTime() ?? 0) > fromMs)
      return { outcome: "refused", reason: "alarm.asks_again" };
    return { outcome: "done", reason: "", touched: await acknowledgeIn(to, scope, [alarmId], minutes, fromMs) };
  };

  /** Values of the figure in the last minutes, where it is a channel. */
  const recentValues = async ({ deviceId, figure }: Alarm): Promise<TrendPoint[]> => {
    const { key, value } = figure;
    if (key === undefined || value === undefined) return [];
    const rows = await recent.since([{ deviceId, afterMs: now() - trendMs }]);
    return rows.flatMap(({ atMs, values }): TrendPoint[] => {
      const then = values?.[key];
      return typeof then === "number" ? [[atMs, then]] : [];
    });
  };

  return {
    async page(scope: TenantScope, query: QueryOf<typeof alarmPage>) {
      const request = pageRequest(query, []);
      const { rows, total } = await repository.page(scope, logFilterOf(query), request);
      return pageOfRows(rows.map(alarmView), total, request);
    },

    async open(scope: TenantScope, query: QueryOf<typeof alarmOpen>) {
      const { severity, suppressed = false, ...places } = query;
      const filter = { ...places, severities: severitiesOf(severity) };
      const [rows, counts] = await Promise.all([
        repository.open(scope, filter, suppressed, mostOpenAlarms),
        repository.counts(scope, places),
      ]);
      return { counts: countsOf(counts), alarms: rows.map(alarmView) };
    },

    async counts(scope: TenantScope): Promise<ReplyOf<typeof alarmCounts>> {
      const [counts, worst] = await Promise.all([repository.counts(scope), repository.worst(scope, mostWorstAlarms)]);
      // What is counted and worse than all that have no cause has one.
      const hasWorse = counts.some((row) => !row.suppressed && worst.every(({ severity }) => severity < row.severity));
      const [worse] = hasWorse ? await repository.worst(scope, 1, { following: true }) : [];
      const cause = worse?.causeId ? await repository.find(scope, worse.causeId) : undefined;
      return {
        ...countsOf(counts),
        worst: worst.map((row) => worstView(row, now())),
        farms: farmsOf(counts),
        ...(worse && {
          worse: { ...worstView(worse, now()), ...(cause && { follows: alarmView(cause).sentence }) },
        }),
      };
    },

    async detail(scope: TenantScope, id: string) {
      const row = await repository.find(scope, id);
      if (row === undefined) throw refuse("alarm.not_found");
      const alarm = alarmView(row);
      const [entries, effects, values] = await Promise.all([
        repository.entries(scope, id),
        repository.effects(scope, id),
        alarm.state === "open" ? recentValues(alarm) : [],
      ]);
      const danger = deviceKinds[alarm.kind].guides?.find(({ rule }) => rule === alarm.ruleId)?.danger;
      const trend = trendOf(values, danger);
      return {
        ...alarm,
        entries: entries.map(({ createdAt, ...entry }) => ({ ...entry, atMs: createdAt.getTime() })),
        effects: effects.map(alarmView),
        ...(trend !== undefined && { trend }),
      };
    },

    holders: repository.holders,

    people: (scope: TenantScope) => repository.holders(scope, alarmHandleCode),

    /** @param minutes for which it holds; undefined for the usual length of each severity */
    async acknowledge(scope: TenantScope, list: string | undefined, minutes: number | undefined): Promise<void> {
      const ids = readSomeIds(list);
      tellChanged(await inTransaction((to) => acknowledgeIn(to, scope, ids, minutes, now())));
    },

    /**
     * Runs the actions that a phone queued, in order. Each is one transaction with its key, so it is run exactly once or not at
     * all.
     */
    async fromField(
      scope: TenantScope,
      { actions, sentMs = now() }: BodyOf<typeof fieldActionSubmit>,
    ): Promise<FieldOutcome[]> {
      const outcomes: FieldOutcome[] = [];
      for (const action of actions) {
        const { outcome, reason, touched } = await inTransaction(async (to) => {
          const done = await doFieldAction(to, scope, action, sentMs);
          if (done.outcome !== "done") await to.actions.keep(scope, action.key, done);
          return done;
        });
        if (touched) tellChanged(touched);
        const text = reason in reasons ? reasons[reason as Reason].zh : "";
        outcomes.push({ key: action.key, outcome, text });
      }
      return outcomes;
    },

    /** Alarms by their ids in the given order; alarms that the scope does not reach are left out. */
    async named(scope: TenantScope, ids: readonly string[]): Promise<Alarm[]> {
      if (ids.length === 0) return [];
      const found = new Map((await repository.some(scope, ids)).map((row) => [row.id, row]));
      return ids.flatMap((id) => {
        const row = found.get(id);
        return row === undefined ? [] : [alarmView(row)];
      });
    },

    async assign(scope: TenantScope, { ids, accountId }: BodyOf<typeof alarmAssign>): Promise<void> {
      const person = (await repository.holders(scope, alarmHandleCode)).find(({ id }) => id === accountId);
      if (person === undefined) throw refuse("alarm.person");
      await change(
        scope,
        ids,
        "assign",
        person.personName,
        ({ assignedTo }) => assignedTo !== accountId,
        async (to, concerned) => {
          await to.alarms.assign(scope, concerned, accountId);
          const [first] = concerned;
          if (first !== undefined && accountId !== scope.accountId) {
            await to.tellAssigned(accountId, `${alarmPath}?id=${first}`);
          }
        },
      );
    },

    async comment(scope: TenantScope, id: string, text: string): Promise<void> {
      const alarm = await repository.find(scope, id);
      if (alarm === undefined) throw refuse("alarm.not_found");
      await inTransaction((to) =>
        to.alarms.addEntries(scope, [{ id: nextId(), alarmId: id, action: "comment", body: text }]),
      );
      bus.publish("alarmsChanged", { tenantId: alarm.tenantId, ids: [id] });
    },

    /** Phone number to call about an alarm; the alarm's history records who asked for it. */
    async call(scope: TenantScope, id: string): Promise<{ principal: string; contactPhone: string }> {
      const callee = await repository.callee(scope, id);
      if (callee === undefined) throw refuse("alarm.not_found");
      const { tenantId, principal, contactPhoneEncrypted } = callee;
      if (contactPhoneEncrypted === "") throw refuse("alarm.nobody_to_call");
      await inTransaction((to) =>
        to.alarms.addEntries(scope, [{ id: nextId(), alarmId: id, action: "call", body: principal }]),
      );
      bus.publish("alarmsChanged", { tenantId, ids: [id] });
      return { principal, contactPhone: cipher.decrypt(contactPhoneEncrypted) };
    },

    /**
     * Clears alarms that no message will end. An alarm whose condition still holds would be raised again at once, so that is
     * refused.
     */
    async clear(scope: TenantScope, ids: string | undefined): Promise<void> {
      const touched = await change(
        scope,
        ids,
        "clear",
        "",
        ({ ended }) => !ended,
        async (to, concerned, held) => {
          const since = now() - trendMs;
          const rows = await recent.since(held.map(({ deviceId }) => ({ deviceId, afterMs: since })));
          const heard = new Set(rows.map(({ deviceId }) => deviceId));
          // A device that reports clears its alarms itself as soon as their conditions are over.
          if (held.some(({ deviceId, ruleId }) => ruleId === offlineRule || heard.has(deviceId))) {
            throw refuse("alarm.still_holds");
          }
          await to.alarms.clear(scope, concerned);
        },
      );
      for (const { deviceId, ruleId } of touched) bus.publish("alarmEnded", { deviceId, ruleId });
    },

    async close(scope: TenantScope, { ids, resolution, text = "" }: BodyOf<typeof alarmClose>): Promise<void> {
      await change(
        scope,
        ids,
        "close",
        text === "" ? resolution : `${resolution}: ${text}`,
        ({ closed }) => !closed,
        async (to, concerned, held) => {
          if (held.some(({ ended }) => !ended)) throw refuse("alarm.still_open");
          await to.alarms.close(scope, concerned, resolution);
        },
      );
    },

    async statistics(scope: TenantScope, { days = 14, farmId, kind }: QueryOf<typeof alarmStatistics>) {
      const today = Math.floor((now() + shanghaiMs) / dayMs);
      const from = new Date((today - days + 1) * dayMs - shanghaiMs);
      const found = await repository.statistics(scope, { from, farmId, kind });
      const held = Array.from({ length: days }, (_, index) => ({
        day: new Date((today - days + 1 + index) * dayMs).toISOString().slice(0, 10),
        WARN: 0,
        MINOR: 0,
        MAJOR: 0,
        CRITICAL: 0,
      }));
      const byDay = new Map(held.map((entry) => [entry.day, entry]));
      for (const { day, severity, count } of found.days) {
        const entry = byDay.get(day);
        if (entry !== undefined) entry[severityOf(severity)] = count;
      }
      const seconds = (acknowledgeS: number | null, clearS: number | null) => ({
        ...(acknowledgeS !== null && { acknowledgeS }),
        ...(clearS !== null && { clearS }),
      });
      return {
        days: held,
        rules: found.rules.map(({ acknowledgeS, clearS, ...rule }) => ({ ...rule, ...seconds(acknowledgeS, clearS) })),
        farms: found.farms,
        units: found.units,
        total: found.total,
        suppressed: found.suppressed,
        falseAlarms: found.falseAlarms,
        ...seconds(found.acknowledgeS, found.clearS),
      };
    },
  };
}
export type AlarmService = ReturnType<typeof createAlarmService>;
