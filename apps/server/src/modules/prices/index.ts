import type { ServerModule } from "../../module.ts";
import type { ResourceContext } from "../../resources/index.ts";
import { systemScope } from "../../tenant-scope.ts";
import { auditRepository } from "../audit/index.ts";
import { messageRepository } from "../messages/index.ts";
import { priceRepository } from "./price.repository.ts";
import { priceFileRoutes, priceRoutes } from "./price.routes.ts";
import { priceAlertRepository } from "./price-alert.repository.ts";
import { createAlertTeller, createPriceAlerts } from "./price-alert.service.ts";
import { createPriceDesk } from "./price-desk.service.ts";
import { createPriceSheet } from "./price-sheet.service.ts";
import { createQuotations } from "./quotation.service.ts";

/** Prices of days and regions: entered, confirmed by a second person, published at a set time, corrected in the open, and told. */
export function createPricesModule({ platform, jobs, files }: ResourceContext): ServerModule {
  const { kysely, now, nextId, bus } = platform;
  const repository = priceRepository(kysely);
  const tell = createAlertTeller({
    scope: systemScope("whoever asked for it is told when a published price crosses a threshold"),
    nextId,
  });
  const desk = createPriceDesk({
    repository,
    audit: auditRepository(kysely),
    inTransaction: (work) =>
      kysely.transaction().execute((db) =>
        work({
          prices: priceRepository(db),
          audit: auditRepository(db),
          tell: (prices, day, published) =>
            tell({ prices, alerts: priceAlertRepository(db), messages: messageRepository(db) }, day, published),
        }),
      ),
    changed: () => bus.publish("contentChanged", {}),
    now,
    nextId,
  });
  const sheet = createPriceSheet({ repository, jobs, files });
  const published = createQuotations({ repository, now });
  const alerts = createPriceAlerts({
    prices: repository,
    repository: priceAlertRepository(kysely),
    inTransaction: platform.inTransaction(priceAlertRepository),
    nextId,
  });
  bus.subscribe("contentChanged", published.forget);
  bus.onGap(published.forget);
  return {
    routes(router, http) {
      priceRoutes(router, { desk, sheet, published, alerts });
      priceFileRoutes(http, router, published);
    },
    jobs: [
      jobs.define(sheet.job),
      { name: "prices.publish", schedule: "* * * * *", retries: 0, timeoutS: 60, run: () => desk.publishDue() },
    ],
  };
}
