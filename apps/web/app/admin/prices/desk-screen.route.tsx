import { lazy, Suspense } from "react";
import { useTranslate } from "../../shared/language/use-language.ts";

// By itself, so that the log-in page, which names the files of each route, names one.
const PriceDesk = lazy(() => import("./desk.route.tsx"));

export default function PriceDeskRoute() {
  const t = useTranslate();
  return (
    <Suspense fallback={<h1>{t("每日与区域价格")}</h1>}>
      <PriceDesk />
    </Suspense>
  );
}
