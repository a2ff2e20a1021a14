import { auditExport, auditPage, auditPersons, auditRows, auditVerify } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { AuditTrailService } from "./audit-trail.service.ts";

export function auditTrailRoutes(router: Router, trail: AuditTrailService): void {
  router.on(auditPage, ({ scope, query }) => trail.page(scope, query));
  router.on(auditPersons, ({ scope, query }) => trail.persons(scope, query));
  router.on(auditRows, ({ scope, query }) => trail.rows(scope, query));
  router.on(auditExport, ({ scope, body }) => trail.export(scope, body));
  router.on(auditVerify, ({ scope }) => trail.verify(scope));
}
