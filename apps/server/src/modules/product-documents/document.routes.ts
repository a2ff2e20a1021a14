import {
  documentMaxBytes,
  documentPreviewLink,
  documentPublish,
  documentUpload,
  publicDocument,
  publicDocumentPage,
} from "@herdwise/contract";
import type { FastifyInstance } from "fastify";
import { Refusal } from "../../http/errors.ts";
import type { Router } from "../../http/router.ts";
import { unknownPath } from "../../http/server.ts";
import { dispositionOf } from "../files/index.ts";
import type { DocumentService } from "./document.service.ts";

const config = {
  openBecause: "visitors read documents that are published, and others by a signed address; the service checks that",
};
const id = /^(\d{1,18}|[0-8]\d{18})$/;

export function documentRoutes(router: Router, documents: DocumentService): void {
  router.upload(documentUpload, documentMaxBytes, ({ scope, query }, file) => documents.upload(scope, query.id, file));
  router.on(documentPublish, async ({ scope, body }) => {
    await documents.publish(scope, body.id, body.published);
    return {};
  });
  router.on(documentPreviewLink, ({ body }) => documents.previewLink(body.id));
  router.on(publicDocumentPage, ({ query }) => documents.page(query));
  router.on(publicDocument, ({ query }) => documents.read(query));
}

/** Files of published documents, and their pages as pictures. */
export function documentFileRoutes(
  http: FastifyInstance,
  router: Pick<Router, "counted">,
  documents: DocumentService,
): void {
  http.get<{ Params: { id: string; file: string }; Querystring: { preview?: unknown } }>(
    "/documents/:id/:file",
    {
      config,
      onRequest: router.counted({ method: "GET", path: "/documents/:id/:file", rate: "read" }),
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const { id: asked, file } = request.params;
      const page = /^page-([1-9]\d?)\.png$/.exec(file)?.[1];
      if (!id.test(asked) || (page === undefined && file !== "document.pdf"))
        return reply.code(404).send(unknownPath());
      const preview = typeof request.query.preview === "string" ? request.query.preview.slice(0, 300) : undefined;
      const found = await (page === undefined
        ? documents.file(asked, preview)
        : documents.picture(asked, Number(page), preview)
      ).catch((error: unknown) => {
        if (error instanceof Refusal && error.status === 404) return undefined;
        throw error;
      });
      if (found === undefined) return reply.code(404).send(unknownPath());
      const tag = `"${found.sha256.toString("hex")}"`;
      reply
        .header("Content-Type", found.contentType)
        .header("Content-Disposition", "saveAs" in found ? dispositionOf(String(found.saveAs)) : "inline")
        // Whatever it is, opened by itself it runs nothing.
        .header("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
        .header("Cross-Origin-Resource-Policy", "same-site")
        .header("ETag", tag)
        // What is taken off the site is gone within minutes.
        .header("Cache-Control", preview === undefined ? "public, max-age=300" : "private, no-store");
      if (request.headers["if-none-match"] === tag) {
        found.content.destroy();
        return reply.code(304).send();
      }
      return reply.header("Content-Length", found.sizeBytes).send(found.content);
    },
  );
}
