import { lazy, Suspense } from "react";
import { useTranslate } from "../../shared/language/use-language.ts";

// As the alarm centre beside it, it comes when it is opened.
const AlarmRules = lazy(() => import("./alarm-rules.tsx").then((part) => ({ default: part.AlarmRules })));

/** When alarms are raised. */
export default function Rules() {
  const t = useTranslate();
  const head = (
    <div className="page-head" aria-busy="true">
      <h1>{t("告警规则")}</h1>
    </div>
  );
  return (
    <Suspense fallback={head}>
      <AlarmRules />
    </Suspense>
  );
}
