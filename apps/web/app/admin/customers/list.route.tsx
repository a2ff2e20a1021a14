import { lazy, Suspense } from "react";
import { ScreenWait } from "../../shared/states/screen-wait.tsx";

// By itself, so that the log-in page, which names the files of each route, names one.
const Customers = lazy(() => import("./customer-list.tsx").then((part) => ({ default: part.Customers })));

export default function CustomersRoute() {
  return (
    <Suspense fallback={<ScreenWait title="客户管理" />}>
      <Customers />
    </Suspense>
  );
}
