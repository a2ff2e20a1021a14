import {
  announcementFarms,
  announcementPage,
  announcementReach,
  announcementRemove,
  announcementSchedule,
  announcementSubmit,
  announcementUnschedule,
  announcementWithdraw,
} from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { AnnouncementService } from "./announcement.service.ts";

/** @param onScheduled something may be due at once */
export function announcementRoutes(router: Router, announcements: AnnouncementService, onScheduled: () => void): void {
  router.on(announcementPage, ({ query }) => announcements.page(query));
  router.on(announcementFarms, ({ query }) => announcements.farms(query.keyword));
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
