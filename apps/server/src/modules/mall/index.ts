import type { Platform, ServerModule } from "../../module.ts";
import type { IdentityService } from "../identity/index.ts";
import type { HeldSettings } from "../settings/index.ts";
import { mallRoutes } from "./mall.routes.ts";
import { createMallService } from "./mall.service.ts";

export function createMallModule(
  { config, store }: Platform,
  { identity, settings }: { identity: Pick<IdentityService, "userInfo" | "activeSessions">; settings: HeldSettings },
): ServerModule {
  const mall = createMallService({
    store,
    mallSecret: () => settings.text("mall.secret") || config.mallSecret,
    customerServiceUrl: () => settings.text("site.serviceUrl"),
    personOf: async (session) => {
      const person = await identity.userInfo(session);
      return {
        userId: person.user_id,
        account: person.account,
        nickName: person.nick_name,
        tenantId: person.tenant_id,
      };
    },
    isActive: async (sessionId) => (await identity.activeSessions([sessionId])).length > 0,
  });
  return { routes: (router) => mallRoutes(router, mall) };
}
