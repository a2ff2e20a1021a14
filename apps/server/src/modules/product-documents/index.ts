import { productDocuments } from "@herdwise/contract";
import type { ServerModule } from "../../module.ts";
import { createPreviewLinks } from "../../preview-links.ts";
import { type ResourceContext, resourceModule } from "../../resources/index.ts";
import { auditRepository } from "../audit/index.ts";
import type { SiteFileService } from "../files/index.ts";
import { documentRepository } from "./document.repository.ts";
import { documentFileRoutes, documentRoutes } from "./document.routes.ts";
import { createDocumentService, type DocumentService, documentHooks } from "./document.service.ts";

export type { DocumentService } from "./document.service.ts";
export type { PaperBlock, PaperShape, ProductPaper } from "./paper.ts";
export { writePdf } from "./pdf.ts";

/** Documents about products: their desk, their files, and what visitors find of them. */
export function createProductDocumentsModules(
  context: ResourceContext,
  { siteFiles }: { siteFiles: SiteFileService },
): { modules: ServerModule[]; service: DocumentService } {
  const { kysely, nextId, now, bus, secretKey, inTransaction } = context.platform;
  const changed = (): void => bus.publish("contentChanged", {});
  const documents = createDocumentService({
    repository: documentRepository(kysely),
    inTransaction: inTransaction((db) => ({ documents: documentRepository(db), audit: auditRepository(db) })),
    files: context.files,
    siteFiles,
    previews: createPreviewLinks(secretKey, "document previews", now),
    changed,
    nextId,
  });
  const fields = resourceModule(context, productDocuments, {
    hooks: documentHooks(changed),
    extra: documentRepository,
  });
  return {
    service: documents,
    modules: [
      fields,
      {
        routes(router, http) {
          documentRoutes(router, documents);
          documentFileRoutes(http, router, documents);
        },
      },
    ],
  };
}
