/**
 * The past of the fleet. Simulation runs forward, sending runs backward: a first pass fast-forwards every device and keeps its
 * state at the start of each day; then each day is simulated again from there and sent, newest day of all devices first. So
 * charts fill from today backwards and no more than one device-day is in memory.
 */
import type { ReportedValue } from "@herdwise/device-kinds";
import {
  changesAsJson,
  type DeviceState,
  effectsOf,
  reported,
  stateTime,
  stepDevice,
  stepS,
  type VirtualDevice,
} from "./virtual-device.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const stepMs = stepS * 1000;
const coarseSteps = 5;

/** Most bytes and entries of one message. */
export const maxBytes = 200 * 1024;
export const maxEntries = 60;

/** One device-day to send: from its state at `fromMs` up to and including `toMs`. JSON, so that a restart goes on with it. */
export type BackfillPart = {
  readonly serialNumber: string;
  readonly state: DeviceState;
  readonly toMs: number;
  /** When the back-fill was planned; resolution depends on the age at that time. */
  readonly nowMs: number;
};

/**
 * Fast-forwards a device to its last report time before `nowMs`.
 * @returns its state then, and the parts to send, oldest first
 */
export function planBackfill(
  virtual: VirtualDevice,
  from: DeviceState,
  nowMs: number,
): { state: DeviceState; parts: BackfillPart[] } {
  const parts: BackfillPart[] = [];
  let state = from;
  let start = from;
  const close = (toMs: number): void => {
    if (toMs > stateTime(start)) parts.push({ serialNumber: virtual.device.serialNumber, state: start, toMs, nowMs });
    start = state;
  };
  while (stateTime(state) + stepMs <= nowMs) {
    state = stepDevice(virtual, state).state;
    // Days are counted back from now, so that the newest part is a whole one.
    if (Math.floor((nowMs - stateTime(state)) / dayMs) !== Math.floor((nowMs - stateTime(state) + stepMs) / dayMs)) {
      close(stateTime(state));
    }
  }
  close(stateTime(state));
  return { state: reported(state), parts };
}

/** Whether a time is reported: every minute in the young past, every fifth minute before. */
function spacingAt(virtual: VirtualDevice, atMs: number, nowMs: number): number {
  const young = virtual.kind.kind === "environment" ? dayMs : 2 * hourMs;
  return nowMs - atMs <= young ? stepS : stepS * coarseSteps;
}

/**
 * Simulates a part and returns what it would have sent, oldest first, each record as JSON. Telemetry goes by exception: a value
 * is only sent when it changed, and at the heartbeat (five minutes in the young past, an hour before), which halves what the
 * server has to store; a value that must never be unknown is in every report.
 */
export function renderPart(virtual: VirtualDevice, part: BackfillPart): { entries: string[]; events: string[] } {
  const entries: string[] = [];
  const events: string[] = [];
  const last: (ReportedValue | undefined)[] = [];
  let state = part.state;
  while (stateTime(state) + stepMs <= part.toMs) {
    const step = stepDevice(virtual, state);
    state = step.state;
    const atMs = stateTime(state);
    if (effectsOf(virtual, atMs).silent) continue;
    const spacingS = spacingAt(virtual, atMs, part.nowMs);
    const minute = Math.floor(atMs / stepMs);
    // Gear changes come by the hundred a day; only the young ones are worth their place.
    for (const event of step.events) {
      if (event.type !== "gear_change" || spacingS === stepS) events.push(JSON.stringify(event));
    }
    if (spacingS !== stepS && minute % coarseSteps !== 0) continue;
    const heartbeat = minute % (spacingS === stepS ? coarseSteps : 60) === 0;
    const changed = changesAsJson(virtual, atMs, step.read(), spacingS, last, heartbeat);
    if (changed !== undefined) entries.push(changed);
    state = reported(state);
  }
  return { entries, events };
}

/** Joins records, each in JSON, to lists within the limits of size and number. */
export function splitMessages(list: readonly string[], bytes = maxBytes, count = maxEntries): string[] {
  const messages: string[] = [];
  let open: string[] = [];
  let size = 2;
  for (const text of list) {
    const length = Buffer.byteLength(text) + 1;
    if (open.length > 0 && (open.length >= count || size + length > bytes)) {
      messages.push(`[${open.join(",")}]`);
      open = [];
      size = 2;
    }
    open.push(text);
    size += length;
  }
  if (open.length > 0) messages.push(`[${open.join(",")}]`);
  return messages;
}

/** Newest day first, over all devices; inside a day in the order of the fleet. */
export const newestFirst = (parts: readonly BackfillPart[]): BackfillPart[] =>
  parts
    .map((part) => ({ part, age: Math.round((part.nowMs - part.toMs) / dayMs) }))
    .sort((a, b) => a.age - b.age)
    .map(({ part }) => part);
