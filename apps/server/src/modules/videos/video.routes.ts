import {
  captionsMaxBytes,
  publicVideo,
  publicVideoPage,
  uploadRules,
  videoCaptions,
  videoCaptionsRemove,
  videoMaxBytes,
  videoPoster,
  videoPreviewLink,
  videoPublish,
  videoUpload,
  videoWithdraw,
} from "@herdwise/contract";
import type { FastifyInstance } from "fastify";
import type { Router } from "../../http/router.ts";
import { unknownPath } from "../../http/server.ts";
import { momentOf } from "../../http/wire-moment.ts";
import { rangeOf } from "../files/index.ts";
import type { VideoPart, VideoService } from "./video.service.ts";

const config = {
  openBecause: "visitors see videos that are published, and others by a signed address; the service checks that",
};
const idForm = /^(\d{1,18}|[0-8]\d{18})$/;
const fileForm = /^(film|poster-[1-9]\d{0,3}|captions-(?:zh|en))\.(mp4|webm|webp|vtt)$/;
export function videoRoutes(router: Router, videos: VideoService): void {
  router.upload(videoUpload, videoMaxBytes, ({ scope, query }, file) => videos.upload(scope, query.id, file));
  router.upload(videoPoster, uploadRules.picture.maxBytes, ({ scope, query }, file) =>
    videos.poster(scope, query.id, file),
  );
  router.upload(videoCaptions, captionsMaxBytes, ({ scope, query }, file) =>
    videos.captions(scope, query.id, query.language, file),
  );
  router.on(videoCaptionsRemove, async ({ scope, body }) => {
    await videos.removeCaptions(scope, body.id, body.language);
    return {};
  });
  router.on(videoPublish, async ({ scope, body }) => {
    await videos.publish(scope, body.id, body.at === undefined ? undefined : momentOf(body.at));
    return {};
  });
  router.on(videoWithdraw, async ({ scope, body }) => {
    await videos.withdraw(scope, body.id);
    return {};
  });
  router.on(videoPreviewLink, ({ body }) => videos.previewLink(body.id));
  router.on(publicVideoPage, ({ query }) => videos.page(query));
  router.on(publicVideo, ({ query }) => videos.read(query));
}

/** Films of published videos with their pictures and captions. Players get ranges, which phones insist on. */
export function videoFileRoutes(http: FastifyInstance, router: Pick<Router, "counted">, videos: VideoService): void {
  http.get<{ Params: { id: string; file: string }; Querystring: { preview?: unknown } }>(
    "/videos/:id/:file",
    {
      config,
      onRequest: router.counted({ method: "GET", path: "/videos/:id/:file", rate: "read" }),
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const { id } = request.params;
      const [, part = "", ending = ""] = fileForm.exec(request.params.file) ?? [];
      const preview = typeof request.query.preview === "string" ? request.query.preview.slice(0, 300) : undefined;
      const found =
        part === "" || !idForm.test(id) ? undefined : await videos.file(id, part as VideoPart, ending, preview);
      if (found === undefined) return reply.code(404).send(unknownPath());
      const tag = `"${found.sha256.toString("hex")}"`;
      reply
        .header("Content-Type", found.contentType)
        .header("Content-Disposition", "inline")
        // Whatever it is, opened by itself it runs nothing.
        .header("Content-Security-Policy", "default-src 'none'; media-src 'self'; sandbox; frame-ancestors 'none'")
        .header("Cross-Origin-Resource-Policy", "same-site")
        .header("ETag", tag)
        // What is taken off the site is gone within minutes.
        .header("Cache-Control", preview === undefined ? "public, max-age=300" : "private, no-store");
      if (request.headers["if-none-match"] === tag) return reply.code(304).send();
      const isFilm = part === "film";
      if (isFilm) reply.header("Accept-Ranges", "bytes");
      // A part of a film that was replaced meanwhile goes with nothing that the player has.
      const ifRange = request.headers["if-range"];
      const asked = isFilm && (ifRange === undefined || ifRange === tag) ? request.headers.range : undefined;
      const range = rangeOf(asked, found.sizeBytes);
      if (range === "beyond") return reply.code(416).header("Content-Range", `bytes */${found.sizeBytes}`).send();
      if (range !== undefined)
        reply.code(206).header("Content-Range", `bytes ${range.start}-${range.end}/${found.sizeBytes}`);
      return reply
        .header("Content-Length", range === undefined ? found.sizeBytes : range.end - range.start + 1)
        .send(await videos.bytes(found.name, range));
    },
  );
}
