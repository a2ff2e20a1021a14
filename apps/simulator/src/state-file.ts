/** What the simulator remembers between two runs. */
import { readFile, rename, writeFile } from "node:fs/promises";
import type { BackfillPart } from "./backfill.ts";
import type { ScenarioRun } from "./scenarios.ts";
import type { DeviceState } from "./virtual-device.ts";

export type SavedState = {
  readonly version: 1;
  readonly seed: number;
  /** By serial number. */
  readonly devices: Readonly<Record<string, DeviceState>>;
  /** Back-fill that was not yet acknowledged. */
  readonly backfill: readonly BackfillPart[];
  /** Scenarios by serial number; older versions had none. */
  readonly running?: Readonly<Record<string, readonly ScenarioRun[]>>;
};

/** Undefined when there is no file; an unreadable one is an error, so that nothing is overwritten by mistake. */
export async function loadState(path: string): Promise<SavedState | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  const saved: SavedState = JSON.parse(text);
  if (saved.version !== 1)
    throw new Error(`${path} was written by another version of the simulator; remove it to start anew`);
  return saved;
}

/** Written beside and renamed, so that a crash leaves the old or the new file, never half of one. */
export async function saveState(path: string, state: SavedState): Promise<void> {
  const draft = `${path}.${process.pid}.draft`;
  await writeFile(draft, JSON.stringify(state));
  await rename(draft, path);
}
