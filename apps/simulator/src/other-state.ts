/** What a device other than an environment controller remembers between two steps, and what it tells. */

/** JSON. */
export type OtherState = {
  readonly atMs: number;
  /** Counters, levels and what was ordered; plain numbers under names of their own kind. */
  readonly counters: Readonly<Record<string, number>>;
  /** Parameters that somebody set, by key. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** What was ordered in words, and goes into later events. */
  readonly words?: Readonly<Record<string, string>>;
  /** An injector's log: its last shots. */
  readonly shots?: readonly DeviceEvent[];
};

export type DeviceEvent = {
  readonly ts: number;
  readonly type: string;
  readonly id: string;
  readonly [field: string]: unknown;
};
