import {
  articleContent,
  articlePreviewLink,
  articlePublish,
  articleRestore,
  articleSave,
  articleVersion,
  articleVersions,
  articleWithdraw,
  liveFigures,
  previewedArticle,
  publicArticle,
  publicArticlePage,
  publicOutlets,
  publicPartners,
} from "@herdwise/contract";
import type { FastifyInstance } from "fastify";
import type { Router } from "../../http/router.ts";
import type { ArticleService } from "./article.service.ts";
import type { FiguresService } from "./figures.service.ts";
import type { OutletService } from "./outlet.service.ts";
import type { SiteFiles } from "./site-files.ts";

/** A time of the wire, which is Shanghai's. */
const momentOf = (wire: string): Date => new Date(`${wire.replace(" ", "T")}+08:00`);

export function contentRoutes(
  router: Router,
  { figures, articles, outlets }: { figures: FiguresService; articles: ArticleService; outlets: OutletService },
): void {
  router.on(liveFigures, () => figures.liveFigures());
  router.on(articleContent, ({ scope, query }) => articles.content(scope, query.id));
  router.on(articleSave, ({ scope, body }) => articles.save(scope, body));
  router.on(articleVersions, ({ scope, query }) => articles.versions(scope, query.id));
  router.on(articleVersion, ({ scope, query }) => articles.version(scope, query.id, query.number));
  router.on(articleRestore, ({ scope, body }) => articles.restore(scope, body));
  router.on(articlePublish, ({ scope, body: { at, ...body } }) =>
    articles.publish(scope, { ...body, ...(at !== undefined && { at: momentOf(at) }) }),
  );
  router.on(articleWithdraw, ({ scope, body }) => articles.withdraw(scope, body.id));
  router.on(articlePreviewLink, ({ scope, body }) => articles.previewLink(scope, body.id));
  router.on(publicArticlePage, ({ query }) => articles.page(query));
  router.on(publicArticle, ({ query }) => articles.read(query));
  router.on(previewedArticle, ({ query }) => articles.preview(query));
  router.on(publicPartners, ({ query }) => articles.partners(query.language));
  router.on(publicOutlets, ({ query }) => outlets.list(query.keyword));
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
  for (const [path, language] of [
    ["/rss.xml", "zh"],
    ["/rss-en.xml", "en"],
  ] as const)
    http.get(path, { config }, async (_request, reply) =>
      reply.type("application/rss+xml; charset=utf-8").send(await files.feed(language)),
    );
}
