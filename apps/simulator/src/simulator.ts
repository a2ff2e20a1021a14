/** The fleet as a whole: fast-forward, live reports, back-fill behind them, saving. */
import { setImmediate as breathe, setTimeout as sleep } from "node:timers/promises";
import { type BackfillPart, newestFirst, planBackfill, renderPart, splitMessages } from "./backfill.ts";
import { type DeviceLink, deviceLink } from "./device-link.ts";
import type { Fleet } from "./fleet.ts";
import { incidentsOf } from "./incidents.ts";
import { loadState, saveState } from "./state-file.ts";
import { initialState, reportTimeBefore, stateTime, type VirtualDevice, virtualDevice } from "./virtual-device.ts";

export type SimulatorOptions = {
  readonly fleet: Fleet;
  readonly mqttUrl: string;
  readonly statePath: string;
  readonly backfillDays: number;
  readonly speed: number;
  readonly print: (line: string) => void;
  readonly onError: (line: string) => void;
};

export type Simulator = {
  /** Resolves when the back-fill is done or stopped. */
  readonly backfill: Promise<void>;
  readonly stop: () => Promise<void>;
};

const dayMs = 86_400_000;
/** Before the first day of the past, so that gases and temperatures have found their place. */
const warmUpMs = 2 * 3_600_000;
const saveEveryMs = 60_000;
/** Messages of the back-fill in flight at once, over all devices: the server keeps room for the living. */
const maxInFlight = 4;
/** While no device of those left is connected, the back-fill looks again after this time, this often; then the next start goes on. */
const idleMs = 1000;
const maxIdle = 1800;

export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { fleet, print, onError } = options;
  const incidents = incidentsOf(fleet);
  const virtuals = new Map<string, VirtualDevice>(
    fleet.devices.map((device) => [
      device.serialNumber,
      virtualDevice(device, fleet.seed, incidents.get(device.serialNumber)),
    ]),
  );
  const loaded = await loadState(options.statePath);
  // Another seed is another world; its states would not fit.
  const saved = loaded?.seed === fleet.seed ? loaded : undefined;
  const nowMs = Date.now();
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
    // One writer at a time; a slow disk must not mix two versions.
    saving = saving
      .then(() => saveState(options.statePath, { version: 1, seed: fleet.seed, devices, backfill: pending }))
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
      if (!from || stateTime(from) < oldestMs || stateTime(from) > nowMs) {
        const first = reportTimeBefore(virtual, oldestMs);
        const cold = initialState(virtual, first - warmUpMs);
        from = planBackfill(virtual, cold, first).state;
      }
      const plan = planBackfill(virtual, from, nowMs);
      if (options.backfillDays > 0) pending.push(...plan.parts);
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
      await send("telemetry", entries);
      await send("events", events);
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

  const saveTimer = setInterval(save, saveEveryMs);
  const backfill = run();
  return {
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
