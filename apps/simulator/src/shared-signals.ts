/** The channels every device reports about itself, and the marks for portable ones. */
import type { ReportedValue } from "@herdwise/device-kinds";
import { drift, mix, normal } from "./random.ts";
import { clockHour } from "./weather.ts";

const firstBoot = Date.UTC(2026, 0, 1);

/** Radio, supply, uptime, firmware, clock. */
export function sharedSignals(
  seed: number,
  atMs: number,
  firmwareVersion: string,
  pending: number,
): Record<string, ReportedValue> {
  const minute = Math.floor(atMs / 60_000);
  // Devices restart about every forty days, each on its own day.
  const runMs = (30 + (mix(seed, 0, 90) % 20)) * 86_400_000;
  return {
    rssi: -62 - (mix(seed, 0, 91) % 22) + 2 * normal(seed, minute, 92),
    supply_v: 24 + 0.15 * drift(seed, atMs, 3600, 93),
    uptime: ((atMs - firstBoot + mix(seed, 0, 94)) % runMs) / 1000,
    fw: firmwareVersion,
    clock_offset: 0.6 * drift(seed, atMs, 43_200, 95),
    buf_pending: pending,
  };
}

/** Battery of a portable device in %: down over the working day, charged over night. */
export function battery(seed: number, atMs: number): number {
  const hour = clockHour(atMs);
  const used = hour < 7 ? 0 : hour < 18 ? (hour - 7) / 11 : (24 - hour) / 6;
  return 98 - (28 + (mix(seed, Math.floor(atMs / 86_400_000), 96) % 18)) * Math.max(0, Math.min(1, used));
}
