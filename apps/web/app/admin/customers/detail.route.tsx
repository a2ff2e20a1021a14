import { lazy, Suspense } from "react";
import { useTranslate } from "../../shared/language/use-language.ts";

// By itself, so that the log-in page, which names the files of each route, names one.
const CustomerPage = lazy(() => import("./customer-page.tsx").then((part) => ({ default: part.CustomerPage })));

export default function CustomerPageRoute() {
  const t = useTranslate();
  return (
    <Suspense fallback={<h1>{t("客户详情")}</h1>}>
      <CustomerPage />
    </Suspense>
  );
}
