import type { Alarm, FieldAction, FieldOutcome, KindUnit } from "@herdwise/contract";
import { draftPrefix } from "../../shared/session/storage.ts";

/** A unit as it was told last, with the values of its climate. */
export interface BarnUnit {
  farmName: string;
  houseId: string;
  houseName: string;
  unit: KindUnit;
}

export type BarnAlarm = Pick<
  Alarm,
  | "id"
  | "kind"
  | "ruleId"
  | "ruleName"
  | "sentence"
  | "severity"
  | "unitId"
  | "houseName"
  | "unitName"
  | "deviceName"
  | "raisedMs"
  | "known"
  | "state"
>;

export interface Kept {
  /** When the server told it, ms since 1970. */
  atMs: number;
  /** All that there are, also those whose units are not kept. */
  houses: Pick<BarnUnit, "houseId" | "houseName" | "farmName">[];
  units: BarnUnit[];
  alarms: BarnAlarm[];
}

/** An action that waits for the network, with what it is about in words. */
export interface Queued extends FieldAction {
  about: string;
}

export type Outcome = FieldOutcome & { about: string; type: FieldAction["type"]; atMs: number };

/** What waits is typed work: a session that ends leaves it for the same person, a log-out does not. */
const queuePrefix = `${draftPrefix}barn_`;
const valuesPrefix = "barn_values_";
/** What nobody came back to send, days: a barn of last week is another. */
const mostDays = 7;
const dayMs = 86_400_000;

const read = <Value>(key: string): Value | undefined => {
  try {
    const text = localStorage.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as Value);
  } catch {
    return undefined;
  }
};
const write = (key: string, value: unknown): void => {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A full phone shows what it has; it can't keep it.
  }
};

/** What a phone keeps for one account in one tenant. Nobody else finds it: the owner is a part of its name. */
export function keptFor(owner: string) {
  return {
    values(): Kept | undefined {
      const kept = read<Kept>(valuesPrefix + owner);
      // What an older page kept can't be judged.
      return kept?.units.every((held) => held.unit !== undefined) ? kept : undefined;
    },
    keepValues: (values: Kept): void => write(valuesPrefix + owner, values),
    queue: (nowMs: number): Queued[] =>
      (read<Queued[]>(queuePrefix + owner) ?? []).filter(({ atMs }) => nowMs - atMs < mostDays * dayMs),
    keepQueue: (queue: readonly Queued[]): void => {
      if (queue.length === 0) localStorage.removeItem(queuePrefix + owner);
      else write(queuePrefix + owner, queue);
    },
  };
}

/** Removes values that were kept for others on this phone; what they queued stays theirs until it is too old. */
export function forgetOthers(owner: string, nowMs: number): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(valuesPrefix) && key !== valuesPrefix + owner) localStorage.removeItem(key);
    if (!key.startsWith(queuePrefix) || key === queuePrefix + owner) continue;
    const other = key.slice(queuePrefix.length);
    if (keptFor(other).queue(nowMs).length === 0) localStorage.removeItem(key);
  }
}
