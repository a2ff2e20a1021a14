import { recordVisits, visitPage, visitPages, visitSums } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { VisitService } from "./visit.service.ts";

export function visitRoutes(router: Router, visits: VisitService): void {
  router.on(recordVisits, async ({ body, remoteAddress }) => {
    await visits.record(body.visits, remoteAddress);
    return {};
  });
  router.on(visitPage, ({ query }) => visits.page(query));
  router.on(visitPages, ({ query }) => visits.pages(query.from, query.to));
  router.on(visitSums, ({ query }) => visits.sums(query.from, query.to));
}
