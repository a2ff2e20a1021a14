import { articles as articleResource, partners as partnerResource } from "@herdwise/contract";
import type { ServerModule } from "../../module.ts";
import { type ResourceContext, resourceModule } from "../../resources/index.ts";
import { auditRepository } from "../audit/index.ts";
import type { DocumentService } from "../product-documents/index.ts";
import type { WorkOrdersModule } from "../work-orders/index.ts";
import { articleRepository } from "./article.repository.ts";
import { articleHooks, createArticleService } from "./article.service.ts";
import { contentRoutes, siteFileRoutes } from "./content.routes.ts";
import { createFiguresService, type FiguresDependencies } from "./figures.service.ts";
import { outletRepository } from "./outlet.repository.ts";
import { createOutletService, type OutletDependencies } from "./outlet.service.ts";
import { createPreviewLinks } from "./preview-links.ts";
import { createSiteFiles } from "./site-files.ts";

/** What the public site shows: articles, solutions, partners, outlets, figures. */
export function createContentModules(
  context: ResourceContext,
  {
    calendar,
    documents,
    suggestions,
    ...dependencies
  }: Pick<FiguresDependencies, "devices" | "farms" | "valuesLastDay"> &
    Pick<OutletDependencies, "calendar"> & {
      documents: Pick<DocumentService, "all">;
      suggestions: WorkOrdersModule["service"];
    },
): ServerModule[] {
  const { kysely, now, nextId, bus, config, secretKey, warn } = context.platform;
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
    previews: createPreviewLinks(secretKey, now),
    changed,
    warn,
    now,
    nextId,
  });
  const outlets = createOutletService({ repository: outletRepository(kysely), calendar, now });
  const files = createSiteFiles({
    all: articles.all,
    documents: documents.all,
    suggestions: suggestions.publicAll,
    publicUrl: config.publicUrl,
    now,
  });
  bus.subscribe("contentChanged", files.forget);
  bus.onGap(files.forget);
  return [
    fields,
    resourceModule(context, partnerResource, { hooks: { changed } }),
    {
      routes(router, http) {
        contentRoutes(router, { figures, articles, outlets });
        siteFileRoutes(http, files);
      },
      // What was rendered before the first texts were there is of no use to anybody.
      start: async () => changed(),
      jobs: [
        {
          name: "content.publish",
          schedule: "* * * * *",
          retries: 0,
          timeoutS: 60,
          run: () => articles.publishDue(),
        },
      ],
    },
  ];
}
