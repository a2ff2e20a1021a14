import { lazy, Suspense } from "react";
import { useTranslate } from "../../shared/language/use-language.ts";

// It needs every kind's declaration; the list of what each screen needs, which the log-in page carries, names this file alone.
const AlarmCentre = lazy(() => import("./alarm-centre.tsx").then((part) => ({ default: part.AlarmCentre })));

/** The alarm centre. */
export default function Alarms() {
  const t = useTranslate();
  const head = (
    <div className="page-head" aria-busy="true">
      <h1>{t("告警中心")}</h1>
    </div>
  );
  return (
    <Suspense fallback={head}>
      <AlarmCentre />
    </Suspense>
  );
}
