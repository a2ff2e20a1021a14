import { lazy, Suspense } from "react";
import { useTranslate } from "../../shared/language/use-language.ts";

// By itself, so that the log-in page, which names the files of each route, names one.
const Agreements = lazy(() => import("./agreement-list.tsx").then((part) => ({ default: part.Agreements })));

export default function AgreementsRoute() {
  const t = useTranslate();
  return (
    <Suspense fallback={<h1>{t("协议")}</h1>}>
      <Agreements />
    </Suspense>
  );
}
