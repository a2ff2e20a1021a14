import { lazy, Suspense } from "react";

// As the alarm centre beside it, it comes when it is opened.
const AlarmPush = lazy(() => import("./alarm-push.tsx").then((part) => ({ default: part.AlarmPush })));

/** How this person is told of alarms. */
export default function Push() {
  return (
    <Suspense>
      <AlarmPush />
    </Suspense>
  );
}
