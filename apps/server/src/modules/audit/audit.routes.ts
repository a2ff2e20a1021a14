import { auditPage, auditVerify } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { AuditService } from "./audit.service.ts";

export function auditRoutes(router: Router, audit: AuditService): void {
  router.on(auditPage, ({ scope, query }) => audit.page(scope, query));
  router.on(auditVerify, ({ scope }) => audit.verify(scope));
}
