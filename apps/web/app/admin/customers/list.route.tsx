import { lazy, Suspense } from "react";
import { useTranslate } from "../../shared/language/use-language.ts";

// By itself, so that the log-in page, which names the files of each route, names one.
const Customers = lazy(() => import("./customer-list.tsx").then((part) => ({ default: part.Customers })));

export default function CustomersRoute() {
  const t = useTranslate();
  return (
    <Suspense fallback={<h1>{t("客户管理")}</h1>}>
      <Customers />
    </Suspense>
  );
}
