import type { Platform, ServerModule } from "../../module.ts";
import { isDeniedPassword } from "../accounts/index.ts";
import { accountKey, type IdentityService, type Passwords } from "../identity/index.ts";
import { userRepository } from "./user.repository.ts";
import { userRoutes } from "./user.routes.ts";
import { createUserService, type UserDependencies } from "./user.service.ts";

export interface UsersModuleDependencies extends Pick<UserDependencies, "endSessions" | "notify"> {
  identity: Pick<IdentityService, "locked" | "forgetFailures" | "endMembershipSessions">;
  passwords: Pick<Passwords, "hash">;
}

export function createUsersModule(platform: Platform, dependencies: UsersModuleDependencies): ServerModule {
  const { config, kysely, personalCipher, nextId } = platform;
  const { identity, passwords, endSessions, notify } = dependencies;
  const users = createUserService({
    repository: userRepository(kysely),
    inTransaction: platform.inTransaction(userRepository),
    cipher: personalCipher,
    nextId,
    accountKey,
    hashPassword: passwords.hash,
    isDeniedPassword,
    locked: identity.locked,
    forgetFailures: identity.forgetFailures,
    endSessions,
    endMembershipSessions: identity.endMembershipSessions,
    notify,
    resetPassword: config.resetPassword,
  });
  return { routes: (router) => userRoutes(router, users) };
}
