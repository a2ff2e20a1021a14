import type { Platform, ServerModule } from "../../module.ts";
import { auditRepository } from "./audit.repository.ts";
import { auditRoutes } from "./audit.routes.ts";
import { createAuditService } from "./audit.service.ts";

export { type AuditRecord, type AuditRepository, auditRepository, installationChain } from "./audit.repository.ts";
export { createRecordSpool } from "./record-spool.ts";

export function createAuditModule({ kysely }: Platform): ServerModule {
  const audit = createAuditService(auditRepository(kysely));
  return { routes: (router) => auditRoutes(router, audit) };
}
