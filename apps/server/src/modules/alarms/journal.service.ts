import { deviceKinds, worseFrom } from "@herdwise/device-kinds";
import type { Bus } from "../../providers/bus.ts";
import type { AlarmEnd, AlarmLogRepository, AlarmRaise, LoggedAlarm } from "./alarm-log.repository.ts";
import { type DeviceChanges, offlineRule, type Recount } from "./follower.service.ts";

export type Step = ({ type: "raise" } & AlarmRaise) | ({ type: "end" } & AlarmEnd);

/** Repositories of one transaction. */
export interface JournalTransaction {
  log: AlarmLogRepository;
  /** Adds notices of new alarms to the outbox in the same transaction, so that they are as durable as the alarm. */
  announce(alarmIds: readonly string[]): Promise<void>;
}

export interface JournalDependencies {
  inTransaction<T>(work: (transaction: JournalTransaction) => Promise<T>): Promise<T>;
  bus: Bus;
  nextId: () => string;
  onError(error: unknown): void;
  /** Ids of rules over several devices whose alarms belong to a device; they are judged separately. */
  groupRulesAt?(deviceId: string): readonly string[];
}

/** Most steps in one transaction. */
const stepsTogether = 1000;
const firstRetryMs = 50;
const longestRetryMs = 2000;
/** An alarm that began at most this many ms before its cause was found can still be caused by it. */
const causeReachMs = 30 * 60_000;

/** Whether one alarm is the cause of another, by the declaration of their kind. */
function leadsTo(cause: LoggedAlarm, effect: LoggedAlarm): boolean {
  if (cause.id === effect.id) return false;
  const samePlace = cause.deviceId === effect.deviceId || (cause.unitId !== null && cause.unitId === effect.unitId);
  if (!samePlace) return false;
  if (cause.kind !== effect.kind) return false;
  const guide = deviceKinds[cause.kind].guides?.find(({ rule }) => rule === cause.ruleId);
  return guide?.leadsTo?.includes(effect.ruleId) ?? false;
}

/** The first alarm of a chain of causes. */
function rootOf(alarm: LoggedAlarm, byId: ReadonlyMap<string, LoggedAlarm>): LoggedAlarm {
  let root = alarm;
  for (let steps = 0; root.causeId !== null && steps < 10; steps += 1) {
    const next = byId.get(root.causeId);
    if (next === undefined || next === alarm) break;
    root = next;
  }
  return root;
}

/** Finds which alarms are caused by others, among new alarms and earlier ones whose cause was found now. */
export function causesAmong(
  open: readonly LoggedAlarm[],
  began: readonly LoggedAlarm[],
): { id: string; causeId: string }[] {
  const byId = new Map(open.map((alarm) => [alarm.id, alarm]));
  const found = new Map<string, string>();
  for (const alarm of began) {
    const cause = open.find((candidate) => leadsTo(candidate, alarm));
    if (cause !== undefined) {
      const root = rootOf(cause, byId);
      if (root.id !== alarm.id) found.set(alarm.id, root.id);
    }
    for (const effect of open) {
      if (effect.causeId !== null || found.has(effect.id) || !leadsTo(alarm, effect)) continue;
      if (alarm.raisedMs - effect.raisedMs > causeReachMs || found.get(alarm.id) === effect.id) continue;
      found.set(effect.id, found.get(alarm.id) ?? alarm.id);
    }
  }
  return [...found].map(([id, causeId]) => ({ id, causeId }));
}

/** Writes results of evaluations to the log in order, with retries until it succeeds, and then informs readers of alarms. */
export function createJournal({ inTransaction, bus, nextId, onError, groupRulesAt }: JournalDependencies) {
  let queue: Step[] = [];
  let writing: Promise<void> | undefined;
  let stopped = false;

  const publish = (alarms: readonly LoggedAlarm[]): void => {
    for (const [tenantId, of] of Map.groupBy(alarms, (alarm) => alarm.tenantId)) {
      bus.publish("alarmsChanged", { tenantId, ids: [...new Set(of.map(({ id }) => id))] });
    }
  };

  /** What somebody knows of a cause holds for alarms that begin beneath it. */
  const cover = async (to: JournalTransaction, alarms: readonly LoggedAlarm[]): Promise<void> => {
    if (alarms.length === 0) return;
    await to.log.coverByCause(
      alarms.map(({ id, kind, ruleId, facts }) => ({ id, ...worseFrom(deviceKinds[kind], ruleId, facts) })),
    );
  };

  /**
   * Links causes and adds notices of new alarms to the outbox.
   * @returns all alarms that were changed
   */
  const began = async (to: JournalTransaction, alarms: readonly LoggedAlarm[]): Promise<LoggedAlarm[]> => {
    const shown = alarms.filter(({ suppressed, late, endedMs }) => !suppressed && !late && endedMs === null);
    if (shown.length === 0) return [];
    const unitIds = [...new Set(shown.flatMap(({ unitId }) => (unitId === null ? [] : [unitId])))];
    const deviceIds = [...new Set(shown.map(({ deviceId }) => deviceId))];
    const open = await to.log.openAround(unitIds, deviceIds);
    const places = Map.groupBy(open, (alarm) => alarm.unitId ?? alarm.deviceId);
    const causes = [...places.values()].flatMap((of) =>
      causesAmong(
        of,
        of.filter(({ id }) => shown.some((alarm) => alarm.id === id)),
      ),
    );
    if (causes.length > 0) await to.log.setCauses(causes);
    const known = new Set(await to.log.inherit(shown.map(({ id }) => id)));
    await cover(
      to,
      shown.filter(({ id }) => !known.has(id)),
    );
    const causeOf = new Map(causes.map(({ id, causeId }) => [id, causeId]));
    // An alarm with a known cause is only notified when it is more severe than the cause.
    const severityOf = new Map(open.map(({ id, severity }) => [id, severity]));
    const told = shown.filter(({ id, severity, quiet }) => {
      const causeSeverity = severityOf.get(causeOf.get(id) ?? "") ?? 0;
      return !quiet && !known.has(id) && severity > causeSeverity;
    });
    await to.announce(told.map(({ id }) => id));
    return open.filter(({ id }) => causeOf.has(id));
  };

  /** Open alarms whose cause ended lose the cause and are notified themselves. */
  const ended = async (to: JournalTransaction, alarms: readonly LoggedAlarm[]): Promise<LoggedAlarm[]> => {
    if (alarms.length === 0) return [];
    const released = await to.log.release(alarms.map(({ id }) => id));
    await to.announce(
      released.filter(({ quiet, suppressed, known }) => !quiet && !suppressed && !known).map(({ id }) => id),
    );
    return released;
  };

  const write = async (
    steps: readonly Step[],
    groups: readonly { id: string; causeId: string }[] = [],
  ): Promise<void> => {
    const changed = await inTransaction(async (to) => {
      const raises = steps.filter((step) => step.type === "raise");
      const ends = steps.filter((step) => step.type === "end");
      const over = ends.length > 0 ? await to.log.end(ends) : [];
      const begun = raises.length > 0 ? await to.log.raise(raises) : [];
      const ids = new Set(begun.map(({ id }) => id));
      const raised = new Set(raises.map(({ id }) => id));
      // The cause was raised by this write, or was open before.
      const grouped = groups.filter(({ id, causeId }) => ids.has(id) && (ids.has(causeId) || !raised.has(causeId)));
      if (grouped.length > 0) await to.log.setCauses(grouped);
      const members = new Set(grouped.map(({ id }) => id));
      const beneath = begun.filter(({ id }) => members.has(id));
      if (beneath.length > 0) await to.log.inherit([...members]);
      await cover(to, beneath);
      return [
        ...over,
        ...(await ended(to, over)),
        ...begun,
        ...(await began(
          to,
          begun.filter(({ id }) => !members.has(id)),
        )),
      ];
    });
    publish(changed);
  };

  /** The oldest step of each device and rule, up to the limit; later steps of the same wait. */
  const nextSteps = (): { steps: Step[]; rest: Step[] } => {
    const touched = new Set<string>();
    const steps: Step[] = [];
    const rest: Step[] = [];
    for (const step of queue) {
      const key = `${step.deviceId}/${step.ruleId}`;
      if (touched.has(key) || steps.length >= stepsTogether) rest.push(step);
      else steps.push(step);
      touched.add(key);
    }
    return { steps, rest };
  };

  const drain = async (): Promise<void> => {
    for (let waitMs = firstRetryMs; queue.length > 0; ) {
      const { steps, rest } = nextSteps();
      const taken = queue.length;
      try {
        await write(steps);
        queue = [...rest, ...queue.slice(taken)];
        waitMs = firstRetryMs;
      } catch (error) {
        onError(error);
        // Steps that were not written are found again from the stored telemetry.
        if (stopped) return;
        await new Promise((resolve) => setTimeout(resolve, waitMs));
        waitMs = Math.min(waitMs * 2, longestRetryMs);
      }
    }
  };

  const start = (): void => {
    writing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(drain).finally(() => {
      writing = undefined;
      if (queue.length > 0 && !stopped) start();
    });
  };

  const settled = async (): Promise<void> => {
    while (writing !== undefined) await writing;
    if (queue.length > 0) throw new Error("alarms are not in the log yet");
  };

  const raiseOf = (
    deviceId: string,
    change: DeviceChanges["changes"][number],
    late: boolean,
  ): Extract<Step, { type: "raise" }> => ({
    type: "raise",
    id: nextId(),
    deviceId,
    ruleId: change.ruleId,
    severity: change.severity,
    sinceMs: change.sinceMs,
    atMs: change.atMs,
    suppressed: change.suppressed,
    late,
    quiet: change.quiet ?? false,
    figure: change.figure,
  });

  const push = (steps: readonly Step[]): void => {
    if (steps.length === 0 || stopped) return;
    for (const step of steps) queue.push(step);
    start();
  };

  /** Compares the log of a device with the results of judging its data in order. */
  const recount = async (
    to: JournalTransaction,
    { deviceId, afterMs, raised, changes, only }: Recount,
  ): Promise<{ changed: LoggedAlarm[]; forgotten: string[] }> => {
    const others = only === undefined ? (groupRulesAt?.(deviceId) ?? []) : [];
    const rows = (await to.log.after(deviceId, afterMs, [offlineRule, ...others])).filter(
      ({ ruleId }) => only === undefined || ruleId === only,
    );
    const changed: LoggedAlarm[] = [];
    const forgotten: string[] = [];
    const matched = new Set<string>();
    type Episode = { ruleId: string; raise: DeviceChanges["changes"][number] | undefined; endMs: number | null };
    const episodes: Episode[] = raised.map((ruleId) => ({ ruleId, raise: undefined, endMs: null }));
    for (const change of changes) {
      const open = episodes.findLast(({ ruleId, endMs }) => ruleId === change.ruleId && endMs === null);
      if (change.type === "cleared") {
        if (open !== undefined) open.endMs = change.atMs;
      } else if (open === undefined) episodes.push({ ruleId: change.ruleId, raise: change, endMs: null });
      else if (open.raise !== undefined) open.raise = { ...open.raise, suppressed: change.suppressed };
    }
    const pairs = episodes.map((episode) => {
      const { ruleId, raise } = episode;
      const row = rows.find(
        (candidate) =>
          candidate.ruleId === ruleId &&
          !matched.has(candidate.id) &&
          (raise === undefined ? candidate.raisedMs <= afterMs : candidate.raisedMs === Math.floor(raise.atMs)),
      );
      if (row !== undefined) matched.add(row.id);
      return { episode, row };
    });
    const wrong = rows.filter(({ id, withdrawn, endedBy }) => !matched.has(id) && !withdrawn && endedBy === null);
    const never = wrong.filter(({ raisedMs }) => raisedMs > afterMs).map(({ id }) => id);
    if (never.length > 0) changed.push(...(await to.log.withdraw(never)));
    for (const { id, raisedMs, endedMs } of wrong) {
      // Open in the log but not in the state, so it has ended.
      if (raisedMs <= afterMs && endedMs === null) changed.push(...(await to.log.moveEnd(id, afterMs)));
    }
    for (const { episode, row } of pairs) {
      const { ruleId, raise, endMs } = episode;
      if (row === undefined) {
        if (raise === undefined) {
          forgotten.push(ruleId);
          continue;
        }
        const begun = await to.log.raise([raiseOf(deviceId, raise, false)]);
        const over = endMs === null ? [] : await to.log.end([{ deviceId, ruleId, atMs: endMs }]);
        changed.push(...begun, ...over, ...(await began(to, over.length > 0 ? over : begun)));
      } else if (row.endedBy !== null) {
        if (endMs === null) forgotten.push(ruleId);
      } else if (row.withdrawn || (row.endedMs === null ? null : row.endedMs) !== (endMs && Math.floor(endMs))) {
        changed.push(...(await to.log.moveEnd(row.id, endMs)));
      } else if (row.suppressed && raise !== undefined && !raise.suppressed && endMs === null) {
        changed.push(...(await to.log.raise([raiseOf(deviceId, raise, false)])));
      }
    }
    return { changed, forgotten };
  };

  return {
    /** Queues changes of a device's alarms; they are written soon, with retries. */
    add({ deviceId, changes, late }: DeviceChanges): void {
      push(
        changes.map((change) =>
          change.type === "raised"
            ? raiseOf(deviceId, change, late === true)
            : { type: "end", deviceId, ruleId: change.ruleId, atMs: change.atMs },
        ),
      );
    },

    /** @returns rules whose alarms a person ended, or that the log does not contain */
    async recount(found: Recount): Promise<string[]> {
      const { changed, forgotten } = await inTransaction((to) => recount(to, found));
      publish(changed);
      return forgotten;
    },

    /**
     * Writes alarms that the clock raises and ends.
     * @param groups ids of alarms with a common cause, each with the id of the alarm that represents them
     */
    async writeByClock(steps: readonly Step[], groups: readonly { id: string; causeId: string }[]): Promise<void> {
      if (steps.length > 0) await write(steps, groups);
    },
    settled,
    /** Number of steps that are not written yet. */
    waiting: () => queue.length,

    async stop(): Promise<void> {
      await writing?.catch(onError);
      stopped = true;
    },
  };
}
export type Journal = ReturnType<typeof createJournal>;
