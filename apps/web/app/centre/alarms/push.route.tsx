import { lazy, Suspense } from "react";
import { useTranslate } from "../../shared/language/use-language.ts";

// As the alarm centre beside it, it comes when it is opened.
const AlarmPush = lazy(() => import("./alarm-push.tsx").then((part) => ({ default: part.AlarmPush })));

/** How this person is told of alarms. */
export default function Push() {
  const t = useTranslate();
  const head = (
    <div className="page-head" aria-busy="true">
      <h1>{t("告警推送设置")}</h1>
    </div>
  );
  return (
    <Suspense fallback={head}>
      <AlarmPush />
    </Suspense>
  );
}
