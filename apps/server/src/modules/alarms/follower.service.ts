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

/** The rule that the absence of reports raises: presence decides it by the clock, not the evaluator. */
export const offlineRule = "offline";

/** What came from a device, in its own time. */
type Input =
  | {
      readonly type: "readings";
      readonly atMs: number;
      readonly values: Readonly<Record<string, unknown>>;
      readonly rejected?: RejectedReadings;
      /** These values were rejected when they came, and are believed now. */
      readonly believedLater?: true;
    }
  | { readonly type: "event"; readonly atMs: number; readonly key: string; readonly event: EventRow };

/** What was stored of a device and waits to be judged. */
interface Entry {
  readonly deviceId: string;
  readonly inputs: readonly Input[];
  /** In the order in which it was stored. */
  readonly number: number;
  /** By the server's clock. */
  readonly arrivedMs: number;
}

/** What a state holds besides that of the evaluator, as JSON. */
interface Kept {
  evaluation: ReturnType<Evaluator["state"]>;
  events: string[];
}

interface Followed {
  readonly device: FollowedDevice;
  readonly evaluator: Evaluator;
  readonly context: EvaluationContext;
  readonly lateAfterMs: number;
  /** The newest device time of telemetry that was judged. */
  newestMs: number;
  /** Times of telemetry that were judged lately: what comes a second time is no news. */
  readonly recent: number[];
  /** Newest events by type and id, for the same reason. */
  readonly events: string[];
  /** When something ends by time alone. */
  dueMs: number | undefined;
  /** Taken, and kept once nothing can come before it any more. */
  snapshot: { atMs: number; text: string } | undefined;
  snapshotMs: number;
  /** Judges what came late, for the log alone. */
  shadow: Evaluator | undefined;
  lateUntilMs: number | null;
  /** Late data came since the last state that was kept. */
  tookLate: boolean;
  /** Entries before this number were read from what is stored when the device was taken up, but for late ones of these times. */
  readonly readUpTo: number;
  readonly stillLate: ReadonlySet<number>;
}

/** Changes of one device in the order of time. */
export interface DeviceChanges {
  readonly deviceId: string;
  readonly changes: readonly AlarmChange[];
  /** What late data would have raised. */
  readonly late?: true;
}

/** All that a device's rules did since a time, for holding the log against it. */
export interface Recount {
  readonly deviceId: string;
  readonly afterMs: number;
  /** Rules that were raised then. */
  readonly raised: readonly string[];
  readonly changes: readonly AlarmChange[];
  /** The one rule that it is about; without it all that follow one device alone. */
  readonly only?: string;
}

export interface FollowerDependencies {
  log: Pick<AlarmLogRepository, "followed" | "reportingSince" | "changedSince" | "saveStates">;
  recent: RecentRepository;
  now: () => number;
  /** The rules of a device, with what its farm changed. */
  rulesOf(device: FollowedDevice): readonly AlarmRule[];
  /** Whether a masking window covers a rule at a time. */
  maskedAt(device: FollowedDevice, ruleId: string, atMs: number): boolean;
  onChanges(changes: DeviceChanges): void;
  /** @returns rules that a person ended: their evaluation begins anew */
  onRecount(recount: Recount): Promise<readonly string[]>;
  /** Resolves when all changes so far are in the log. */
  settled(): Promise<void>;
  /** Another server must forget the device: its messages come here now. */
  onTaken(deviceId: string): void;
  onError(error: unknown): void;
}

/** What evaluations remember is kept this often, so that at most as much telemetry is judged again. */
const snapshotEveryMs = 10 * 60_000;
/** At the start of a server a device without anything remembered is judged for its last hour. */
const firstLookMs = 3_600_000;
/** What is older is not judged again, whatever was missed. */
const longestLookMs = 6 * 3_600_000;
/** Devices that are taken up together. */
const takenTogether = 100;
/** Rows that wait to be judged; beyond it a device is read again from what is stored. */
const waitingRows = 20_000;
/** With more rows waiting the next ones are not stored before these are judged: an alarm that comes late is none. */
const busyRows = 4000;
/** Entries that are done are taken off the queue so many at a time. */
const forgottenTogether = 1000;
const tickMs = 250;
/** By the clock a duration ends this much later, as a message may be on its way. */
const graceMs = 500;
const refreshMs = 30_000;
const keptEvents = 50;
const keptTimes = 16;

const lateAfterMsOf = (kind: FollowedDevice["kind"]): number =>
  lateAfterIntervals * deviceKinds[kind].reportIntervalS * 1000;

const isReported = (value: unknown): value is ReportedValue =>
  typeof value === "number" || typeof value === "boolean" || typeof value === "string";

/** What is younger is late for no kind of device. */
const shortestLateMs = Math.min(
  ...Object.keys(deviceKinds).map((kind) => lateAfterMsOf(kind as keyof typeof deviceKinds)),
);

type Readings = Extract<Input, { type: "readings" }>;

/** Only what rules can compare; nearly all readings as they are. */
const comparable = (input: Readings): Extract<EvaluationInput, { type: "readings" }> => {
  let all = true;
  for (const key in input.values) all &&= isReported(input.values[key]);
  if (all) return input as Extract<EvaluationInput, { type: "readings" }>;
  const kept: Record<string, ReportedValue> = {};
  for (const [key, value] of Object.entries(input.values)) if (isReported(value)) kept[key] = value;
  return { ...input, values: kept };
};

/** What the evaluation needs to know of a device beside what it sends. */
export const contextOf = (device: FollowedDevice): EvaluationContext => ({
  ...(device.pigstyType !== null && { pigstyType: device.pigstyType }),
  ...(device.averageWeightGrams !== null && { weightKg: device.averageWeightGrams / 1000 }),
  parameters: device.parameters,
  ...(typeof device.parameters.fw_version === "string" && { targetFirmware: device.parameters.fw_version }),
  // A device that reports its mode is believed unless the farm says that the unit is out of use.
  ...(device.mode !== null && device.mode !== "normal" && { mode: device.mode }),
});

/** A stored row as the evaluation takes it. */
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

/** @param nowMs by the server's clock; the input's own time for what is judged as if it had come at once */
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
 * Runs the rules of every bound device over what it sends, in the order of the device's time. Nothing here is lost with the
 * process: what was stored after the last kept state is judged again at the next start. What comes in another order, not
 * later than two reports, has the device judged again from there, so that the log is the same as in order.
 */
export function createFollower(dependencies: FollowerDependencies) {
  const { log, recent, now, onError } = dependencies;
  const held = new Map<string, Followed>();
  /** Devices to take up, and what came for them since. */
  const wanted = new Set<string>();
  const loadingIds = new Set<string>();
  /** Devices of a server that is gone: like those at a start they may have been silent for longer than data may be late. */
  const orphans = new Set<string>();
  /** What came for devices while they were taken up, and what came late for those that wait for it. */
  const meanwhile = new Map<string, Entry[]>();
  let queue: Entry[] = [];
  /** So many at the head of the queue are done. */
  let done = 0;
  let numbered = 0;
  let queuedRows = 0;
  const readyWaiters: (() => void)[] = [];
  let working = false;
  let stopped = false;
  /** The devices that reported before the start are taken up. */
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

  /** Late data is history, and judged for the log alone. */
  const takeLate = (followed: Followed, input: Input): void => {
    const { device, evaluator, context } = followed;
    followed.shadow ??= newEvaluator(device);
    const would = judgeInput(followed.shadow, input, context).filter(({ type }) => type === "raised");
    if (would.length > 0) dependencies.onChanges({ deviceId: device.id, changes: would, late: true });
    judgeInput(evaluator, input, context, now());
    followed.lateUntilMs = Math.max(followed.lateUntilMs ?? 0, input.atMs);
    // The next state that is kept has it; nobody judges it again.
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
    // An event may be newer than all telemetry: what comes from before it is judged again from an older state.
    followed.snapshot = { atMs: judgedMsOf(followed), text: textOf(followed) };
  };

  /** @returns false when the device must be judged again from what is stored */
  const take = (followed: Followed, input: Input): boolean => {
    const nowMs = now();
    if (input.type === "readings" && input.believedLater) {
      // Older ones fill the history as what comes late does. A state from before them is not kept.
      followed.snapshot = undefined;
      tell(followed, judgeInput(followed.evaluator, input, followed.context, nowMs));
      return true;
    }
    if (nowMs - input.atMs > followed.lateAfterMs) {
      if (!isRepeated(followed, input)) takeLate(followed, input);
      return true;
    }
    const inOrder = input.atMs >= Math.max(followed.newestMs, followed.evaluator.judgedMs() ?? 0);
    // The newest time may come again with more keys; whatever else comes again says nothing new.
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

  /** Goes on with other rules or in another place: what was judged before stays as it was. */
  const retake = (deviceId: string): void => {
    const followed = held.get(deviceId);
    if (followed === undefined) return;
    if (followed.newestMs > 0) keep(followed, followed.newestMs, textOf(followed));
    want(deviceId);
  };

  /** Judges again what is stored since the last state that was kept. */
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
    // A state may know what the clock or an event raised after the newest telemetry: that is in the log, and nothing below raises it again.
    const rememberedMs = judgedMsOf({ newestMs: afterMs, evaluator });
    const changes: AlarmChange[] = [];
    const judged = new Set(rulesFor(device).map(({ id }) => id));
    // A rule that was switched off raises nothing and holds nothing open.
    for (const ruleId of raised.filter((id) => !judged.has(id))) {
      evaluator.forget(ruleId);
      changes.push({ type: "cleared", ruleId, severity: "WARN", atMs: now(), sinceMs: now(), suppressed: false });
    }
    for (const input of inputs) {
      // What came late is in the kept state.
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

  /** Times of what came late and waits to be judged as late. */
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
    // States that are not kept yet are newer than those that are.
    await saveStates();
    await dependencies.settled();
    const devices = await log.followed(ids);
    const nowMs = now();
    const afterOf = ({ id, settled, kind }: (typeof devices)[number]): number => {
      if (settled !== null) return Math.max(settled.settledMs, earliestMs);
      return nowMs - (started && !orphans.has(id) ? lateAfterMsOf(kind) : firstLookMs);
    };
    // Before anything of theirs is in the log: from now on they are judged again from here, whatever happens to this server. One that
    // looked back from later would not find what raised an alarm, and raise it a second time.
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
      // What is stored from now on comes through the queue, which waits while its device is taken up.
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
          // Before what came behind it: a device is judged in the order in which its messages came.
          if (held.has(id)) queue.splice(done, 0, ...came);
          // Nobody has the device any more.
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

  /** What is stored is read when its device is taken up, but for what came late: that waits until then. */
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
      // All of it is stored.
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
      // The rows are stored: the device is read again when there is time.
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
        // A state must not know of an alarm that the log does not have.
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

  /** Judges devices that reported lately and are not judged here from what is stored, wherever they were judged before. */
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

    /** Resolves when what came is judged so far that more may come; nothing to wait for where it is. */
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

    /** A person ended an alarm. */
    ended(deviceId: string, ruleId: string): void {
      const followed = held.get(deviceId);
      if (followed === undefined) return;
      followed.evaluator.forget(ruleId);
      followed.dueMs = followed.evaluator.nextDueMs(followed.context);
    },

    /** Another server has the device, or its rules or its place changed: it is taken up anew when it sends, or at once. */
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

    /** Looks once for what ended by time; it happens by itself every 250 ms after `start`. */
    look: tick,
    /** Devices whose rules are being judged here. */
    size: () => held.size,
    /** Resolves when all that came is judged and told. */
    async idle(): Promise<void> {
      while (working || queue.length > 0 || loading !== undefined) {
        await (loading ?? new Promise((resolve) => setImmediate(resolve)));
      }
    },

    /** Takes up all devices that reported lately; `start` does it. */
    takeUp,
    /** Another server is gone, and with it what it was about to judge: devices that nobody here judges are taken up. */
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
