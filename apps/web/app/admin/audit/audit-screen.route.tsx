import { lazy, Suspense } from "react";
import { ScreenWait } from "../../shared/states/screen-wait.tsx";

// By itself, so that the log-in page, which names the files of each route, names one.
const Audit = lazy(() => import("./audit.route.tsx"));

export default function AuditRoute() {
  return (
    <Suspense fallback={<ScreenWait title="操作记录" />}>
      <Audit />
    </Suspense>
  );
}
