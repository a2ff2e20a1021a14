import {
  realNameClaim,
  realNameConfirm,
  realNameDecide,
  realNameDetail,
  realNameDraft,
  realNameFigures,
  realNamePicture,
  realNameRelease,
  realNameRemitAgain,
  realNameResubmit,
  realNameReveal,
  realNameReviewDetail,
  realNameReviewPage,
  realNameSubmit,
  realNameWithdraw,
} from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { Router } from "../../http/router.ts";
import type { Session } from "../../http/session.ts";
import type { RealNameService } from "./real-name.service.ts";
import type { ReviewService } from "./review.service.ts";

export interface RealNameRouteDependencies {
  realName: RealNameService;
  review: ReviewService;
  /** Binds a ticket for a file to the browser that asked for it. */
  ticketCookie: { name: string; path: string };
}

/** The group answers for itself. */
function requireCustomer({ tenantType }: Session): void {
  if (tenantType === "group") throw refuse("real_name.group");
}

export function realNameRoutes(router: Router, dependencies: RealNameRouteDependencies): void {
  const { realName, review, ticketCookie } = dependencies;
  router.on(realNameDetail, ({ scope }) => realName.detail(scope));
  router.on(realNameDraft, ({ session, scope, body }) => {
    requireCustomer(session);
    return realName.saveDraft(scope, body);
  });
  router.on(realNameSubmit, ({ session, scope, body }) => {
    requireCustomer(session);
    return realName.submit(scope, body);
  });
  router.on(realNameResubmit, ({ scope, body }) => realName.resubmit(scope, body));
  router.on(realNameWithdraw, async ({ scope, body }) => {
    await realName.withdraw(scope, body.id);
    return {};
  });
  router.on(realNameConfirm, ({ scope, body }) => realName.confirm(scope, body));
  router.on(realNameRemitAgain, async ({ scope, body }) => {
    await realName.remitAgain(scope, body.id);
    return {};
  });

  router.on(realNameReviewPage, ({ scope, query }) => review.page(scope, query));
  router.on(realNameReviewDetail, ({ scope, query }) => review.detail(scope, query.id));
  router.on(realNameClaim, ({ scope, body }) => review.claim(scope, body.id));
  router.on(realNameRelease, async ({ scope, body }) => {
    await review.release(scope, body.id);
    return {};
  });
  router.on(realNameDecide, ({ scope, body }) => review.decide(scope, body));
  router.on(realNamePicture, async ({ session, scope, body, setCookie }) => {
    const { browserMark, ...ticket } = await review.picture(session, scope, body.id, body.field);
    setCookie(ticketCookie.name, browserMark, ticket.expiresIn, ticketCookie.path);
    return ticket;
  });
  router.on(realNameReveal, ({ scope, body }) => review.reveal(scope, body.id, body.field));
  router.on(realNameFigures, ({ scope }) => review.figures(scope));
}
