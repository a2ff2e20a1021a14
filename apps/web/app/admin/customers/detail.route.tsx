import { lazy, Suspense } from "react";
import { ScreenWait } from "../../shared/states/screen-wait.tsx";

// By itself, so that the log-in page, which names the files of each route, names one.
const CustomerPage = lazy(() => import("./customer-page.tsx").then((part) => ({ default: part.CustomerPage })));

export default function CustomerPageRoute() {
  return (
    <Suspense fallback={<ScreenWait title="客户详情" />}>
      <CustomerPage />
    </Suspense>
  );
}
