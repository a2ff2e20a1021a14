import { lazy, Suspense } from "react";

// It needs every kind's declaration; the list of what each screen needs, which the log-in page carries, names this file alone.
const AlarmCentre = lazy(() => import("./alarm-centre.tsx").then((part) => ({ default: part.AlarmCentre })));

/** The alarm centre. */
export default function Alarms() {
  return (
    <Suspense>
      <AlarmCentre />
    </Suspense>
  );
}
