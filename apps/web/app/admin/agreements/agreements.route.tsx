import { lazy, Suspense } from "react";
import { ScreenWait } from "../../shared/states/screen-wait.tsx";

// By itself, so that the log-in page, which names the files of each route, names one.
const Agreements = lazy(() => import("./agreement-list.tsx").then((part) => ({ default: part.Agreements })));

export default function AgreementsRoute() {
  return (
    <Suspense fallback={<ScreenWait title="协议" />}>
      <Agreements />
    </Suspense>
  );
}
