import { lazy, Suspense } from "react";
import { useTranslate } from "../../shared/language/use-language.ts";

// By itself, so that the log-in page, which names the files of each route, names one.
const Audit = lazy(() => import("./audit.route.tsx"));

export default function AuditRoute() {
  const t = useTranslate();
  return (
    <Suspense fallback={<h1>{t("操作记录")}</h1>}>
      <Audit />
    </Suspense>
  );
}
