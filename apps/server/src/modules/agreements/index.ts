import type { Platform, ServerModule } from "../../module.ts";
import { auditRepository } from "../audit/index.ts";
import type { BackgroundJobService } from "../background-jobs/index.ts";
import type { FileService } from "../files/index.ts";
import { agreementRepository } from "./agreement.repository.ts";
import { agreementRoutes } from "./agreement.routes.ts";
import { type AgreementService, createAgreementService } from "./agreement.service.ts";
import { versionRepository } from "./version.repository.ts";
import { createVersionService } from "./version.service.ts";

export interface AgreementsModule extends ServerModule {
  readonly service: AgreementService;
}

/** User agreement and privacy policy: what is in force, who agreed to it, and how the group writes and publishes the next one. */
export function createAgreementsModule(
  { kysely, inTransaction, nextId, now }: Platform,
  { jobs, files }: { jobs: BackgroundJobService; files: FileService },
): AgreementsModule {
  const agreements = createAgreementService(agreementRepository(kysely));
  const versions = createVersionService({
    versions: versionRepository(kysely),
    inOne: inTransaction((db) => ({ versions: versionRepository(db), audit: auditRepository(db) })),
    jobs,
    files,
    nextId,
    now,
  });
  return {
    service: agreements,
    routes: (router) => agreementRoutes(router, agreements, versions),
    jobs: [jobs.define(versions.job)],
  };
}
