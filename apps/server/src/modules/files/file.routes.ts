import { Readable } from "node:stream";
import {
  attachmentDetail,
  attachmentPage,
  attachmentRemove,
  fileLink,
  putFileAttach,
  removeFile,
  removeFiles,
  statFile,
  storedFileOpen,
  storedFilePage,
  storedFileRemove,
  storedFileTotals,
  ticketIssue,
  uploadRules,
} from "@herdwise/contract";
import type { FastifyInstance } from "fastify";
import { cookieOf } from "../../http/cookies.ts";
import { accessTokenOf, type Router } from "../../http/router.ts";
import { unknownPath } from "../../http/server.ts";
import type { Authenticate } from "../../http/session.ts";
import { type FileService, ticketLifetimeS } from "./file.service.ts";
import type { StoredFileService } from "./stored-file.service.ts";

export const markCookie = "file_ticket";
const dayS = 86_400;

export function fileRoutes(router: Router, files: FileService): void {
  router.upload(putFileAttach, uploadRules.video.maxBytes, ({ session, query }, file) =>
    files.upload(session, query.fileName ? { ...file, name: query.fileName } : file, query.visibility),
  );
  router.on(statFile, ({ session, query }) => files.statFile(session, query.fileName));
  router.on(fileLink, ({ session, query }) => files.link(session, query.fileName));
  router.on(removeFile, async ({ session, query }) => {
    await files.removeNamed(session, query.fileName);
    return {};
  });
  router.on(removeFiles, async ({ session, query }) => {
    await files.removeNamed(session, query.fileNames);
    return {};
  });
  router.on(attachmentPage, ({ session, query }) => files.page(session, query));
  router.on(attachmentDetail, ({ session, query }) => files.detail(session, query.id));
  router.on(attachmentRemove, async ({ session, query, body }) => {
    await files.remove(session, query.ids ?? body.ids);
    return {};
  });
  router.on(ticketIssue, async ({ session, body, setCookie }) => {
    const { browserMark, ...issued } = await files.ticket(session, body.id);
    setCookie(markCookie, browserMark, ticketLifetimeS, "/files");
    return issued;
  });
}

export function storedFileRoutes(router: Router, stored: StoredFileService): void {
  router.on(storedFilePage, ({ scope, query }) => stored.page(scope, query));
  router.on(storedFileTotals, ({ scope }) => stored.totals(scope));
  router.on(storedFileRemove, ({ scope, body }) => stored.remove(scope, body.ids));
  router.on(storedFileOpen, async ({ session, scope, body, setCookie }) => {
    const { browserMark, ...issued } = await stored.open(session, scope, body.id);
    setCookie(markCookie, browserMark, ticketLifetimeS, "/files");
    return issued;
  });
}

/** A name for a header: ASCII for old clients, UTF-8 for all others (RFC 6266). */
export const dispositionOf = (name: string): string =>
  `attachment; filename="${name.replace(/[^\w.-]/g, "_")}"; filename*=UTF-8''${encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )}`;

/** One stretch of a file that a Range header asks for; undefined where it asks for all, or for what we do not send in parts. */
export function rangeOf(
  header: string | undefined,
  size: number,
): { start: number; end: number } | "beyond" | undefined {
  const [, from = "", to = ""] = /^bytes=(\d{0,12})-(\d{0,12})$/.exec(header ?? "") ?? [];
  if (from === "" && to === "") return undefined;
  // Without a beginning it is the last bytes.
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  return start > end ? "beyond" : { start, end };
}

/** A stretch of what a stream gives, both ends included; the rest is not read to its end. */
async function* stretchOf(content: Readable, start: number, end: number): AsyncGenerator<Buffer> {
  let at = 0;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    const part = chunk.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at));
    at += chunk.length;
    if (part.length > 0) yield part;
    if (at > end) return;
  }
}

/** The bytes themselves, below /files/. */
export function fileContentRoutes(
  http: FastifyInstance,
  router: Pick<Router, "counted">,
  files: FileService,
  authenticate: Authenticate,
): void {
  http.get<{ Params: { "*": string }; Querystring: { ticket?: string } }>(
    "/files/*",
    {
      config: { openBecause: "checks ownership or a ticket itself, because a browser opens files without a header" },
      onRequest: router.counted({ method: "GET", path: "/files/*", rate: "read" }),
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const token = accessTokenOf(request);
      const { ticket } = request.query;
      const file = await files.open(request.params["*"], {
        session: token === "" ? undefined : await authenticate(token),
        ticket: typeof ticket === "string" && ticket.length <= 64 ? ticket : undefined,
        mark: cookieOf(request.headers.cookie, markCookie),
      });
      if (file === undefined) return reply.code(404).send(unknownPath());
      const range = file.isFilm ? rangeOf(request.headers.range, file.sizeBytes) : undefined;
      if (range === "beyond") {
        file.content.destroy();
        return reply.code(416).header("Content-Range", `bytes */${file.sizeBytes}`).send();
      }
      if (file.isFilm) reply.header("Accept-Ranges", "bytes");
      if (range)
        reply
          .code(206)
          .header("Content-Range", `bytes ${range.start}-${range.end}/${file.sizeBytes}`)
          .header("Content-Length", range.end - range.start + 1);
      return (
        reply
          .header("Content-Type", file.contentType)
          .header("Content-Disposition", file.isPicture ? "inline" : dispositionOf(file.originalName))
          // Whatever it is, opened by itself it runs nothing.
          .header("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
          .header("Cross-Origin-Resource-Policy", "same-site")
          .header("Cache-Control", file.visibility === "shared" ? `private, max-age=${dayS}` : "private, no-store")
          .send(range ? Readable.from(stretchOf(file.content, range.start, range.end)) : file.content)
      );
    },
  );
}
