import {
  announcementDetail,
  announcementFarms,
  announcementPage,
  announcementReach,
  announcementReceiptExport,
  announcementReceiptPage,
  announcementRemind,
  announcementRemove,
  announcementSchedule,
  announcementSubmit,
  announcementTenants,
  announcementUnschedule,
  announcementWithdraw,
} from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { AnnouncementService } from "./announcement.service.ts";

/** @param onScheduled something may have to be sent at once */
export function announcementRoutes(router: Router, announcements: AnnouncementService, onScheduled: () => void): void {
  router.on(announcementPage, ({ query }) => announcements.page(query));
  router.on(announcementDetail, ({ query }) => announcements.detail(query.id));
  router.on(announcementFarms, ({ query }) => announcements.farms(query.keyword));
  router.on(announcementTenants, ({ query }) => announcements.tenants(query.keyword));
  router.on(announcementReceiptPage, ({ query }) => announcements.receipts(query));
  router.on(announcementReceiptExport, ({ scope, body }) => announcements.export(scope, body));
  router.on(announcementRemind, async ({ scope, body }) => {
    const reminded = await announcements.remind(scope, body);
    onScheduled();
    return reminded;
  });
  router.on(announcementReach, ({ body }) => announcements.reach(body));
  router.on(announcementSubmit, ({ scope, body }) => announcements.submit(scope, body));
  router.on(announcementSchedule, async ({ scope, body }) => {
    await announcements.schedule(scope, body);
    if (body.at === undefined) onScheduled();
    return {};
  });
  router.on(announcementUnschedule, async ({ scope, body }) => {
    await announcements.unschedule(scope, body);
    return {};
  });
  router.on(announcementWithdraw, async ({ scope, body }) => {
    await announcements.withdraw(scope, body);
    return {};
  });
  router.on(announcementRemove, async ({ scope, body }) => {
    await announcements.remove(scope, body);
    return {};
  });
}
