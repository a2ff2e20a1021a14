import {
  homeDraft,
  homePreviewLink,
  homePublish,
  homeRestore,
  homeSave,
  homeTranslate,
  homeVersion,
  homeVersions,
  homeWithdraw,
  previewedHome,
  publicHome,
} from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import { momentOf } from "../../http/wire-moment.ts";
import type { HomePageService } from "./home-page.service.ts";

export function homePageRoutes(router: Router, home: HomePageService): void {
  router.on(homeDraft, ({ scope }) => home.draft(scope));
  router.on(homeSave, ({ scope, body }) => home.save(scope, body));
  router.on(homeTranslate, ({ scope, body, remoteAddress }) => home.propose(scope, body, remoteAddress));
  router.on(homeVersions, ({ scope }) => home.versions(scope));
  router.on(homeVersion, ({ scope, query }) => home.version(scope, query.number));
  router.on(homeRestore, ({ scope, body }) => home.restore(scope, body));
  router.on(homePublish, ({ scope, body: { version, at } }) =>
    home.publish(scope, { version, at: at === undefined ? undefined : momentOf(at) }),
  );
  router.on(homeWithdraw, ({ scope }) => home.withdraw(scope));
  router.on(homePreviewLink, ({ scope }) => home.previewLink(scope));
  router.on(publicHome, ({ query }) => home.shown(query.language));
  router.on(previewedHome, ({ query }) => home.preview(query));
}
