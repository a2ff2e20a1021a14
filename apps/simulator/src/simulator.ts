/** The fleet as a whole: fast-forward, live reports, back-fill behind them, saving. */
import { setImmediate as breathe, setTimeout as sleep } from "node:timers/promises";
import { type BackfillPart, newestFirst, planBackfill, renderPart, splitMessages } from "./backfill.ts";
import { demoPlan } from "./demo-plan.ts";
import { type DeviceLink, deviceLink } from "./device-link.ts";
import type { Fleet } from "./fleet.ts";
import { type ScenarioRun, scenarioOf } from "./scenarios.ts";
import { loadState, saveState } from "./state-file.ts";
import { initialState, reportTimeBefore, stateTime, type VirtualDevice, virtualDevice } from "./virtual-device.ts";

export type SimulatorOptions = {
  readonly fleet: Fleet;
  readonly mqttUrl: string;
  readonly statePath: string;
  readonly backfillDays: number;
  readonly speed: number;
  /** Scenarios to begin with, instead of those of the demo and those of the last run. */
  readonly begin?: readonly ScenarioChoice[];
  readonly print: (line: string) => void;
  readonly onError: (line: string) => void;
};

/** A scenario for a device. */
export type ScenarioChoice = { readonly serialNumber: string; readonly scenario: string };

/** A scenario that runs, in the time of the clock. */
type RunningScenario = {
  readonly scenario: string;
  readonly startedAtMs: number;
  /** Null where it runs until it is stopped. */
  readonly endsAtMs: number | null;
  readonly speed: number;
};

type SimulatorStatus = {
  readonly devices: readonly {
    readonly serialNumber: string;
    readonly kind: string;
    readonly running: readonly RunningScenario[];
  }[];
};

export type Simulator = {
  /**
   * Starts a scenario on a device, from its beginning if it runs.
   * @param speed how many times as fast as declared it unfolds
   * @returns what is wrong with the choice, if anything is
   */
  readonly startScenario: (choice: ScenarioChoice, speed?: number) => string | undefined;
  /** Ends it. @returns what is wrong with the choice, if anything is */
  readonly stopScenario: (choice: ScenarioChoice) => string | undefined;
  readonly status: () => SimulatorStatus;
  /** Resolves when the back-fill is done or stopped. */
  readonly backfill: Promise<void>;
  readonly stop: () => Promise<void>;
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** What the demo shows began so long ago, so that charts show how it began. */
const demoSinceMs = 8 * hourMs;
/** Scenarios of a device that are remembered, with those that are over. */
const keptRuns = 20;
/** Before the first day of the past, so that gases and temperatures have found their place. */
const warmUpMs = 2 * 3_600_000;
const saveEveryMs = 60_000;
/** Messages of the back-fill in flight at once, over all devices: the server keeps room for the living. */
const maxInFlight = 4;
/** While no device of those left is connected, the back-fill looks again after this time, this often; then the next start goes on. */
const idleMs = 1000;
const maxIdle = 1800;

/** The scenarios of each device at the start: those that were chosen, else those of the last run, else those of the demo. */
function firstRuns(
  { fleet, begin = [] }: SimulatorOptions,
  saved: Readonly<Record<string, readonly ScenarioRun[]>> | undefined,
  nowMs: number,
): Readonly<Record<string, readonly ScenarioRun[]>> {
  if (begin.length > 0) {
    const runs: Record<string, ScenarioRun[]> = {};
    for (const { serialNumber, scenario } of begin) {
      const untilMs = nowMs + (scenarioOf(scenario)?.lastsH ?? 0) * hourMs;
      runs[serialNumber] = [...(runs[serialNumber] ?? []), { name: scenario, fromMs: nowMs, untilMs }];
    }
    return runs;
  }
  if (saved !== undefined) return saved;
  return Object.fromEntries(
    [...demoPlan(fleet)].map(([serialNumber, name]) => [
      serialNumber,
      [{ name, fromMs: nowMs - demoSinceMs, untilMs: null }],
    ]),
  );
}

export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { fleet, print, onError } = options;
  const loaded = await loadState(options.statePath);
  // Another seed is another world; its states would not fit.
  const saved = loaded?.seed === fleet.seed ? loaded : undefined;
  const nowMs = Date.now();
  const running = firstRuns(options, saved?.running, nowMs);
  const virtuals = new Map<string, VirtualDevice>(
    fleet.devices.map((device) => [
      device.serialNumber,
      virtualDevice(device, fleet.seed, running[device.serialNumber]),
    ]),
  );
  const oldestMs = nowMs - options.backfillDays * dayMs;
  const links: DeviceLink[] = [];
  const linkOf = new Map<string, DeviceLink>();
  let pending: BackfillPart[] = [...(saved?.backfill ?? [])].filter(
    ({ serialNumber, toMs }) => virtuals.has(serialNumber) && toMs >= oldestMs,
  );
  let stopped = false;
  const halted = Promise.withResolvers<void>();
  let saving: Promise<void> = Promise.resolve();

  const save = (): Promise<void> => {
    // Devices that have not started yet keep what was saved of them.
    const devices = {
      ...saved?.devices,
      ...Object.fromEntries(links.map((link) => [link.serialNumber, link.state()])),
    };
    const runs = Object.fromEntries([...virtuals].map(([serialNumber, { scenarios }]) => [serialNumber, scenarios]));
    // One writer at a time; a slow disk must not mix two versions.
    saving = saving
      .then(() =>
        saveState(options.statePath, { version: 1, seed: fleet.seed, devices, backfill: pending, running: runs }),
      )
      .catch((error: unknown) => onError(`Cannot save the state: ${String(error)}`));
    return saving;
  };

  const run = async (): Promise<void> => {
    for (const virtual of virtuals.values()) {
      if (stopped) return;
      const { serialNumber } = virtual.device;
      const kept = saved?.devices[serialNumber];
      const known = kept && (kept.of === "unit") === (virtual.model.of === "unit") ? kept : undefined;
      let from = known;
      const { fresh = false } = virtual.device;
      if (!from || stateTime(from) < oldestMs || stateTime(from) > nowMs) {
        const first = reportTimeBefore(virtual, fresh ? nowMs : oldestMs);
        const cold = initialState(virtual, first - warmUpMs);
        from = planBackfill(virtual, cold, first).state;
      }
      const plan = planBackfill(virtual, from, nowMs);
      if (options.backfillDays > 0 && !fresh) pending.push(...plan.parts);
      const link = deviceLink({
        virtual,
        state: plan.state,
        url: options.mqttUrl,
        speed: options.speed,
        onError,
      });
      links.push(link);
      linkOf.set(serialNumber, link);
      link.start();
      await breathe();
    }
    pending = newestFirst(pending);
    const total = pending.length;
    if (total === 0) return;
    print(`Back-fill: ${virtuals.size} devices, ${total} device-days to send`);
    const startedMs = Date.now();
    const cpuBefore = process.cpuUsage();
    let entryCount = 0;
    let eventCount = 0;
    let messageCount = 0;
    const sendPart = async (virtual: VirtualDevice, link: DeviceLink, part: BackfillPart): Promise<void> => {
      const { entries, events } = renderPart(virtual, part);
      const open = new Set<Promise<void>>();
      let failure: unknown;
      const send = async (topic: "telemetry" | "events", list: readonly string[]): Promise<void> => {
        for (const message of splitMessages(list)) {
          if (failure !== undefined) return;
          const sent: Promise<void> = link
            .publish(topic, message)
            .catch((error: unknown) => {
              failure ??= error;
            })
            .finally(() => open.delete(sent));
          open.add(sent);
          messageCount += 1;
          if (open.size >= maxInFlight) await Promise.race(open);
        }
      };
      // The newest event first: whoever takes only some of them must not find the last record missing.
      await send("events", events.toReversed());
      await Promise.all(open);
      await send("telemetry", entries);
      await Promise.all(open);
      if (failure !== undefined) throw failure;
      entryCount += entries.length;
      eventCount += events.length;
    };
    const queue = [...pending];
    for (let idle = 0; queue.length > 0 && !stopped; ) {
      // A device that is away must not hold up the others; its days wait until it is back.
      const index = queue.findIndex(({ serialNumber }) => linkOf.get(serialNumber)?.connected() === true);
      const part = queue[index];
      const virtual = part && virtuals.get(part.serialNumber);
      const link = part && linkOf.get(part.serialNumber);
      if (!part || !virtual || !link) {
        idle += 1;
        if (idle > maxIdle) break;
        await Promise.race([sleep(idleMs), halted.promise]);
        continue;
      }
      idle = 0;
      try {
        await sendPart(virtual, link, part);
        queue.splice(index, 1);
        pending = pending.filter((each) => each !== part);
      } catch {
        // The connection broke. What arrived arrives again, which changes nothing: one row per device, key and time.
        await Promise.race([sleep(idleMs), halted.promise]);
      }
      await breathe();
    }
    if (stopped) return;
    const cpu = process.cpuUsage(cpuBefore);
    const left = queue.length > 0 ? `, ${queue.length} device-days left for the next start` : "";
    print(
      `Back-fill done: ${entryCount} reports and ${eventCount} events in ${messageCount} messages, ` +
        `${((Date.now() - startedMs) / 1000).toFixed(1)} s, CPU ${((cpu.user + cpu.system) / 1e6).toFixed(1)} s${left}`,
    );
    await save();
  };

  /** The device's own time; it runs ahead of the clock at a speed above 1. */
  const deviceTime = (serialNumber: string): number => {
    const link = linkOf.get(serialNumber);
    return link === undefined ? Date.now() : stateTime(link.state());
  };

  const chosen = ({ serialNumber, scenario }: ScenarioChoice): VirtualDevice | string => {
    const virtual = virtuals.get(serialNumber);
    if (virtual === undefined) return `There is no device ${serialNumber}`;
    const declared = scenarioOf(scenario);
    if (declared === undefined) return `There is no scenario ${scenario}`;
    return declared.kinds.includes(virtual.device.kind) ? virtual : `${scenario} is not for ${virtual.device.kind}`;
  };

  /** Ends a scenario that runs at a time. */
  const end = ({ scenarios }: VirtualDevice, name: string, atMs: number): void => {
    const at = scenarios.findIndex(
      (run) => run.name === name && run.fromMs <= atMs && (run.untilMs === null || run.untilMs > atMs),
    );
    const run = scenarios[at];
    if (run !== undefined) scenarios[at] = { ...run, untilMs: atMs };
  };

  const startScenario = (choice: ScenarioChoice, speed = 1): string | undefined => {
    const virtual = chosen(choice);
    if (typeof virtual === "string") return virtual;
    const fromMs = deviceTime(choice.serialNumber);
    end(virtual, choice.scenario, fromMs);
    const untilMs = fromMs + (scenarioOf(choice.scenario)?.lastsH ?? 0) * hourMs;
    virtual.scenarios.push({ name: choice.scenario, fromMs, untilMs, speed });
    if (virtual.scenarios.length > keptRuns) virtual.scenarios.shift();
    return undefined;
  };

  const stopScenario = (choice: ScenarioChoice): string | undefined => {
    const virtual = chosen(choice);
    if (typeof virtual === "string") return virtual;
    end(virtual, choice.scenario, deviceTime(choice.serialNumber));
    return undefined;
  };

  const status = (): SimulatorStatus => ({
    devices: [...virtuals.values()].map(({ device, scenarios: runs }) => {
      const atMs = deviceTime(device.serialNumber);
      const byClock = (ms: number): number => Math.round(Date.now() + (ms - atMs) / options.speed);
      return {
        serialNumber: device.serialNumber,
        kind: device.kind,
        running: runs
          .filter(({ fromMs, untilMs }) => fromMs <= atMs && (untilMs === null || untilMs > atMs))
          .map(({ name, fromMs, untilMs, speed = 1 }) => ({
            scenario: name,
            speed,
            startedAtMs: byClock(fromMs),
            endsAtMs: untilMs === null ? null : byClock(untilMs),
          })),
      };
    }),
  });

  const saveTimer = setInterval(save, saveEveryMs);
  const backfill = run();
  return {
    startScenario,
    stopScenario,
    status,
    backfill,
    stop: async () => {
      stopped = true;
      halted.resolve();
      clearInterval(saveTimer);
      await Promise.all(links.map((link) => link.stop()));
      await Promise.race([backfill.catch(() => undefined), sleep(3000, undefined, { ref: false })]);
      await save();
    },
  };
}
