import type { Platform, ServerModule } from "../../module.ts";
import { accountScope, memberScope, type SystemScope, systemScope } from "../../tenant-scope.ts";
import type { IdentityService } from "../identity/index.ts";
import type { MessageService } from "../messages/index.ts";
import { accessRepository } from "./access.repository.ts";
import { accessRoutes } from "./access.routes.ts";
import { createAccessService } from "./access.service.ts";

/** Accounts of a tenant's members whose roles hold a button, by its code. @param scope why they are looked for */
export type HoldersOf = (scope: SystemScope, tenantId: string, buttonCode: string) => Promise<readonly string[]>;

export interface AccessModule extends ServerModule {
  readonly holdersOf: HoldersOf;
}

const receivers = systemScope("a member asks those of the tenant who may give roles");

export function createAccessModule(
  { kysely, store }: Platform,
  { identity, messages }: { identity: Pick<IdentityService, "userInfo">; messages: Pick<MessageService, "send"> },
): AccessModule {
  const repository = accessRepository(kysely);
  const access = createAccessService({
    repository,
    store,
    notify: (accountId, title, content) => messages.send(accountScope(receivers, accountId), "system", title, content),
    nameOf: async (session) => {
      const { real_name: realName, nick_name: nickName } = await identity.userInfo(session);
      return nickName || realName || session.account;
    },
  });
  return {
    async holdersOf(scope, tenantId, buttonCode) {
      // The tenant is what is asked about; the account is nobody's.
      const holders = await repository.holdersOf(memberScope(scope, { accountId: "0", tenantId }), buttonCode);
      return [...new Set(holders.map(({ accountId }) => accountId))];
    },
    routes: (router) => accessRoutes(router, access),
  };
}
