import {
  type DriverEntry,
  type DriverOutcome,
  type DriverTrip,
  driverLinkHeader,
  driverOpen,
  driverPhoto,
  driverSend,
  mostDriverEntries,
} from "@herdwise/contract";
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { ApiError, asApiError } from "../shared/api/api-error.ts";
import { noteReach, reach } from "../shared/api/reach.ts";
import { addressOf, send } from "../shared/api/send.ts";
import { uploadFile } from "../shared/api/upload-file.ts";
import { type DriverKept, openKept, type Waiting } from "./kept.ts";
import { scaled } from "./photo.ts";

const everyMs = 20_000;
const shownOutcomes = 5;

/** What a driver did, before it has a key and a time. */
export type Done = Omit<DriverEntry, "key" | "atMs" | "photoKey"> & { photo?: Blob };
type Told = DriverOutcome & Pick<DriverEntry, "act" | "atMs">;

export interface Driver {
  trip: DriverTrip | undefined;
  waiting: readonly Waiting[];
  outcomes: readonly Told[];
  /** Why the link can't be used: it is over or wrong, or another phone has it. */
  ended: "unknown" | "other_phone" | undefined;
  /** What else the server said. */
  problem: string | undefined;
  /** Since when the server is not heard, ms since 1970. */
  lostAtMs: number | undefined;
  /** Whether what waits outlives the page; undefined before it is known. */
  lasting: boolean | undefined;
  act: (done: Done) => Promise<void>;
  /** @returns the photo as it is kept and sent; undefined where the file is no picture */
  shrink: (file: Blob) => Promise<Blob | undefined>;
  reload: () => void;
}

/**
 * The trip of a link, and what waits on the phone. Everything goes through the queue: with a network it leaves at once, else when it is
 * back. The server counts each key once.
 * @param link the secret; "" before the address was read
 */
export function useDriver(link: string): Driver {
  const kept = useRef<Promise<DriverKept>>(undefined);
  const [trip, setTrip] = useState<DriverTrip>();
  const [waiting, setWaiting] = useState<readonly Waiting[]>([]);
  const [outcomes, setOutcomes] = useState<readonly Told[]>([]);
  const [ended, setEnded] = useState<Driver["ended"]>();
  const [problem, setProblem] = useState<string>();
  const [lasting, setLasting] = useState<boolean>();
  const lostAtMs = useSyncExternalStore(reach.subscribe, reach.lostAtMs, () => undefined);
  const busy = useRef(false);
  const claimed = useRef(false);

  const store = useCallback((): Promise<DriverKept> => {
    kept.current ??= openKept();
    return kept.current;
  }, []);

  const round = useCallback(async (): Promise<void> => {
    if (link === "" || busy.current) return;
    busy.current = true;
    const headers = { [driverLinkHeader]: link };
    const keep = async (fresh: DriverTrip): Promise<void> => {
      setTrip(fresh);
      await (await store()).keepTrip(link, fresh);
    };
    try {
      const own = await store();
      if (!claimed.current) {
        await keep(await send(driverOpen, { body: {}, headers }));
        claimed.current = true;
      }
      for (;;) {
        const batch = (await own.waiting(link)).slice(0, mostDriverEntries);
        for (const { photo, photoKey } of batch) {
          if (!photo || !photoKey) continue;
          const file = new File([photo], "photo.jpg", { type: "image/jpeg" });
          await uploadFile(addressOf(driverPhoto, { key: photoKey }), file, headers).catch((reason) => {
            // What is no picture is refused with its entry, which says so.
            if (!(reason instanceof ApiError) || reason.code !== 400) throw reason;
          });
        }
        const entries = batch.map(({ link: _link, photo: _photo, ...entry }) => entry);
        const answer = await send(driverSend, { body: { entries }, headers });
        await own.remove(answer.outcomes.map(({ key }) => key));
        const told = answer.outcomes.flatMap((outcome) => {
          const of = batch.find(({ key }) => key === outcome.key);
          return of && of.act !== "position" ? [{ ...outcome, act: of.act, atMs: of.atMs }] : [];
        });
        setOutcomes((now) => [...told.toReversed(), ...now].slice(0, shownOutcomes));
        await keep(answer.trip);
        const left = await own.waiting(link);
        setWaiting(left);
        if (left.length === 0 || answer.outcomes.length === 0) break;
      }
      setProblem(undefined);
      setEnded(undefined);
    } catch (reason) {
      const error = asApiError(reason);
      if (!(reason instanceof ApiError)) noteReach(false);
      if (error.code === 404) setEnded("unknown");
      else if (error.code === 409) setEnded("other_phone");
      // Without an answer the bar below says so.
      else if (error.code !== 0) setProblem(error.message);
    } finally {
      busy.current = false;
    }
  }, [link, store]);

  useEffect(() => {
    if (link === "") return;
    claimed.current = false;
    void store().then(async (own) => {
      setLasting(own.lasting);
      await own.forgetOld(Date.now());
      setWaiting(await own.waiting(link));
      const known = await own.trip(link);
      if (known) setTrip((now) => now ?? known);
      await round();
    });
    const look = (): void => {
      if (document.visibilityState === "visible") void round();
    };
    const timer = setInterval(look, everyMs);
    window.addEventListener("online", look);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      window.removeEventListener("online", look);
      document.removeEventListener("visibilitychange", look);
    };
  }, [link, store, round]);

  const act = useCallback(
    async ({ photo, ...done }: Done): Promise<void> => {
      const own = await store();
      const photoKey = photo && crypto.randomUUID();
      await own.add({
        ...done,
        key: crypto.randomUUID(),
        atMs: Date.now(),
        link,
        ...(photo && photoKey && { photo, photoKey }),
      });
      setWaiting(await own.waiting(link));
      void round();
    },
    [link, store, round],
  );
  return {
    trip,
    waiting,
    outcomes,
    ended,
    problem,
    lostAtMs,
    lasting,
    act,
    shrink: (file) => scaled(file).catch(() => undefined),
    reload: () => void round(),
  };
}
