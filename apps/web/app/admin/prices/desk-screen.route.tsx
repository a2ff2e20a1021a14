import { lazy, Suspense } from "react";
import { ScreenWait } from "../../shared/states/screen-wait.tsx";

// By itself, so that the log-in page, which names the files of each route, names one.
const PriceDesk = lazy(() => import("./desk.route.tsx"));

export default function PriceDeskRoute() {
  return (
    <Suspense fallback={<ScreenWait title="每日与区域价格" />}>
      <PriceDesk />
    </Suspense>
  );
}
