import { lazy, Suspense } from "react";
import { ScreenWait } from "../../shared/states/screen-wait.tsx";

// By itself, so that the log-in page, which names the files of each route, names one.
const Announcements = lazy(() => import("./announcement-list.tsx").then((part) => ({ default: part.Announcements })));

export default function AnnouncementsRoute() {
  return (
    <Suspense fallback={<ScreenWait title="公告" />}>
      <Announcements />
    </Suspense>
  );
}
