import {
  type Alarm,
  alarmOpen,
  type FieldAction,
  fieldActionSubmit,
  kindOverview,
  mostFieldActions,
} from "@herdwise/contract";
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { reach } from "../../shared/api/reach.ts";
import { type BarnAlarm, forgetOthers, type Kept, keptFor, type Outcome, type Queued } from "./kept.ts";

const askEveryMs = 15_000;
const shownOutcomes = 5;

const barnAlarm = (alarm: Alarm): BarnAlarm => {
  const { id, kind, ruleId, ruleName, sentence, severity, unitId, houseName, unitName, deviceName } = alarm;
  const { raisedMs, state, known } = alarm;
  return {
    id,
    kind,
    ruleId,
    ruleName,
    sentence,
    severity,
    unitId,
    houseName,
    unitName,
    deviceName,
    raisedMs,
    state,
    ...(known && { known }),
  };
};

async function load(houseId: string): Promise<Kept> {
  const [farms, { alarms }] = await Promise.all([
    call(kindOverview, { query: { kind: "environment", ...(houseId !== "" && { place: houseId }) }, quiet: true }),
    call(alarmOpen, { query: {}, quiet: true }),
  ]);
  return {
    atMs: Date.now(),
    houses: farms.flatMap((farm) =>
      farm.houses.map((house) => ({ houseId: house.id, houseName: house.name, farmName: farm.name })),
    ),
    units: farms.flatMap((farm) =>
      farm.houses.flatMap((house) =>
        house.units.map((unit) => ({ farmName: farm.name, houseId: house.id, houseName: house.name, unit })),
      ),
    ),
    alarms: alarms.map(barnAlarm),
  };
}

export interface Barn {
  kept: Kept | undefined;
  /** Since when the server is not heard, ms since 1970. */
  lostAtMs: number | undefined;
  /** What the server refused; what is kept stays. */
  problem: string | undefined;
  queue: readonly Queued[];
  outcomes: readonly Outcome[];
  act: (action: Pick<FieldAction, "type" | "alarmId" | "text">, about: string) => void;
  takeBack: (key: string) => void;
  reload: () => void;
}

/**
 * The barns of a person as they were told last, and what waits to be sent. Everything that is done goes through the queue: with a
 * network it leaves at once, without one when it is back. The server does each key once.
 * @param owner account and tenant that everything is kept for
 * @param houseId the house that was chosen: where there are too many units, only its own are told; "" for none
 */
export function useBarn(owner: string, houseId: string): Barn {
  const store = useMemo(() => keptFor(owner), [owner]);
  const [kept, setKept] = useState<Kept | undefined>(() => store.values());
  const [queue, setQueue] = useState<readonly Queued[]>(() => store.queue(Date.now()));
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const [problem, setProblem] = useState<string>();
  const lostAtMs = useSyncExternalStore(reach.subscribe, reach.lostAtMs, () => undefined);
  const sending = useRef(false);
  /** The house that is asked for now. */
  const asking = useRef<string>(undefined);
  const wanted = useRef(houseId);
  wanted.current = houseId;

  const changeQueue = useCallback(
    (change: (queue: readonly Queued[]) => readonly Queued[]): void => {
      // Another tab may have queued meanwhile: what is stored counts.
      const next = change(store.queue(Date.now()));
      store.keepQueue(next);
      setQueue(next);
    },
    [store],
  );

  const ask = useCallback(async (): Promise<void> => {
    if (asking.current === houseId) return;
    asking.current = houseId;
    try {
      const fresh = await load(houseId);
      // Another house was chosen meanwhile, and is asked for.
      if (wanted.current !== houseId) return;
      store.keepValues(fresh);
      setKept(fresh);
      setProblem(undefined);
    } catch (reason) {
      const error = asApiError(reason);
      // Without an answer the banner says so.
      if (error.code !== 0) setProblem(error.message);
    } finally {
      if (asking.current === houseId) asking.current = undefined;
    }
  }, [store, houseId]);

  const send = useCallback(async (): Promise<void> => {
    const waiting = store.queue(Date.now()).slice(0, mostFieldActions);
    if (sending.current || waiting.length === 0) return;
    sending.current = true;
    try {
      const actions = waiting.map(({ about: _, ...action }) => action);
      const answers = await call(fieldActionSubmit, { body: { actions, sentMs: Date.now() }, quiet: true });
      const told = answers.flatMap((answer) => {
        const of = waiting.find(({ key }) => key === answer.key);
        return of ? [{ ...answer, about: of.about, type: of.type, atMs: of.atMs }] : [];
      });
      changeQueue((now) => now.filter(({ key }) => !answers.some((answer) => answer.key === key)));
      setOutcomes((now) => [...told.toReversed(), ...now].slice(0, shownOutcomes));
      void ask();
    } catch (reason) {
      const error = asApiError(reason);
      if (error.code !== 0) setProblem(error.message);
    } finally {
      sending.current = false;
    }
  }, [store, changeQueue, ask]);

  useEffect(() => forgetOthers(owner, Date.now()), [owner]);
  useEffect(() => {
    const round = (): void => {
      if (document.visibilityState !== "visible") return;
      void ask();
      void send();
    };
    round();
    const timer = setInterval(round, askEveryMs);
    window.addEventListener("online", round);
    document.addEventListener("visibilitychange", round);
    return () => {
      clearInterval(timer);
      window.removeEventListener("online", round);
      document.removeEventListener("visibilitychange", round);
    };
  }, [ask, send]);

  const act = useCallback(
    ({ type, alarmId, text }: Pick<FieldAction, "type" | "alarmId" | "text">, about: string): void => {
      changeQueue((now) =>
        // The same alarm is acknowledged once, however often it is tapped.
        type === "acknowledge" && now.some((one) => one.type === type && one.alarmId === alarmId)
          ? now
          : [
              ...now,
              { key: crypto.randomUUID(), type, alarmId, ...(text !== undefined && { text }), atMs: Date.now(), about },
            ],
      );
      void send();
    },
    [changeQueue, send],
  );
  const takeBack = useCallback(
    (key: string): void => changeQueue((now) => now.filter((one) => one.key !== key)),
    [changeQueue],
  );
  return { kept, lostAtMs, problem, queue, outcomes, act, takeBack, reload: () => void ask() };
}
