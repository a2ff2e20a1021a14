import { articles as articleResource, partners as partnerResource } from "@herdwise/contract";
import { createReadingSeals } from "../../article-html.ts";
import type { ServerModule } from "../../module.ts";
import { createPreviewLinks } from "../../preview-links.ts";
import { type ResourceContext, resourceModule } from "../../resources/index.ts";
import { auditRepository } from "../audit/index.ts";
import type { SiteFileService } from "../files/index.ts";
import type { HomePageModule } from "../home-page/index.ts";
import type { LanguagesModule } from "../languages/index.ts";
import type { DocumentService } from "../product-documents/index.ts";
import type { VideoService } from "../videos/index.ts";
import type { WorkOrdersModule } from "../work-orders/index.ts";
import { articleRepository } from "./article.repository.ts";
import { articleHooks, createArticleService } from "./article.service.ts";
import { contentRoutes, pictureRoutes, siteFileRoutes } from "./content.routes.ts";
import { createFiguresService, type FiguresDependencies } from "./figures.service.ts";
import { createLinkCheck, type SeenPage } from "./link-check.ts";
import { outletRepository } from "./outlet.repository.ts";
import { createOutletService, type OutletDependencies } from "./outlet.service.ts";
import { pictureRepository } from "./picture.repository.ts";
import { createPictureService } from "./picture.service.ts";
import { createSiteFiles } from "./site-files.ts";

/** Nobody's address (RFC 5737): what only this machine may see is no page of the site. */
const somebody = "192.0.2.1";

/** What the public site shows: articles, solutions, partners, outlets, figures. */
export function createContentModules(
  context: ResourceContext,
  {
    calendar,
    documents,
    videos,
    siteFiles: storedFiles,
    homePage,
    suggestions,
    translate,
    brand,
    ...dependencies
  }: Pick<FiguresDependencies, "devices" | "farms" | "valuesLastDay"> &
    Pick<OutletDependencies, "calendar"> & {
      documents: Pick<DocumentService, "all">;
      videos: Pick<VideoService, "all">;
      siteFiles: SiteFileService;
      homePage: HomePageModule["service"];
      suggestions: WorkOrdersModule["service"];
      translate: LanguagesModule["translate"];
      /** Name of the brand in a language. */
      brand: (language: "zh" | "en") => string;
    },
): ServerModule[] {
  const { kysely, now, nextId, bus, config, secretKey, stopping, warn } = context.platform;
  const changed = (): void => bus.publish("contentChanged", {});
  const figures = createFiguresService({ ...dependencies, now });
  const fields = resourceModule(context, articleResource, { hooks: articleHooks });
  const articles = createArticleService({
    repository: articleRepository(kysely),
    inTransaction: (work) =>
      kysely.transaction().execute((transaction) =>
        work({
          articles: articleRepository(transaction),
          fields: fields.serviceIn(transaction),
          audit: auditRepository(transaction),
        }),
      ),
    translate,
    seals: createReadingSeals(secretKey),
    previews: createPreviewLinks(secretKey, "article previews", now),
    changed,
    warn,
    now,
    nextId,
  });
  const pictures = createPictureService({
    repository: pictureRepository(kysely),
    files: context.files,
    siteFiles: storedFiles,
  });
  const outlets = createOutletService({ repository: outletRepository(kysely), calendar, now });
  const files = createSiteFiles({
    newest: articles.newest,
    mapped: articles.mapped,
    documents: documents.all,
    videos: videos.all,
    suggestions: suggestions.publicAll,
    hasOutlets: async () => (await outlets.list()).outlets.length > 0,
    homeLanguages: homePage.languages,
    publicUrl: config.publicUrl,
    brand,
    now,
  });
  let searching: Promise<void> = Promise.resolve();
  const forget = (): void => {
    files.forget();
    articles.forget();
  };
  bus.subscribe("contentChanged", forget);
  bus.onGap(forget);
  return [
    fields,
    resourceModule(context, partnerResource, { hooks: { changed } }),
    {
      routes(router, http) {
        const look = async (path: string): Promise<SeenPage> => {
          const { statusCode, headers, body } = await http.inject({
            method: "GET",
            url: path,
            remoteAddress: somebody,
          });
          return { status: statusCode, html: String(headers["content-type"]).startsWith("text/html") ? body : "" };
        };
        const links = createLinkCheck({ look, publicUrl: config.publicUrl });
        contentRoutes(router, { figures, articles, outlets, pictures, links });
        pictureRoutes(http, router, pictures);
        siteFileRoutes(http, files);
      },
      // What was rendered before the first texts were there is of no use to anybody.
      start: async () => {
        changed();
        searching = articles.searchAll(stopping).catch(warn("some articles are not found by the search yet"));
      },
      stop: () => searching,
      jobs: [
        // What a start could not do, and what came into the database otherwise.
        {
          name: "content.search",
          schedule: "*/5 * * * *",
          retries: 0,
          timeoutS: 280,
          run: (_, { signal }) => articles.searchAll(signal),
        },
        {
          name: "content.publish",
          schedule: "* * * * *",
          retries: 0,
          timeoutS: 60,
          run: () => articles.publishDue(),
        },
        {
          name: "content.sweep-pictures",
          schedule: "15 3 * * *",
          retries: 0,
          timeoutS: 60,
          run: () => pictures.sweep(),
        },
      ],
    },
  ];
}
