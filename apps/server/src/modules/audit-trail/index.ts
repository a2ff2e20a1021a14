import type { Platform, ServerModule } from "../../module.ts";
import { auditRepository, type TellEntries } from "../audit/index.ts";
import type { BackgroundJobService } from "../background-jobs/index.ts";
import type { FileService } from "../files/index.ts";
import { auditNameRepository } from "./audit-name.repository.ts";
import { auditTrailRoutes } from "./audit-trail.routes.ts";
import { createAuditTrailService } from "./audit-trail.service.ts";
import { createSentences } from "./sentences.ts";

/** What puts entries of the audit trail into words, for the trail and for the history of each row. */
export const createTellEntries = ({ kysely }: Platform): TellEntries => createSentences(auditNameRepository(kysely));

/** Reads what the modules wrote into the audit trail, as sentences. */
export function createAuditTrailModule(
  { kysely }: Platform,
  { jobs, files, tellEntries }: { jobs: BackgroundJobService; files: FileService; tellEntries: TellEntries },
): ServerModule {
  const trail = createAuditTrailService({
    repository: auditRepository(kysely),
    tellEntries,
    jobs,
    files,
  });
  return { routes: (router) => auditTrailRoutes(router, trail), jobs: [jobs.define(trail.job)] };
}
