import type { DriverEntry, DriverTrip } from "@herdwise/contract";

/** Something that waits on the phone to be sent. */
export interface Waiting extends DriverEntry {
  /** Secret of the link that it belongs to. */
  link: string;
  photo?: Blob;
}

interface KeptTrip {
  link: string;
  trip: DriverTrip;
}

/** What nobody came back to send, ms: links of last week are over. */
const mostMs = 7 * 86_400_000;

const settled = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const opened = (): Promise<IDBDatabase> => {
  const request = indexedDB.open("herdwise-driver", 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("entries", { keyPath: "key" });
    request.result.createObjectStore("trips", { keyPath: "link" });
  };
  return settled(request);
};

/** What a phone keeps of its trips: in its database, or in memory where a browser has none to give. */
export async function openKept() {
  const database = await opened().catch(() => undefined);
  const memory = { entries: new Map<string, Waiting>(), trips: new Map<string, KeptTrip>() };
  const store = (name: "entries" | "trips", mode: IDBTransactionMode) =>
    database?.transaction(name, mode).objectStore(name);
  const put = async (name: "entries" | "trips", key: string, value: Waiting | KeptTrip): Promise<void> => {
    const held = store(name, "readwrite");
    if (held) await settled(held.put(value));
    else memory[name].set(key, value as never);
  };
  const kept = {
    /** Whether it outlives the page. */
    lasting: database !== undefined,

    /** What waits for a link, in the order in which it was done. */
    async waiting(link: string): Promise<Waiting[]> {
      const held = store("entries", "readonly");
      const all = held ? ((await settled(held.getAll())) as Waiting[]) : [...memory.entries.values()];
      return all.filter((one) => one.link === link).sort((a, b) => a.atMs - b.atMs);
    },
    add: (entry: Waiting): Promise<void> => put("entries", entry.key, entry),
    async remove(keys: readonly string[]): Promise<void> {
      for (const key of keys) {
        const held = store("entries", "readwrite");
        if (held) await settled(held.delete(key));
        else memory.entries.delete(key);
      }
    },

    async trip(link: string): Promise<DriverTrip | undefined> {
      const held = store("trips", "readonly");
      const found = held ? ((await settled(held.get(link))) as KeptTrip | undefined) : memory.trips.get(link);
      return found?.trip;
    },
    keepTrip: (link: string, trip: DriverTrip): Promise<void> => put("trips", link, { link, trip }),

    /** Removes what is too old to be sent. */
    async forgetOld(nowMs: number): Promise<void> {
      const held = store("entries", "readonly");
      const all = held ? ((await settled(held.getAll())) as Waiting[]) : [];
      await kept.remove(all.filter(({ atMs }) => nowMs - atMs > mostMs).map(({ key }) => key));
    },
  };
  return kept;
}
export type DriverKept = Awaited<ReturnType<typeof openKept>>;
