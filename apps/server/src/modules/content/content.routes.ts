import {
  articleContent,
  articleLinkCheck,
  articlePicturePattern,
  articlePictureUpload,
  articlePreviewLink,
  articlePublish,
  articleRestore,
  articleSave,
  articleTranslate,
  articleVersion,
  articleVersions,
  articleWithdraw,
  homeLinkCheck,
  kindFigures,
  liveFigures,
  previewedArticle,
  publicArticle,
  publicArticlePage,
  publicOutlets,
  publicPartners,
  searchCorrection,
  searchSuggestions,
  uploadRules,
} from "@herdwise/contract";
import type { FastifyInstance } from "fastify";
import type { Router } from "../../http/router.ts";
import { unknownPath } from "../../http/server.ts";
import { momentOf } from "../../http/wire-moment.ts";
import type { ArticleService } from "./article.service.ts";
import type { FiguresService } from "./figures.service.ts";
import type { LinkCheck } from "./link-check.ts";
import type { OutletService } from "./outlet.service.ts";
import type { PictureService } from "./picture.service.ts";
import type { SiteFiles } from "./site-files.ts";

export function contentRoutes(
  router: Router,
  {
    figures,
    articles,
    outlets,
    pictures,
    links,
  }: {
    figures: FiguresService;
    articles: ArticleService;
    outlets: OutletService;
    pictures: PictureService;
    links: LinkCheck;
  },
): void {
  router.on(liveFigures, () => figures.liveFigures());
  router.on(kindFigures, ({ query }) => figures.kindFigures(query.kind));
  router.on(articleContent, ({ scope, query }) => articles.content(scope, query.id));
  router.on(articleSave, ({ scope, body }) => articles.save(scope, body));
  router.on(articleTranslate, ({ scope, body, remoteAddress }) => articles.propose(scope, body, remoteAddress));
  router.on(articleVersions, ({ scope, query }) => articles.versions(scope, query.id));
  router.on(articleVersion, ({ scope, query }) => articles.version(scope, query.id, query.number));
  router.on(articleRestore, ({ scope, body }) => articles.restore(scope, body));
  router.on(articlePublish, ({ scope, body: { at, ...body } }) =>
    articles.publish(scope, { ...body, ...(at !== undefined && { at: momentOf(at) }) }),
  );
  router.on(articleWithdraw, ({ scope, body }) => articles.withdraw(scope, body.id));
  router.on(articlePreviewLink, ({ scope, body }) => articles.previewLink(scope, body.id));
  router.upload(articlePictureUpload, uploadRules.picture.maxBytes, ({ scope }, file) => pictures.upload(scope, file));
  router.on(articleLinkCheck, ({ body }) => links.check(body.links));
  router.on(homeLinkCheck, ({ body }) => links.check(body.links));
  router.on(publicArticlePage, ({ query }) => articles.page(query));
  router.on(searchCorrection, ({ query }) => articles.correction(query.keyword));
  router.on(searchSuggestions, ({ query }) => articles.suggestions(query));
  router.on(publicArticle, ({ query }) => articles.read(query));
  router.on(previewedArticle, ({ query }) => articles.preview(query));
  router.on(publicPartners, ({ query }) => articles.partners(query.language));
  router.on(publicOutlets, ({ query }) => outlets.list(query.keyword));
}

const yearS = 31_536_000;

/** Pictures of articles. Their content never changes, and nobody guesses an address. */
export function pictureRoutes(http: FastifyInstance, router: Pick<Router, "counted">, pictures: PictureService): void {
  http.get<{ Params: { id: string; file: string } }>(
    "/pictures/:id/:file",
    {
      config: { openBecause: "visitors see the pictures of articles; an address is random" },
      onRequest: router.counted({ method: "GET", path: "/pictures/:id/:file", rate: "read" }),
      exposeHeadRoute: false,
    },
    async ({ params }, reply) => {
      const [, id = "", width = ""] = articlePicturePattern.exec(`/pictures/${params.id}/${params.file}`) ?? [];
      const file = id === "" ? undefined : await pictures.open(id, Number(width));
      if (file === undefined) return reply.code(404).send(unknownPath());
      return (
        reply
          .header("Content-Type", file.contentType)
          .header("Content-Disposition", "inline")
          .header("Content-Length", file.sizeBytes)
          // Whatever it is, opened by itself it runs nothing.
          .header("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
          .header("Cross-Origin-Resource-Policy", "same-site")
          .header("Cache-Control", `public, max-age=${yearS}, immutable`)
          .send(file.content)
      );
    },
  );
}

/** What search engines and feed readers fetch beside the pages. */
export function siteFileRoutes(http: FastifyInstance, files: SiteFiles): void {
  const config = { openBecause: "search engines and feed readers fetch it" };
  http.get("/robots.txt", { config }, (_request, reply) =>
    reply.type("text/plain; charset=utf-8").send(files.robots()),
  );
  http.get("/sitemap.xml", { config }, async (_request, reply) =>
    reply.type("application/xml; charset=utf-8").send(await files.siteMap()),
  );
  http.get<{ Params: { part: string } }>("/sitemap-:part(\\d{1,3}).xml", { config }, async ({ params }, reply) => {
    const text = await files.siteMapPart(Number(params.part));
    return text === undefined
      ? reply.code(404).send(unknownPath())
      : reply.type("application/xml; charset=utf-8").send(text);
  });
  for (const [suffix, language] of [
    ["", "zh"],
    ["-en", "en"],
  ] as const) {
    http.get(`/rss${suffix}.xml`, { config }, async (_request, reply) =>
      reply.type("application/rss+xml; charset=utf-8").send(await files.feed(language)),
    );
    http.get(`/atom${suffix}.xml`, { config }, async (_request, reply) =>
      reply.type("application/atom+xml; charset=utf-8").send(await files.atom(language)),
    );
    http.get(
      `/manifest${suffix}.webmanifest`,
      { config: { openBecause: "phones read it before they keep the portal as an app" } },
      (_request, reply) =>
        reply.type("application/manifest+json; charset=utf-8").send(JSON.stringify(files.manifest(language))),
    );
  }
}
