import { dataExportLink, dataExportList, dataExportSubmit } from "@herdwise/contract";
import type { FastifyInstance } from "fastify";
import { cookieOf } from "../../http/cookies.ts";
import type { Router } from "../../http/router.ts";
import { unknownPath } from "../../http/server.ts";
import type { MyDataService } from "./my-data.service.ts";

const markCookie = "my_data_ticket";

export function personalDataRoutes(router: Router, http: FastifyInstance, myData: MyDataService): void {
  router.on(dataExportList, ({ session }) => myData.list(session));
  router.on(dataExportSubmit, (call) => myData.begin(call.session, call.body.language, call));
  router.on(dataExportLink, async ({ session, body, setCookie }) => {
    const { mark, ...link } = await myData.link(session, body.id);
    setCookie(markCookie, mark, link.expiresIn, "/files");
    return link;
  });
  http.get<{ Querystring: { ticket?: string } }>(
    "/files/my-data",
    {
      config: {
        openBecause:
          "takes a ticket bound to the browser that asked for it, because a browser opens files without a header",
      },
      onRequest: router.counted({ method: "GET", path: "/files/my-data", rate: "guarded" }),
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const { ticket } = request.query;
      const file =
        typeof ticket === "string" && ticket.length <= 64
          ? await myData.fetch(ticket, cookieOf(request.headers.cookie, markCookie) ?? "", {
              userAgent: request.headers["user-agent"] ?? "",
              remoteAddress: request.ip,
            })
          : undefined;
      if (file === undefined) return reply.code(404).send(unknownPath());
      return reply
        .header("Content-Type", "application/zip")
        .header(
          "Content-Disposition",
          `attachment; filename="my-data.zip"; filename*=UTF-8''${encodeURIComponent(file.name)}`,
        )
        .header("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
        .header("Cache-Control", "private, no-store")
        .send(file.content);
    },
  );
}
