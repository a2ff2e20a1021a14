import { createSessionStreams, type SessionCheck } from "../../http/session-streams.ts";
import type { Platform, ServerModule } from "../../module.ts";
import { messageRepository } from "../messages/index.ts";
import type { HeldSettings } from "../settings/index.ts";
import { backgroundJobRepository } from "./background-job.repository.ts";
import { backgroundJobRoutes } from "./background-job.routes.ts";
import { type BackgroundJobService, createBackgroundJobService } from "./background-job.service.ts";

export type {
  BackgroundJobDefinition,
  BackgroundJobRun,
  BackgroundJobService,
} from "./background-job.service.ts";

export interface BackgroundJobsModule extends ServerModule {
  readonly service: BackgroundJobService;
}

export function createBackgroundJobsModule(
  platform: Platform,
  { sessionCheck, settings }: { sessionCheck: Pick<SessionCheck, "watch">; settings: Pick<HeldSettings, "number"> },
): BackgroundJobsModule {
  const { kysely, jobs: queue, bus, nextId, warn } = platform;
  const streams = createSessionStreams(sessionCheck);
  const service = createBackgroundJobService({
    repository: backgroundJobRepository(kysely),
    // The message of a job's end is stored with the end, so that neither is there without the other.
    inTransaction: platform.inTransaction((db) => ({
      jobs: backgroundJobRepository(db),
      messages: messageRepository(db),
    })),
    keepDays: () => settings.number("retention.jobDays"),
    queue,
    bus,
    streams,
    nextId,
    onError: warn("a step after a background job failed"),
  });
  return {
    service,
    routes: (router) => backgroundJobRoutes(router, service),
    jobs: [
      {
        name: "background-jobs.sweep",
        schedule: "* * * * *",
        retries: 0,
        timeoutS: 60,
        run: () => service.sweep(),
      },
    ],
  };
}
