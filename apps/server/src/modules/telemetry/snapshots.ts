import type { Readings } from "@herdwise/contract";

/** Devices that are read by one query. */
const readAtOnce = 1000;

interface Waiting {
  readonly ids: readonly string[];
  resolve(readings: Map<string, Readings>): void;
  reject(error: unknown): void;
}

/**
 * Reads the newest readings for streams that open: one query at a time for all waiting streams, which share its result.
 * @param read queries these devices
 */
export function createSnapshots(read: (ids: readonly string[]) => Promise<Map<string, Readings>>) {
  const waiting: Waiting[] = [];
  let reading = false;

  const nextBatch = (): { batch: Waiting[]; ids: Set<string> } => {
    const ids = new Set<string>();
    const batch: Waiting[] = [];
    for (let next = waiting[0]; next !== undefined && ids.size < readAtOnce; next = waiting[0]) {
      for (const id of next.ids) ids.add(id);
      batch.push(next);
      waiting.shift();
    }
    return { batch, ids };
  };
  const work = async () => {
    reading = true;
    while (waiting.length > 0) {
      const { batch, ids } = nextBatch();
      try {
        const found = await read([...ids]);
        for (const one of batch)
          one.resolve(new Map(one.ids.flatMap((id) => [[id, found.get(id)] as const]).filter(isFound)));
      } catch (error) {
        for (const one of batch) one.reject(error);
      }
    }
    reading = false;
  };

  return {
    /** Newest readings of these devices, read after the call. */
    of: (ids: readonly string[]): Promise<Map<string, Readings>> =>
      new Promise((resolve, reject) => {
        waiting.push({ ids, resolve, reject });
        if (!reading) void work();
      }),
  };
}

const isFound = (entry: readonly [string, Readings | undefined]): entry is readonly [string, Readings] =>
  entry[1] !== undefined;
