import { videos as videoResource } from "@herdwise/contract";
import type { ServerModule } from "../../module.ts";
import { createPreviewLinks } from "../../preview-links.ts";
import { type ResourceContext, resourceModule } from "../../resources/index.ts";
import { auditRepository } from "../audit/index.ts";
import type { SiteFileService } from "../files/index.ts";
import { videoRepository } from "./video.repository.ts";
import { videoFileRoutes, videoRoutes } from "./video.routes.ts";
import { createVideoService, type VideoService, videoHooks } from "./video.service.ts";

export type { VideoService, WrittenVideo } from "./video.service.ts";
export { type DrawnFilm, writeFilm } from "./write-film.ts";

/** Films of the public site: their desk, their files, and what visitors find of them. */
export function createVideosModules(
  context: ResourceContext,
  { siteFiles }: { siteFiles: SiteFileService },
): { modules: ServerModule[]; service: VideoService } {
  const { kysely, nextId, now, bus, secretKey, inTransaction } = context.platform;
  const changed = (): void => bus.publish("contentChanged", {});
  const videos = createVideoService({
    repository: videoRepository(kysely),
    inTransaction: inTransaction((db) => ({ videos: videoRepository(db), audit: auditRepository(db) })),
    files: context.files,
    siteFiles,
    previews: createPreviewLinks(secretKey, "video previews", now),
    changed,
    now,
    nextId,
  });
  const fields = resourceModule(context, videoResource, { hooks: videoHooks(changed), extra: videoRepository });
  return {
    service: videos,
    modules: [
      fields,
      {
        routes(router, http) {
          videoRoutes(router, videos);
          videoFileRoutes(http, router, videos);
        },
        jobs: [
          { name: "videos.publish", schedule: "* * * * *", retries: 0, timeoutS: 60, run: () => videos.publishDue() },
        ],
      },
    ],
  };
}
