import type { Platform, ServerModule } from "../../module.ts";
import { accountScope, systemScope } from "../../tenant-scope.ts";
import type { IdentityService } from "../identity/index.ts";
import type { MessageService } from "../messages/index.ts";
import { accessRepository } from "./access.repository.ts";
import { accessRoutes } from "./access.routes.ts";
import { createAccessService } from "./access.service.ts";

const receivers = systemScope("a member asks those of the tenant who may give roles");

export function createAccessModule(
  { kysely, store }: Platform,
  { identity, messages }: { identity: Pick<IdentityService, "userInfo">; messages: Pick<MessageService, "send"> },
): ServerModule {
  const access = createAccessService({
    repository: accessRepository(kysely),
    store,
    notify: (accountId, title, content) => messages.send(accountScope(receivers, accountId), "system", title, content),
    nameOf: async (session) => {
      const { real_name: realName, nick_name: nickName } = await identity.userInfo(session);
      return nickName || realName || session.account;
    },
  });
  return { routes: (router) => accessRoutes(router, access) };
}
