import { lazy, Suspense } from "react";
import { useTranslate } from "../../shared/language/use-language.ts";

// By itself, so that the log-in page, which names the files of each route, names one.
const Announcements = lazy(() => import("./announcement-list.tsx").then((part) => ({ default: part.Announcements })));

export default function AnnouncementsRoute() {
  const t = useTranslate();
  return (
    <Suspense fallback={<h1>{t("公告")}</h1>}>
      <Announcements />
    </Suspense>
  );
}
