import type { Platform, ServerModule } from "../../module.ts";
import { systemScope } from "../../tenant-scope.ts";
import { auditRepository } from "../audit/index.ts";
import type { BackgroundJobService } from "../background-jobs/index.ts";
import type { FileService } from "../files/index.ts";
import { announcementRepository } from "./announcement.repository.ts";
import { announcementRoutes } from "./announcement.routes.ts";
import { createAnnouncementService } from "./announcement.service.ts";
import { noticeRoutes } from "./notice.routes.ts";
import { createNoticeService } from "./notice.service.ts";

const everybody = systemScope("the group tells many at once, whosever members they are");
const sendJob = "announcements.send-now";

/** What the group's staff tell everybody, customers, or whom they choose. */
export function createAnnouncementsModule(
  { kysely, inTransaction, jobs, nextId, now, warn }: Platform,
  {
    groupTenantId,
    backgroundJobs,
    files,
  }: { groupTenantId: string; backgroundJobs: BackgroundJobService; files: FileService },
): ServerModule {
  const announcements = createAnnouncementService({
    announcements: announcementRepository(kysely, everybody),
    inOne: inTransaction((db) => ({
      announcements: announcementRepository(db, everybody),
      audit: auditRepository(db),
    })),
    jobs: backgroundJobs,
    files,
    nextId,
    now,
  });
  const run = (_payload: object, { signal }: { signal: AbortSignal }) => announcements.send(signal);
  const onScheduled = (): void => {
    // What is not begun now is begun by the clock.
    jobs
      .enqueue(sendJob, {})
      .then(() => jobs.wake())
      .catch(warn("an announcement waits for the clock"));
  };
  const notices = createNoticeService({
    announcements: announcementRepository(kysely, everybody),
    service: announcements,
    now,
    groupTenantId,
    onScheduled,
  });
  return {
    routes(router) {
      announcementRoutes(router, announcements, onScheduled);
      noticeRoutes(router, notices);
    },
    jobs: [
      backgroundJobs.define(announcements.job),
      { name: "announcements.send", schedule: "* * * * *", retries: 0, timeoutS: 600, run },
      { name: sendJob, retries: 0, timeoutS: 600, run },
    ],
  };
}
