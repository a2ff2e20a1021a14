import { describeDevice } from "../../callers.ts";
import type { Platform, ServerModule } from "../../module.ts";
import type { IdentityService } from "../identity/index.ts";
import { qrLoginRoutes } from "./qr-login.routes.ts";
import { createQrLogin, type QrLogin } from "./qr-login.service.ts";

export interface QrLoginModule extends ServerModule {
  readonly service: QrLogin;
}

export function createQrLoginModule(
  { config, store, now }: Platform,
  { identity }: { identity: Pick<IdentityService, "openSessionAs" | "userInfo"> },
): QrLoginModule {
  const qrLogin = createQrLogin({
    store,
    publicUrl: config.publicUrl,
    now,
    openSession: (accountId, tenantId) => (caller) => identity.openSessionAs(accountId, tenantId, caller),
    personOf: async (session) => {
      const person = await identity.userInfo(session);
      return { nickName: person.nick_name, avatar: person.avatar };
    },
    describeDevice,
  });
  return { service: qrLogin, routes: (router) => qrLoginRoutes(router, qrLogin) };
}
