import { deviceKinds } from "@herdwise/device-kinds";
import type { Bus } from "../../providers/bus.ts";
import type { AlarmEnd, AlarmLogRepository, AlarmRaise, LoggedAlarm } from "./alarm-log.repository.ts";
import { type DeviceChanges, offlineRule, type Recount } from "./follower.service.ts";

export type Step = ({ type: "raise" } & AlarmRaise) | ({ type: "end" } & AlarmEnd);

/** Repositories of one transaction. */
export interface JournalTransaction {
  log: AlarmLogRepository;
  /** Puts notices of what began into the outbox, so that they are as safe as the alarm itself. */
  announce(alarmIds: readonly string[]): Promise<void>;
}

export interface JournalDependencies {
  inTransaction<T>(work: (transaction: JournalTransaction) => Promise<T>): Promise<T>;
  bus: Bus;
  nextId: () => string;
  onError(error: unknown): void;
  /** Rules over several devices whose alarms stand at a device: they are judged apart. */
  groupRulesAt?(deviceId: string): readonly string[];
}

/** Steps of one transaction. */
const stepsTogether = 1000;
const firstRetryMs = 50;
const longestRetryMs = 2000;
/** What began so much before its cause was found still follows from it, ms. */
const causeReachMs = 30 * 60_000;

/** Whether one alarm is the cause of another, by what their kind declares. */
function leadsTo(cause: LoggedAlarm, effect: LoggedAlarm): boolean {
  if (cause.id === effect.id) return false;
  const samePlace = cause.deviceId === effect.deviceId || (cause.unitId !== null && cause.unitId === effect.unitId);
  if (!samePlace) return false;
  if (cause.kind !== effect.kind) return false;
  const guide = deviceKinds[cause.kind].guides?.find(({ rule }) => rule === cause.ruleId);
  return guide?.leadsTo?.includes(effect.ruleId) ?? false;
}

/** The alarm at the beginning of a chain of causes. */
function rootOf(alarm: LoggedAlarm, byId: ReadonlyMap<string, LoggedAlarm>): LoggedAlarm {
  let root = alarm;
  for (let steps = 0; root.causeId !== null && steps < 10; steps += 1) {
    const next = byId.get(root.causeId);
    if (next === undefined || next === alarm) break;
    root = next;
  }
  return root;
}

/** Which of the alarms follow from others: what began, and what was there before its cause was found. */
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

/** Writes what evaluations found into the log, in order, until it is there; then tells who looks at alarms. */
export function createJournal({ inTransaction, bus, nextId, onError, groupRulesAt }: JournalDependencies) {
  let queue: Step[] = [];
  let writing: Promise<void> | undefined;
  let stopped = false;

  const publish = (alarms: readonly LoggedAlarm[]): void => {
    for (const [tenantId, of] of Map.groupBy(alarms, (alarm) => alarm.tenantId)) {
      bus.publish("alarmsChanged", { tenantId, ids: [...new Set(of.map(({ id }) => id))] });
    }
  };

  /** Links causes, and puts notices of what began into the outbox. @returns all that changed by it */
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
    const causeOf = new Map(causes.map(({ id, causeId }) => [id, causeId]));
    // What follows from something known is told only where it is worse.
    const severityOf = new Map(open.map(({ id, severity }) => [id, severity]));
    const told = shown.filter(({ id, severity, quiet }) => {
      const causeSeverity = severityOf.get(causeOf.get(id) ?? "") ?? 0;
      return !quiet && severity > causeSeverity;
    });
    await to.announce(told.map(({ id }) => id));
    return open.filter(({ id }) => causeOf.has(id));
  };

  /** What followed from what ended, and holds on, stands for itself and is told. */
  const ended = async (to: JournalTransaction, alarms: readonly LoggedAlarm[]): Promise<LoggedAlarm[]> => {
    if (alarms.length === 0) return [];
    const released = await to.log.release(alarms.map(({ id }) => id));
    await to.announce(released.filter(({ quiet, suppressed }) => !quiet && !suppressed).map(({ id }) => id));
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
      // A cause is of this write and began by it, or it was there before.
      const grouped = groups.filter(({ id, causeId }) => ids.has(id) && (ids.has(causeId) || !raised.has(causeId)));
      if (grouped.length > 0) await to.log.setCauses(grouped);
      const members = new Set(grouped.map(({ id }) => id));
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

  /** The oldest step of each device and rule, as many as fit; what comes after it waits. */
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
        // What was not written is found again from the stored telemetry.
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

  /** Holds the log of a device against what its data say when it is judged in order. */
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
      // Open in the log, and nothing remembers why: it is over.
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
    /** Takes what the rules of a device did; it is written soon, and again until it is. */
    add({ deviceId, changes, late }: DeviceChanges): void {
      push(
        changes.map((change) =>
          change.type === "raised"
            ? raiseOf(deviceId, change, late === true)
            : { type: "end", deviceId, ruleId: change.ruleId, atMs: change.atMs },
        ),
      );
    },

    /** @returns rules whose alarms a person ended, or of which the log knows nothing */
    async recount(found: Recount): Promise<string[]> {
      const { changed, forgotten } = await inTransaction((to) => recount(to, found));
      publish(changed);
      return forgotten;
    },

    /**
     * What the clock alone raises and ends.
     * @param groups ids of alarms that fell together, each with the one that stands for all
     */
    async writeByClock(steps: readonly Step[], groups: readonly { id: string; causeId: string }[]): Promise<void> {
      if (steps.length > 0) await write(steps, groups);
    },
    settled,
    /** Steps that are not written yet. */
    waiting: () => queue.length,

    async stop(): Promise<void> {
      await writing?.catch(onError);
      stopped = true;
    },
  };
}
export type Journal = ReturnType<typeof createJournal>;
