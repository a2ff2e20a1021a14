import {
  type PriceBreed,
  priceAlertList,
  priceAlertRemove,
  priceAlertSubmit,
  priceBreeds,
  priceConfirm,
  priceCorrect,
  priceCorrectionDecide,
  priceCsvPath,
  priceDesk,
  priceExport,
  priceHistory,
  pricePublish,
  priceReturn,
  priceSchedule,
  priceSheet,
  priceSubmit,
  priceTrend,
  quotations,
  trendDays,
} from "@herdwise/contract";
import type { FastifyInstance } from "fastify";
import type { Router } from "../../http/router.ts";
import { momentOf } from "../../http/wire-moment.ts";
import type { PriceAlertService } from "./price-alert.service.ts";
import type { PriceDeskService } from "./price-desk.service.ts";
import type { PriceSheet } from "./price-sheet.service.ts";
import type { QuotationService } from "./quotation.service.ts";

export interface PriceServices {
  desk: PriceDeskService;
  sheet: PriceSheet;
  published: QuotationService;
  alerts: PriceAlertService;
}

export function priceRoutes(router: Router, { desk, sheet, published, alerts }: PriceServices): void {
  router.on(priceDesk, ({ scope, query }) => desk.desk(scope, query.day));
  router.on(priceSubmit, ({ scope, body }) => desk.submit(scope, body));
  router.on(priceConfirm, ({ scope, body }) => desk.confirm(scope, body));
  router.on(priceReturn, ({ scope, body }) => desk.sendBack(scope, body));
  router.on(priceSchedule, ({ scope, body }) => desk.schedule(scope, body.day, momentOf(body.at)));
  router.on(pricePublish, ({ scope, body }) => desk.publish(scope, body.day));
  router.on(priceCorrect, ({ scope, body }) => desk.correct(scope, body));
  router.on(priceCorrectionDecide, ({ scope, body }) => desk.decide(scope, body));
  router.on(priceHistory, ({ scope, query }) => desk.history(scope, query.day));
  router.on(priceSheet, ({ scope, body }) => sheet.read(scope, body.attachId));
  router.on(priceExport, ({ scope, body }) => sheet.export(scope, body.day));
  router.on(quotations, ({ query }) => published.quotations(query.breed));
  router.on(priceTrend, ({ query }) => published.trend(query));
  router.on(priceAlertList, ({ session }) => alerts.list(session));
  router.on(priceAlertSubmit, ({ session, body }) => alerts.submit(session, body));
  router.on(priceAlertRemove, ({ session, body }) => alerts.remove(session, body.ids));
}

/** The prices as a file; what an address says that is not known is as if it said nothing. */
export function priceFileRoutes(http: FastifyInstance, router: Router, published: QuotationService): void {
  http.get<{ Querystring: Record<string, string | undefined> }>(
    priceCsvPath,
    {
      config: { openBecause: "published prices are for everybody" },
      onRequest: router.counted({ method: "GET", path: priceCsvPath, rate: "guarded" }),
    },
    async ({ query }, reply) => {
      const breed: PriceBreed = priceBreeds.find(([known]) => known === query.breed)?.[0] ?? "outer";
      const days = trendDays.find((known) => String(known) === query.days) ?? 90;
      return reply
        .type("text/csv; charset=utf-8")
        .header("Content-Disposition", `attachment; filename="herdwise-${breed}-${days}.csv"`)
        .header("X-Content-Type-Options", "nosniff")
        .send(await published.csv(breed, days, query.lang === "en" ? "en" : "zh"));
    },
  );
}
