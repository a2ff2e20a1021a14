import type { LiveEvent } from "@herdwise/contract";
import { useEffect, useRef } from "react";

/** A command of a device came to another state, or something became of its settings. */
export type DeviceSignal = Extract<LiveEvent, { type: "command" | "parameter" }>;

const listeners = new Map<string, Set<(signal: DeviceSignal) => void>>();

/** Hands on what the page's stream of live values tells beside them. */
export function signal(told: DeviceSignal): void {
  for (const listener of listeners.get(told.id) ?? []) listener(told);
}

/** Hears what becomes of a device's commands and settings, on a page that follows the device with `useLiveReadings`. */
export function useDeviceSignals(deviceId: string, onSignal: (signal: DeviceSignal) => void): void {
  const latest = useRef(onSignal);
  latest.current = onSignal;
  useEffect(() => {
    const listener = (told: DeviceSignal): void => latest.current(told);
    const held = listeners.get(deviceId) ?? new Set();
    listeners.set(deviceId, held.add(listener));
    return () => {
      held.delete(listener);
      if (held.size === 0) listeners.delete(deviceId);
    };
  }, [deviceId]);
}
