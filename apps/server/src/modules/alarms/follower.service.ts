import {
  type AlarmChange,
  type AlarmRule,
  createEvaluator,
  deviceKinds,
  type EvaluationContext,
  type EvaluationInput,
  type Evaluator,
  lateAfterIntervals,
  type RejectedReadings,
  type ReportedValue,
} from "@herdwise/device-kinds";
import { createBreather } from "../../breather.ts";
import { repeat } from "../../repeat.ts";
import type { EventRow, RecentInput, RecentRepository, StoredReadings } from "../telemetry/index.ts";
import type { AlarmLogRepository, FollowedDevice, SettledState } from "./alarm-log.repository.ts";

/** Rule for devices that don't report; the clock raises it, not the evaluator. */
export const offlineRule = "offline";

/** A message of a device, with the device's time. */
type Input =
  | {
      readonly type: "readings";
      readonly atMs: number;
      readonly values: Readonly<Record<string, unknown>>;
      readonly rejected?: RejectedReadings;
      /** These values were rejected on arrival and are accepted now. */
      readonly believedLater?: true;
    }
  | { readonly type: "event"; readonly atMs: number; readonly key: string; readonly event: EventRow };

/** Stored rows of a device that wait to be judged. */
interface Entry {
  readonly deviceId: string;
  readonly inputs: readonly Input[];
  /** Sequence number in the order of storage. */
  readonly number: number;
  /** By the server's clock. */
  readonly arrivedMs: number;
}

/** Stored state, as JSON: that of the evaluator, and the newest events. */
interface Kept {
  evaluation: ReturnType<Evaluator["state"]>;
  events: string[];
}

interface Followed {
  readonly device: FollowedDevice;
  readonly evaluator: Evaluator;
  readonly context: EvaluationContext;
  readonly lateAfterMs: number;
  /** Newest device time of judged telemetry. */
  newestMs: number;
  /** Times of recently judged telemetry, by which repeated messages are recognized. */
  readonly recent: number[];
  /** Newest events by type and id, for the same purpose. */
  readonly events: string[];
  /** Next time at which a duration ends without a message. */
  dueMs: number | undefined;
  /** State that was taken, and is stored once no earlier data can arrive any more. */
  snapshot: { atMs: number; text: string } | undefined;
  snapshotMs: number;
  /** Evaluates late data, only for the log. */
  shadow: Evaluator | undefined;
  lateUntilMs: number | null;
  /** Late data arrived since the last stored state. */
  tookLate: boolean;
  /** Entries before this number were already read when the device was loaded, except late ones with the times in `stillLate`. */
  readonly readUpTo: number;
  readonly stillLate: ReadonlySet<number>;
}

/** Changes of one device's alarms in the order of time. */
export interface DeviceChanges {
  readonly deviceId: string;
  readonly changes: readonly AlarmChange[];
  /** The changes come from late data, so they are only recorded. */
  readonly late?: true;
}

/** Everything that a device's rules did since a time, to compare the log with it. */
export interface Recount {
  readonly deviceId: string;
  readonly afterMs: number;
  /** Rules whose alarms were open at that time. */
  readonly raised: readonly string[];
  readonly changes: readonly AlarmChange[];
  /** The only rule that is compared; where it is left out, all rules that read this device alone. */
  readonly only?: string;
}

export interface FollowerDependencies {
  log: Pick<AlarmLogRepository, "followed" | "reportingSince" | "changedSince" | "saveStates">;
  recent: RecentRepository;
  now: () => number;
  /** The rules of a device with its farm's changes. */
  rulesOf(device: FollowedDevice): readonly AlarmRule[];
  /** Whether a masking window covers a rule at a time. */
  maskedAt(device: FollowedDevice, ruleId: string, atMs: number): boolean;
  onChanges(changes: DeviceChanges): void;
  /** @returns rules whose alarms a person ended, so that their evaluation starts anew */
  onRecount(recount: Recount): Promise<readonly string[]>;
  /** Resolves when all changes so far are in the log. */
  settled(): Promise<void>;
  /** Tells other servers to drop the device, because its messages arrive here now. */
  onTaken(deviceId: string): void;
  onError(error: unknown): void;
}

/** Interval in ms at which evaluation states are stored; at most this much telemetry is judged again after a restart. */
const snapshotEveryMs = 10 * 60_000;
/** At a server's start, a device without a stored state is judged over this many ms. */
const firstLookMs = 3_600_000;
/** Data older than this, in ms, are never judged again. */
const longestLookMs = 6 * 3_600_000;
/** Devices that are loaded together. */
const takenTogether = 100;
/** Most rows that wait to be judged; beyond it a device is loaded again from the database later. */
const waitingRows = 20_000;
/** With more waiting rows the ingest pauses until they are judged, because an alarm must not come late. */
const busyRows = 4000;
/** Done entries are removed from the queue in batches of this size. */
const forgottenTogether = 1000;
const tickMs = 250;
/** Milliseconds by which the clock ends a duration later, because a message may be on its way. */
const graceMs = 500;
const refreshMs = 30_000;
const keptEvents = 50;
const keptTimes = 16;

const lateAfterMsOf = (kind: FollowedDevice["kind"]): number =>
  lateAfterIntervals * deviceKinds[kind].reportIntervalS * 1000;

const isReported = (value: unknown): value is ReportedValue =>
  typeof value === "number" || typeof value === "boolean" || typeof value === "string";

/** Data younger than this are late for no kind of device. */
const shortestLateMs = Math.min(
  ...Object.keys(deviceKinds).map((kind) => lateAfterMsOf(kind as keyof typeof deviceKinds)),
);

type Readings = Extract<Input, { type: "readings" }>;

/** Values that rules can compare; most readings are returned unchanged. */
const comparable = (input: Readings): Extract<EvaluationInput, { type: "readings" }> => {
  let all = true;
  for (const key in input.values) all &&= isReported(input.values[key]);
  if (all) return input as Extract<EvaluationInput, { type: "readings" }>;
  const kept: Record<string, ReportedValue> = {};
  for (const [key, value] of Object.entries(input.values)) if (isReported(value)) kept[key] = value;
  return { ...input, values: kept };
};

/** Context of a device's evaluation besides its messages. */
export const contextOf = (device: FollowedDevice): EvaluationContext => ({
  ...(device.pigstyType !== null && { pigstyType: device.pigstyType }),
  ...(device.averageWeightGrams !== null && { weightKg: device.averageWeightGrams / 1000 }),
  parameters: device.parameters,
  ...(typeof device.parameters.fw_version === "string" && { targetFirmware: device.parameters.fw_version }),
  // The mode that a device reports applies unless the farm set the unit to another mode.
  ...(device.mode !== null && device.mode !== "normal" && { mode: device.mode }),
});

/** Converts a stored row to an input of the evaluation. */
export const inputOf = (row: RecentInput): Input =>
  row.type === null
    ? {
        type: "readings",
        atMs: row.atMs,
        values: row.values ?? {},
        ...(row.rejected !== undefined && { rejected: row.rejected }),
      }
    : {
        type: "event",
        atMs: row.atMs,
        key: `${row.type}/${row.eventId}`,
        event: { type: row.type, eventId: row.eventId ?? "", ts: row.atMs, body: row.body ?? {} },
      };

/** @param nowMs by the server's clock; the input's own time, for data that is judged as if it had just arrived */
export const judgeInput = (
  evaluator: Evaluator,
  input: Input,
  context: EvaluationContext,
  nowMs: number = input.atMs,
): AlarmChange[] =>
  input.type === "readings"
    ? evaluator.take(comparable(input), nowMs, context)
    : evaluator.take(
        { type: "event", atMs: input.atMs, event: { ...input.event.body, type: input.event.type } },
        nowMs,
        context,
      );

/**
 * Runs the rules of every bound device over its messages, in the order of device time.
 * The process may end at any time: data stored after the last stored state is judged again at the next start.
 * Data out of order, but at most two reports late, makes the device be judged again from there, so the log is the same as for
 * ordered data.
 */
export function createFollower(dependencies: FollowerDependencies) {
  const { log, recent, now, onError } = dependencies;
  const held = new Map<string, Followed>();
  /** Devices to load. */
  const wanted = new Set<string>();
  const loadingIds = new Set<string>();
  /** Devices of a server that ended; as after a start, they may have been silent for longer than the limit for late data. */
  const orphans = new Set<string>();
  /** Entries that arrived while their device was being loaded, and late entries of devices that wait for it. */
  const meanwhile = new Map<string, Entry[]>();
  let queue: Entry[] = [];
  /** Number of done entries at the head of the queue. */
  let done = 0;
  let numbered = 0;
  let queuedRows = 0;
  const readyWaiters: (() => void)[] = [];
  let working = false;
  let stopped = false;
  /** Devices that reported before the start have been loaded. */
  let started = false;
  let loading: Promise<void> | undefined;
  const toSave = new Map<string, SettledState>();
  let saving: Promise<void> | undefined;
  let endTicks: (() => Promise<void>) | undefined;
  let refreshedMs = 0;
  const breathe = createBreather();

  const maskedContextOf = (device: FollowedDevice): EvaluationContext => ({
    ...contextOf(device),
    maskedAt: (ruleId, atMs) => dependencies.maskedAt(device, ruleId, atMs),
  });

  const textOf = ({ evaluator, events }: Followed): string =>
    JSON.stringify({ evaluation: evaluator.state(), events } satisfies Kept);

  const keep = (followed: Followed, settledMs: number, state: string): void => {
    toSave.set(followed.device.id, {
      deviceId: followed.device.id,
      settledMs,
      lateUntilMs: followed.lateUntilMs,
      state,
    });
  };

  const tell = (followed: Followed, changes: AlarmChange[]): void => {
    followed.dueMs = followed.evaluator.nextDueMs(followed.context);
    if (changes.length > 0) dependencies.onChanges({ deviceId: followed.device.id, changes });
  };

  /** Late data is history, and only judged for the log. */
  const takeLate = (followed: Followed, input: Input): void => {
    const { device, evaluator, context } = followed;
    followed.shadow ??= newEvaluator(device);
    const would = judgeInput(followed.shadow, input, context).filter(({ type }) => type === "raised");
    if (would.length > 0) dependencies.onChanges({ deviceId: device.id, changes: would, late: true });
    judgeInput(evaluator, input, context, now());
    followed.lateUntilMs = Math.max(followed.lateUntilMs ?? 0, input.atMs);
    // The next stored state includes it, so it is never judged again.
    followed.snapshot = undefined;
    followed.tookLate = true;
  };

  const rulesFor = (device: FollowedDevice): readonly AlarmRule[] =>
    dependencies.rulesOf(device).filter(({ id }) => id !== offlineRule);

  const newEvaluator = (device: FollowedDevice, state?: Kept["evaluation"]): Evaluator =>
    createEvaluator(deviceKinds[device.kind], { rules: rulesFor(device), ...(state !== undefined && { state }) });

  const isRepeated = (followed: Followed, input: Input): boolean =>
    input.type === "event" ? followed.events.includes(input.key) : followed.recent.includes(input.atMs);

  const note = (followed: Followed, input: Input): void => {
    if (input.type === "event") {
      followed.events.push(input.key);
      if (followed.events.length > keptEvents) followed.events.shift();
      return;
    }
    followed.newestMs = Math.max(followed.newestMs, input.atMs);
    if (followed.recent.at(-1) !== input.atMs) followed.recent.push(input.atMs);
    if (followed.recent.length > keptTimes) followed.recent.shift();
  };

  const judgedMsOf = ({ newestMs, evaluator }: Pick<Followed, "newestMs" | "evaluator">): number =>
    Math.max(newestMs, evaluator.judgedMs() ?? newestMs);

  const settleSnapshot = (followed: Followed, nowMs: number): void => {
    const { snapshot } = followed;
    if (snapshot !== undefined) {
      if (nowMs - snapshot.atMs <= followed.lateAfterMs + 1000) return;
      followed.snapshot = undefined;
      keep(followed, snapshot.atMs, snapshot.text);
      return;
    }
    if (followed.newestMs - followed.snapshotMs < snapshotEveryMs) return;
    followed.snapshotMs = followed.newestMs;
    // An event may be newer than all telemetry; earlier data that arrives later is then judged from an older state.
    followed.snapshot = { atMs: judgedMsOf(followed), text: textOf(followed) };
  };

  /** @returns false when the device must be judged again from the stored data */
  const take = (followed: Followed, input: Input): boolean => {
    const nowMs = now();
    if (input.type === "readings" && input.believedLater) {
      // Earlier readings fill the history like late data, and a state without them must not be stored.
      followed.snapshot = undefined;
      tell(followed, judgeInput(followed.evaluator, input, followed.context, nowMs));
      return true;
    }
    if (nowMs - input.atMs > followed.lateAfterMs) {
      if (!isRepeated(followed, input)) takeLate(followed, input);
      return true;
    }
    const inOrder = input.atMs >= Math.max(followed.newestMs, followed.evaluator.judgedMs() ?? 0);
    // The newest time may be repeated with further keys; any other repetition is ignored.
    if (isRepeated(followed, input) && !(input.type === "readings" && input.atMs === followed.newestMs)) return true;
    if (!inOrder) return false;
    followed.shadow = undefined;
    const changes = judgeInput(followed.evaluator, input, followed.context);
    note(followed, input);
    settleSnapshot(followed, nowMs);
    tell(followed, changes);
    return true;
  };

  const want = (deviceId: string): void => {
    held.delete(deviceId);
    wanted.add(deviceId);
    loading ??= load().finally(() => {
      loading = undefined;
    });
  };

  /** Continues with changed rules or at another place; earlier results stay. */
  const retake = (deviceId: string): void => {
    const followed = held.get(deviceId);
    if (followed === undefined) return;
    if (followed.newestMs > 0) keep(followed, followed.newestMs, textOf(followed));
    want(deviceId);
  };

  /** Judges the data stored since the last stored state again. */
  const recount = async (
    device: FollowedDevice,
    settled: SettledState | null,
    afterMs: number,
    inputs: readonly Input[],
    read: Pick<Followed, "readUpTo" | "stillLate">,
  ): Promise<void> => {
    const kept = settled === null ? undefined : (JSON.parse(settled.state) as Kept);
    const evaluator = newEvaluator(device, kept?.evaluation);
    const context = maskedContextOf(device);
    const followed: Followed = {
      device,
      evaluator,
      context,
      lateAfterMs: lateAfterMsOf(device.kind),
      newestMs: settled?.settledMs ?? 0,
      recent: [],
      events: kept?.events ?? [],
      dueMs: undefined,
      snapshot: undefined,
      snapshotMs: settled?.settledMs ?? inputs[0]?.atMs ?? now(),
      shadow: undefined,
      lateUntilMs: settled?.lateUntilMs ?? null,
      tookLate: false,
      ...read,
    };
    const raised = evaluator.raised();
    // The state may contain alarms that the clock or an event raised after the newest telemetry; they are in the log already
    // and are not raised again below.
    const rememberedMs = judgedMsOf({ newestMs: afterMs, evaluator });
    const changes: AlarmChange[] = [];
    const judged = new Set(rulesFor(device).map(({ id }) => id));
    // A disabled rule raises no alarm and keeps none open.
    for (const ruleId of raised.filter((id) => !judged.has(id))) {
      evaluator.forget(ruleId);
      changes.push({ type: "cleared", ruleId, severity: "WARN", atMs: now(), sinceMs: now(), suppressed: false });
    }
    for (const input of inputs) {
      // The stored state already includes late data.
      if (isRepeated(followed, input) || input.atMs <= (followed.lateUntilMs ?? 0)) continue;
      changes.push(...judgeInput(evaluator, input, context));
      note(followed, input);
      await breathe();
    }
    changes.push(...evaluator.take({ type: "due" }, now() - graceMs, context));
    followed.dueMs = evaluator.nextDueMs(context);
    const found = { deviceId: device.id, afterMs: rememberedMs, raised, changes };
    for (const ruleId of await dependencies.onRecount(found)) {
      evaluator.forget(ruleId);
    }
    held.set(device.id, followed);
    dependencies.onTaken(device.id);
  };

  /** Times of late entries that wait to be judged as late. */
  const lateWaiting = (deviceId: string, lateAfterMs: number): Set<number> => {
    const waiting = [
      ...queue.slice(done).filter((entry) => entry.deviceId === deviceId),
      ...(meanwhile.get(deviceId) ?? []),
    ];
    return new Set(
      waiting.flatMap(({ inputs, arrivedMs }) =>
        inputs.flatMap(({ atMs }) => (arrivedMs - atMs > lateAfterMs ? [atMs] : [])),
      ),
    );
  };

  const loadSome = async (ids: readonly string[]): Promise<void> => {
    const earliestMs = now() - longestLookMs;
    // States in memory are newer than the stored ones, so they are stored first.
    await saveStates();
    await dependencies.settled();
    const devices = await log.followed(ids);
    const nowMs = now();
    const afterOf = ({ id, settled, kind }: (typeof devices)[number]): number => {
      if (settled !== null) return Math.max(settled.settledMs, earliestMs);
      return nowMs - (started && !orphans.has(id) ? lateAfterMsOf(kind) : firstLookMs);
    };
    // Stored before any alarm is logged: after a crash, judging must start from the same point again. From a later point it
    // would not find what raised an alarm, and would raise it twice.
    const beginnings = devices
      .filter(({ settled }) => settled === null)
      .map((device): SettledState => {
        const { events, evaluation }: Kept = { events: [], evaluation: newEvaluator(device).state() };
        const state = JSON.stringify({ evaluation, events });
        return { deviceId: device.id, settledMs: afterOf(device), lateUntilMs: null, state };
      });
    if (beginnings.length > 0) await log.saveStates(beginnings);
    const readUpTo = numbered;
    const rows = await recent.since(devices.map((device) => ({ deviceId: device.id, afterMs: afterOf(device) })));
    const byDevice = Map.groupBy(rows, ({ deviceId }) => deviceId);
    for (const device of devices) {
      const { settled, ...rest } = device;
      const late = lateWaiting(device.id, lateAfterMsOf(device.kind));
      const inputs = (byDevice.get(device.id) ?? []).map(inputOf).filter(({ atMs }) => !late.has(atMs));
      await recount(rest, settled, afterOf(device), inputs, { readUpTo, stillLate: late });
    }
  };

  const load = async (): Promise<void> => {
    while (wanted.size > 0 && !stopped) {
      const ids = [...wanted].slice(0, takenTogether);
      // Rows that are stored from now on arrive through the queue, and are held back while their device is loaded.
      for (const id of ids) {
        wanted.delete(id);
        loadingIds.add(id);
      }
      try {
        await loadSome(ids);
      } catch (error) {
        onError(error);
        for (const id of ids) wanted.add(id);
        await new Promise((resolve) => setTimeout(resolve, 500));
      } finally {
        for (const id of ids) loadingIds.delete(id);
        for (const id of ids) {
          if (wanted.has(id)) continue;
          orphans.delete(id);
          const came = meanwhile.get(id) ?? [];
          meanwhile.delete(id);
          // Inserted before later entries, because a device is judged in the order in which its messages arrived.
          if (held.has(id)) queue.splice(done, 0, ...came);
          // The device is no longer bound.
          else for (const { inputs } of came) queuedRows -= inputs.length;
        }
        wakeReady();
        void work();
      }
    }
  };

  const wakeReady = (): void => {
    if (queuedRows <= busyRows || stopped) for (const wake of readyWaiters.splice(0)) wake();
  };

  const setAside = (entry: Entry): void => {
    const came = meanwhile.get(entry.deviceId) ?? [];
    came.push(entry);
    meanwhile.set(entry.deviceId, came);
  };

  /** Entries are read from the database when their device is loaded, except late ones, which wait until then. */
  const leaveToLoad = (entry: Entry): void => {
    const inputs = entry.inputs.filter(({ atMs }) => entry.arrivedMs - atMs > shortestLateMs);
    if (inputs.length > 0) {
      queuedRows += inputs.length;
      setAside({ ...entry, inputs });
    }
    want(entry.deviceId);
  };

  const workOff = (entry: Entry): void => {
    const { deviceId, inputs } = entry;
    if (loadingIds.has(deviceId)) {
      setAside(entry);
      return;
    }
    queuedRows -= inputs.length;
    wakeReady();
    const followed = held.get(deviceId);
    if (followed === undefined) {
      leaveToLoad(entry);
      return;
    }
    const isRead = entry.number < followed.readUpTo;
    const left = isRead ? inputs.filter(({ atMs }) => followed.stillLate.has(atMs)) : inputs;
    const again = left.findIndex((input) => !take(followed, input));
    if (again >= 0) leaveToLoad({ ...entry, inputs: left.slice(again) });
  };

  const work = async (): Promise<void> => {
    if (working) return;
    working = true;
    try {
      for (let entry = queue[done]; entry !== undefined; entry = queue[done]) {
        done += 1;
        workOff(entry);
        if (done === queue.length || done >= forgottenTogether) {
          queue.splice(0, done);
          done = 0;
        }
        const turn = breathe();
        if (turn !== undefined) await turn;
      }
    } catch (error) {
      onError(error);
      // All entries are stored in the database.
      for (const { deviceId } of queue) want(deviceId);
      queue = [];
      done = 0;
      queuedRows = [...meanwhile.values()].flat().reduce((rows, { inputs }) => rows + inputs.length, 0);
    } finally {
      working = false;
      wakeReady();
    }
  };

  const push = (deviceId: string, inputs: Input[]): void => {
    if (stopped) return;
    if (queuedRows > waitingRows) {
      // The rows are stored, so the device can be loaded again later.
      want(deviceId);
      return;
    }
    queuedRows += inputs.length;
    queue.push({ deviceId, inputs, number: numbered, arrivedMs: now() });
    numbered += 1;
    if (!working) setImmediate(() => void work());
  };

  const saveStates = async (): Promise<void> => {
    while (saving !== undefined) await saving;
    if (toSave.size === 0) return;
    const states = [...toSave.values()];
    toSave.clear();
    saving = (async () => {
      try {
        // A state must not contain an alarm that is missing in the log.
        await dependencies.settled();
        await log.saveStates(states);
      } catch (error) {
        for (const state of states) if (!toSave.has(state.deviceId)) toSave.set(state.deviceId, state);
        throw error;
      } finally {
        saving = undefined;
      }
    })();
    await saving;
  };

  const tick = async (): Promise<void> => {
    const untilMs = now() - graceMs;
    for (const followed of held.values()) {
      if (followed.tookLate) {
        followed.tookLate = false;
        followed.snapshotMs = followed.newestMs;
        keep(followed, followed.newestMs, textOf(followed));
      }
      if (followed.dueMs === undefined || followed.dueMs > untilMs) continue;
      tell(followed, followed.evaluator.take({ type: "due" }, untilMs, followed.context));
      await breathe();
    }
    await saveStates();
    if (now() - refreshedMs > refreshMs) {
      const since = refreshedMs;
      refreshedMs = now();
      for (const { id, changedUs } of await log.changedSince(new Date(since - refreshMs)))
        if (held.get(id)?.device.changedUs !== changedUs) retake(id);
    }
  };

  /** Loads devices that reported recently and are not judged on this server, wherever they were judged before. */
  const takeOver = async (): Promise<void> => {
    for (const id of await log.reportingSince(new Date(now() - longestLookMs))) {
      if (held.has(id)) continue;
      orphans.add(id);
      want(id);
    }
  };

  const takeUp = async (): Promise<void> => {
    refreshedMs = now();
    await takeOver();
    void (loading ?? Promise.resolve()).finally(() => {
      started = true;
    });
  };

  return {
    stored(parts: readonly StoredReadings[]): void {
      for (const { deviceId, rows } of parts) {
        push(
          deviceId,
          rows.map(({ at, values, rejected, believedLater }) => ({
            type: "readings",
            atMs: Math.floor(at / 1000),
            values,
            ...(rejected && { rejected }),
            ...(believedLater && { believedLater }),
          })),
        );
      }
    },

    /** Resolves when enough entries are judged to accept more; undefined when there is nothing to wait for. */
    ready: (): Promise<void> | undefined =>
      queuedRows <= busyRows || stopped ? undefined : new Promise((resolve) => readyWaiters.push(resolve)),

    events(deviceId: string, events: readonly EventRow[]): void {
      push(
        deviceId,
        events
          .toSorted((a, b) => a.ts - b.ts)
          .map((event) => ({ type: "event", atMs: event.ts, key: `${event.type}/${event.eventId}`, event })),
      );
    },

    /** Called when a person ended an alarm. */
    ended(deviceId: string, ruleId: string): void {
      const followed = held.get(deviceId);
      if (followed === undefined) return;
      followed.evaluator.forget(ruleId);
      followed.dueMs = followed.evaluator.nextDueMs(followed.context);
    },

    /**
     * Drops a device, because another server has it, or its rules or place changed; it is loaded again with its next message,
     * or at once.
     */
    forget(deviceId: string, atOnce: boolean): void {
      if (atOnce) retake(deviceId);
      else held.delete(deviceId);
    },
    forgetTenant(tenantId: string): void {
      for (const { device } of [...held.values()]) if (device.tenantId === tenantId) retake(device.id);
    },
    forgetAll(): void {
      for (const id of [...held.keys()]) want(id);
    },

    /** Looks once for durations that ended; after `start` it runs every 250 ms. */
    look: tick,
    /** Number of devices that are judged on this server. */
    size: () => held.size,
    /** Resolves when everything received is judged and reported. */
    async idle(): Promise<void> {
      while (working || queue.length > 0 || loading !== undefined) {
        await (loading ?? new Promise((resolve) => setImmediate(resolve)));
      }
    },

    /** Loads all devices that reported recently; `start` calls it. */
    takeUp,
    /** Called when another server ended before judging its entries: devices that this server does not judge are loaded. */
    takeOver,

    async start(): Promise<void> {
      await takeUp();
      endTicks = repeat(tick, tickMs, onError);
    },

    async stop(): Promise<void> {
      void endTicks?.();
      stopped = true;
      wakeReady();
      wanted.clear();
      await loading;
      for (const followed of held.values()) {
        if (followed.snapshot !== undefined && now() - followed.snapshot.atMs > followed.lateAfterMs) {
          keep(followed, followed.snapshot.atMs, followed.snapshot.text);
        }
      }
      await saveStates().catch(onError);
    },
  };
}
export type Follower = ReturnType<typeof createFollower>;
