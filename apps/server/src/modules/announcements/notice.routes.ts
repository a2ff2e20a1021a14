import {
  deskActivities,
  deskMyNotices,
  deskNotices,
  noticeDetail,
  noticePage,
  noticeRemove,
  noticeSubmit,
  noticeTop,
} from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { Session } from "../../http/session.ts";
import type { NoticeService } from "./notice.service.ts";

const rightsOf = ({ permissions, tenantType }: Session) => ({
  view: tenantType === "group" && permissions.has("announcement_view"),
  publish: permissions.has("announcement_publish"),
});

export function noticeRoutes(router: Router, notices: NoticeService): void {
  router.on(noticePage, ({ session, query }) => notices.page(session, query, rightsOf(session)));
  router.on(noticeTop, ({ session, query }) => notices.page(session, query, { view: false }));
  router.on(noticeDetail, ({ session, query }) => notices.detail(session, query.id, rightsOf(session)));
  router.on(noticeSubmit, async ({ session, scope, body }) => {
    await notices.submit(scope, body, rightsOf(session));
    return {};
  });
  router.on(noticeRemove, async ({ session, scope, query, body }) => {
    await notices.remove(scope, query.ids ?? body.ids, rightsOf(session));
    return {};
  });
  router.on(deskActivities, ({ session }) => notices.activities(session));
  router.on(deskNotices, ({ session }) => notices.notices(session));
  router.on(deskMyNotices, ({ session }) => notices.unread(session));
}
