import { jobCancel, jobDetail, jobLive, jobPage } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { BackgroundJobService } from "./background-job.service.ts";

export function backgroundJobRoutes(router: Router, jobs: BackgroundJobService): void {
  router.on(jobPage, ({ session, query }) => jobs.page(session, query));
  router.on(jobDetail, ({ session, query }) => jobs.detail(session, query.id));
  router.on(jobCancel, async ({ session, query, body }) => {
    await jobs.cancel(session, query.ids ?? body.ids);
    return {};
  });
  router.stream(
    jobLive,
    async ({ session }) =>
      (stream) =>
        jobs.live(session, stream),
  );
}
