import type { Platform, ServerModule } from "../../module.ts";
import { createPreviewLinks } from "../../preview-links.ts";
import { auditRepository } from "../audit/index.ts";
import type { LanguagesModule } from "../languages/index.ts";
import { homePageRepository } from "./home-page.repository.ts";
import { homePageRoutes } from "./home-page.routes.ts";
import { createHomePageService, type HomePageService } from "./home-page.service.ts";

export interface HomePageModule extends ServerModule {
  readonly service: Pick<HomePageService, "languages">;
}

/** Which sections the home page has, in which order, with which words. */
export function createHomePageModule(
  { kysely, nextId, now, bus, secretKey, inTransaction }: Platform,
  { translate }: Pick<LanguagesModule, "translate">,
): HomePageModule {
  const home = createHomePageService({
    repository: homePageRepository(kysely),
    inTransaction: inTransaction((db) => ({ page: homePageRepository(db), audit: auditRepository(db) })),
    previews: createPreviewLinks(secretKey, "home previews", now),
    translate,
    changed: () => bus.publish("contentChanged", {}),
    now,
    nextId,
  });
  return {
    service: home,
    routes: (router) => homePageRoutes(router, home),
    jobs: [{ name: "home.publish", schedule: "* * * * *", retries: 0, timeoutS: 60, run: () => home.publishDue() }],
  };
}
