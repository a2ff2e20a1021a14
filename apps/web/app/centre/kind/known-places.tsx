import type { Alarm } from "@herdwise/contract";
import { unitStates } from "@herdwise/contract/unit-states";
import { attentionStates, byWorst, type JudgedDevice } from "@herdwise/device-kinds";
import { createContext, lazy, type ReactNode, Suspense, useContext, useEffect, useState } from "react";
import type { WorstAlarm } from "./unit-states.ts";

const Watch = lazy(() => import("../alarms/known-watch.tsx").then(({ KnownWatch }) => ({ default: KnownWatch })));
const Known = createContext<ReadonlyMap<string, ReactNode>>(new Map());

const Worst = createContext<ReadonlyMap<string, WorstAlarm>>(new Map());

/**
 * Lets units and devices of a kind say that somebody knows of their alarms.
 * @param afterMs when the marks begin to load; a page of many values stands first
 */
export function KnownPlaces({
  kind,
  afterMs = 0,
  children,
}: {
  kind: Alarm["kind"];
  afterMs?: number;
  children: ReactNode;
}) {
  const [known, setKnown] = useState<ReadonlyMap<string, ReactNode>>(new Map());
  const [worst, setWorst] = useState<ReadonlyMap<string, WorstAlarm>>(new Map());
  const [watching, setWatching] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWatching(true), afterMs);
    return () => clearTimeout(timer);
  }, [afterMs]);
  return (
    <Known value={known}>
      <Worst value={worst}>
        {children}
        {watching && (
          <Suspense>
            <Watch kind={kind} onKnown={setKnown} onWorst={setWorst} />
          </Suspense>
        )}
      </Worst>
    </Known>
  );
}

/** Units and devices, by their ids, of whose alarms somebody knows. */
const useKnownPlaces = (): ReadonlyMap<string, ReactNode> => useContext(Known);

/** What needs somebody first: of the places that are bad, those of whose alarms somebody knows come after the others. */
export function useWorstFirst<Judged extends JudgedDevice>(
  idOf: (judged: Judged) => string,
): (a: Judged, b: Judged) => number {
  const known = useKnownPlaces();
  const rank = (judged: Judged): number =>
    attentionStates.some((state) => state === judged.state) ? Number(known.has(idOf(judged))) : 2;
  return (a, b) => rank(a) - rank(b) || byWorst(a, b);
}

/** The mark of a unit or device of whose alarms somebody knows; nothing where one asks. */
export const KnownHere = ({ id }: { id: string }): ReactNode => useKnownPlaces().get(id);

/** The worst open alarms of units and devices, by their ids. */
export const useWorstAlarms = (): ReadonlyMap<string, WorstAlarm> => useContext(Worst);

/** A device as bad as its worst open alarm, where its newest values are better; one that is not heard stays so. */
export function withAlarm<Judged extends JudgedDevice>(judged: Judged, alarm: WorstAlarm | undefined): Judged {
  const { state } = judged;
  if (!alarm || state === "offline" || unitStates.indexOf(alarm.state) >= unitStates.indexOf(state)) return judged;
  return { ...judged, state: alarm.state };
}
