import type { Platform, ServerModule } from "../../module.ts";
import { accountScope, type MemberScope, systemScope } from "../../tenant-scope.ts";
import type { IdentityService } from "../identity/index.ts";
import type { MessageService } from "../messages/index.ts";
import { accessRepository } from "./access.repository.ts";
import { accessRoutes } from "./access.routes.ts";
import { createAccessService } from "./access.service.ts";

/** Accounts of a tenant's members whose roles hold a button, by its code; one row for each role. */
export type HoldersOf = (member: MemberScope, buttonCode: string) => Promise<{ accountId: string }[]>;

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
  return { holdersOf: repository.holdersOf, routes: (router) => accessRoutes(router, access) };
}
