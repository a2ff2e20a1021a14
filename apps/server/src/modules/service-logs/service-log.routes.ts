import {
  apiLogDetail,
  apiLogPage,
  errorLogDetail,
  errorLogPage,
  logRetention,
  requestLogs,
  usualLogDetail,
  usualLogPage,
} from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { ServiceLogService } from "./service-log.service.ts";

export function serviceLogRoutes(router: Router, logs: ServiceLogService): void {
  router.on(usualLogPage, ({ scope, query }) => logs.usual(scope, query));
  router.on(usualLogDetail, ({ scope, query }) => logs.usualDetail(scope, query.id));
  router.on(apiLogPage, ({ scope, query }) => logs.api(scope, query));
  router.on(apiLogDetail, ({ scope, query }) => logs.apiDetail(scope, query.id));
  router.on(errorLogPage, ({ scope, query }) => logs.error(scope, query));
  router.on(errorLogDetail, ({ scope, query }) => logs.errorDetail(scope, query.id));
  router.on(requestLogs, ({ scope, query }) => logs.ofRequest(scope, query.requestId));
  router.on(logRetention, () => logs.retention());
}
