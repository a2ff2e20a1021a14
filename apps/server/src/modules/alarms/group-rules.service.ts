import {
  type AlarmChange,
  type AlarmRule,
  createEvaluator,
  type DeviceKind,
  type EvaluationState,
  keyOfOther,
  lateAfterIntervals,
  type OwnRulePart,
} from "@herdwise/device-kinds";
import { createBreather } from "../../breather.ts";
import { repeat } from "../../repeat.ts";
import type { EventRow, RecentInput, RecentRepository, StoredReadings } from "../telemetry/index.ts";
import type { AlarmLogRepository, FollowedDevice } from "./alarm-log.repository.ts";
import { contextOf, type DeviceChanges, inputOf, judgeInput, type Recount } from "./follower.service.ts";
import type { GroupRuleRepository } from "./group-rule.repository.ts";

/** The current version of a rule that a farm wrote over several devices. */
export interface GroupRule {
  /** Id of the rule's first version. */
  readonly id: string;
  readonly versionId: string;
  readonly tenantId: string;
  /** Device that its alarms belong to. */
  readonly deviceId: string;
  readonly otherIds: readonly string[];
  /** The device's kind extended by the values of the other devices. */
  readonly kind: DeviceKind;
  readonly rule: AlarmRule;
  /** How far back its parts look, in ms. */
  readonly reachMs: number;
}

export interface GroupRuleDependencies {
  log: Pick<AlarmLogRepository, "followed">;
  recent: Pick<RecentRepository, "since" | "between">;
  /** The rules by id; the map is replaced when a rule changed. */
  rules(): ReadonlyMap<string, GroupRule>;
  maskedAt(device: FollowedDevice, ruleId: string, atMs: number): boolean;
  /**
   * Compares the log with the results of judging.
   * @returns rules whose alarms a person ended
   */
  recount(found: Recount): Promise<readonly string[]>;
  /** Records alarms that late data would have raised. */
  tellLate(changes: DeviceChanges): void;
  inTransaction<T>(work: (repository: GroupRuleRepository) => Promise<T>): Promise<T>;
  now: () => number;
  onError(error: unknown): void;
}

/** Data older than this, in ms, are never judged again. */
const longestLookMs = 6 * 3_600_000;
/** Milliseconds for which a value counts as current; a new version needs values of this span before its begin. */
const freshMs = 5 * 60_000;
/** Milliseconds for which data is collected before it is judged, because devices of a unit report at about the same time. */
const gatherMs = 500;
const tickMs = 250;
/** Milliseconds by which the clock ends a duration later, because a message may be on its way. */
const graceMs = 500;
/** Most late rows that are remembered for each rule. */
const mostLate = 10_000;
/** Span of device time in ms in which late data is judged together. */
const lateSpanMs = 6 * 3_600_000;
/** Milliseconds for which late data is collected, so that a flushed buffer is judged as a whole. */
const lateGatherMs = 2000;

const lateAfterOf = ({ kind }: Pick<GroupRule, "kind">): number => lateAfterIntervals * kind.reportIntervalS * 1000;

/** How far back the parts of a rule look, in ms. */
export const reachOfParts = (parts: readonly OwnRulePart[]): number =>
  parts.reduce((reach, part) => {
    const seconds = part.type === "change" ? part.windowS : part.type === "absent" ? part.afterS : 0;
    return Math.max(reach, Math.min(seconds * 1000, longestLookMs));
  }, 0) + freshMs;

/**
 * Merges rows of several devices into rows of one device, in the order of time, with separate keys for the other devices.
 * Events are left out, because no part of a rule reads them.
 */
export function groupRows(rows: readonly RecentInput[], deviceId: string): RecentInput[] {
  const byTime = new Map<number, RecentInput>();
  for (const row of rows.filter(({ values }) => values !== null).toSorted((a, b) => a.atMs - b.atMs)) {
    const values = byTime.get(row.atMs)?.values ?? {};
    for (const [key, value] of Object.entries(row.values ?? {}))
      values[row.deviceId === deviceId ? key : keyOfOther(row.deviceId, key)] = value;
    byTime.set(row.atMs, { ...row, deviceId, values });
  }
  return [...byTime.values()];
}

/**
 * Judges rules over several devices from stored data only: from a state that includes everything up to its time, over the rows
 * of all devices in the order of time.
 * So the log depends neither on the order of arrival, nor on which server received a message, nor on servers that end. Data
 * more than two reports late is left out.
 */
export function createGroupRules(dependencies: GroupRuleDependencies) {
  const { log, recent, inTransaction, now, onError } = dependencies;
  let known: ReadonlyMap<string, GroupRule> = new Map();
  let byDevice = new Map<string, GroupRule[]>();
  /** When each rule must be judged, in ms by the server's clock. */
  const dueAt = new Map<string, number>();
  /** Times of late rows as `device/time`, for each rule. */
  const late = new Map<string, Set<string>>();
  /** The same until they have been judged for the log, with the time at which the last of them arrived. */
  const untold = new Map<string, { rows: Set<string>; cameMs: number }>();
  let endLooks: (() => Promise<void>) | undefined;
  let stopped = false;

  const soon = (ruleId: string, atMs: number): void => {
    dueAt.set(ruleId, Math.min(dueAt.get(ruleId) ?? Number.POSITIVE_INFINITY, atMs));
  };

  const end = async ({ id, deviceId, rule }: GroupRule, repository: GroupRuleRepository): Promise<void> => {
    await repository.lock(id);
    if ((await repository.find(id)) === undefined) return;
    await dependencies.recount({ deviceId, afterMs: now(), raised: [], changes: [], only: rule.id });
    await repository.remove(id);
    late.delete(id);
    untold.delete(id);
  };

  /** Loads changes of the rules. */
  const refresh = async (): Promise<void> => {
    const rules = dependencies.rules();
    if (rules === known) return;
    const gone = [...known.values()].filter(({ id }) => !rules.has(id));
    for (const rule of rules.values()) if (known.get(rule.id)?.versionId !== rule.versionId) soon(rule.id, now());
    known = rules;
    byDevice = new Map();
    for (const rule of rules.values())
      for (const id of [rule.deviceId, ...rule.otherIds]) byDevice.set(id, [...(byDevice.get(id) ?? []), rule]);
    for (const rule of gone) {
      dueAt.delete(rule.id);
      await inTransaction((repository) => end(rule, repository));
    }
  };

  /** The device whose log a rule writes to; undefined when one of the rule's devices was removed or has another owner. */
  const deviceOf = async (rule: GroupRule): Promise<FollowedDevice | undefined> => {
    const deviceIds = [rule.deviceId, ...rule.otherIds];
    const devices = await log.followed(deviceIds);
    const isWhole = devices.length === deviceIds.length && devices.every(({ tenantId }) => tenantId === rule.tenantId);
    return isWhole ? devices.find(({ id }) => id === rule.deviceId) : undefined;
  };

  const judge = async (rule: GroupRule, repository: GroupRuleRepository): Promise<void> => {
    await repository.lock(rule.id);
    const nowMs = now();
    const deviceIds = [rule.deviceId, ...rule.otherIds];
    const device = await deviceOf(rule);
    if (device === undefined) {
      await end(rule, repository);
      return;
    }
    const kept = await repository.find(rule.id);
    const goesOn = kept !== undefined && kept.versionId === rule.versionId;
    const afterMs = goesOn ? Math.max(kept.settledMs, nowMs - longestLookMs) : nowMs;
    const settledMs = Math.max(afterMs, nowMs - lateAfterOf(rule) - 1000);
    const evaluator = createEvaluator(rule.kind, {
      rules: [rule.rule],
      ...(goesOn && { state: JSON.parse(kept.state) as EvaluationState }),
    });
    const context = {
      ...contextOf(device),
      maskedAt: (ruleId: string, atMs: number) => dependencies.maskedAt(device, ruleId, atMs),
    };
    const raised = evaluator.raised();
    const fromMs = goesOn ? afterMs : nowMs - rule.reachMs;
    const rows = await recent.since(deviceIds.map((deviceId) => ({ deviceId, afterMs: fromMs })));
    const tooLate = late.get(rule.id);
    const inputs = groupRows(
      rows.filter(({ deviceId, atMs }) => !tooLate?.has(`${deviceId}/${atMs}`)),
      rule.deviceId,
    ).map(inputOf);
    const changes: AlarmChange[] = [];
    const breathe = createBreather();
    let state: EvaluationState | undefined;
    const settle = (): void => {
      // A new version starts with the history of values, but with no results of the earlier version.
      if (!goesOn) evaluator.forget(rule.rule.id);
      else changes.push(...evaluator.take({ type: "due" }, settledMs, context));
      state = evaluator.state();
    };
    for (const input of inputs) {
      if (input.atMs > settledMs && state === undefined) settle();
      const said = judgeInput(evaluator, input, context);
      if (input.atMs > afterMs) changes.push(...said);
      await breathe();
    }
    if (state === undefined) settle();
    changes.push(...evaluator.take({ type: "due" }, nowMs - graceMs, context));
    const ended = await dependencies.recount({
      deviceId: rule.deviceId,
      afterMs,
      raised,
      changes,
      only: rule.rule.id,
    });
    const { rules, ...remembered } = state as EvaluationState;
    const left = Object.fromEntries(Object.entries(rules).filter(([id]) => !ended.includes(id)));
    await repository.save(rule.id, {
      versionId: rule.versionId,
      settledMs,
      state: JSON.stringify({ ...remembered, rules: left }),
    });
    for (const one of tooLate ?? []) if (Number(one.split("/")[1]) <= settledMs) tooLate?.delete(one);
    const nextMs = evaluator.nextDueMs(context);
    if (nextMs !== undefined) soon(rule.id, nextMs + graceMs);
  };

  /**
   * Finds alarms that late data would have raised: the rule is judged over the stored data around it with and without the late
   * data.
   * An alarm that is raised only with it is logged as late. Earlier late data that this server does not remember counts as in
   * time.
   */
  const judgeLate = async (rule: GroupRule, rows: ReadonlySet<string>): Promise<void> => {
    const deviceIds = [rule.deviceId, ...rule.otherIds];
    const device = await deviceOf(rule);
    if (device === undefined) return;
    const context = {
      ...contextOf(device),
      maskedAt: (ruleId: string, atMs: number) => dependencies.maskedAt(device, ruleId, atMs),
    };
    const times = [...rows].map((row) => Number(row.split("/")[1])).toSorted((a, b) => a - b);
    const told = new Set<number>();
    for (let [from] = times; from !== undefined; from = times.find((atMs) => atMs > (from ?? 0) + lateSpanMs)) {
      const until = from + lateSpanMs;
      const last = times.findLast((atMs) => atMs <= until) ?? from;
      // A condition that holds at the end may last as long as the rule requires.
      const endMs = Math.min(last + (rule.rule.raiseAfterS ?? 0) * 1000 + lateAfterOf(rule), now() - lateAfterOf(rule));
      const stored = (
        await Promise.all(deviceIds.map((id) => recent.between(id, (from ?? 0) - rule.reachMs, endMs)))
      ).flat();
      const breathe = createBreather();
      const judged = async (which: readonly RecentInput[]): Promise<AlarmChange[]> => {
        const evaluator = createEvaluator(rule.kind, { rules: [rule.rule] });
        const changes: AlarmChange[] = [];
        for (const input of groupRows(which, rule.deviceId).map(inputOf)) {
          changes.push(...judgeInput(evaluator, input, context));
          await breathe();
        }
        return [...changes, ...evaluator.take({ type: "due" }, endMs, context)];
      };
      const without = await judged(stored.filter(({ deviceId, atMs }) => !rows.has(`${deviceId}/${atMs}`)));
      const heldAt = (atMs: number): boolean => without.findLast((change) => change.atMs <= atMs)?.type === "raised";
      const would = (await judged(stored)).filter(
        ({ type, atMs }) => type === "raised" && atMs >= (from ?? 0) && !heldAt(atMs) && !told.has(atMs),
      );
      for (const { atMs } of would) told.add(atMs);
      if (would.length > 0) dependencies.tellLate({ deviceId: rule.deviceId, changes: would, late: true });
    }
  };

  /** Judges late data once no more of it arrives. */
  const lookAtLate = async (): Promise<void> => {
    for (const [id, { rows, cameMs }] of [...untold]) {
      if (stopped || now() - cameMs < lateGatherMs) continue;
      untold.delete(id);
      const rule = known.get(id);
      if (rule !== undefined) await judgeLate(rule, rows).catch(onError);
    }
  };

  /** Judges the rules that are due. */
  const look = async (): Promise<void> => {
    await refresh();
    const atMs = now();
    for (const [id, dueMs] of [...dueAt]) {
      const rule = known.get(id);
      if (stopped || dueMs > atMs) continue;
      dueAt.delete(id);
      if (rule === undefined) continue;
      try {
        await inTransaction((repository) => judge(rule, repository));
      } catch (error) {
        soon(id, now() + 2000);
        onError(error);
      }
    }
    await lookAtLate();
  };

  return {
    stored(parts: readonly StoredReadings[]): void {
      const nowMs = now();
      for (const { deviceId, tenantId, rows } of parts) {
        for (const rule of byDevice.get(deviceId) ?? []) {
          if (rule.tenantId !== tenantId) continue;
          const held = late.get(rule.id) ?? new Set();
          for (const { at } of rows) {
            const atMs = Math.floor(at / 1000);
            if (nowMs - atMs <= lateAfterOf(rule) || held.size >= mostLate) continue;
            held.add(`${deviceId}/${atMs}`);
            const waiting = untold.get(rule.id)?.rows ?? new Set();
            untold.set(rule.id, { rows: waiting.add(`${deviceId}/${atMs}`), cameMs: nowMs });
          }
          late.set(rule.id, held);
          soon(rule.id, nowMs + gatherMs);
        }
      }
    },
    /** Never blocks the ingest, because all data that it needs is stored. */
    ready: (): undefined => undefined,
    /** No part of a rule reads events. */
    events(_deviceId: string, _events: readonly EventRow[]): void {},

    /** Data that a server stored before it ended may not have been judged, so every rule is judged from stored data. */
    async takeOver(): Promise<void> {
      await refresh();
      for (const id of known.keys()) soon(id, now());
    },

    /** Looks once; after `start` it runs every 250 ms. */
    look,

    start(): void {
      endLooks = repeat(look, tickMs, onError);
    },
    async stop(): Promise<void> {
      stopped = true;
      await endLooks?.();
    },
  };
}
