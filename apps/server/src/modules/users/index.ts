import type { Platform, ServerModule } from "../../module.ts";
import { type AccountService, isDeniedPassword } from "../accounts/index.ts";
import { auditRepository } from "../audit/index.ts";
import { accountKey, type IdentityService, type Passwords } from "../identity/index.ts";
import { contactRepository } from "../profile/index.ts";
import { userRepository } from "./user.repository.ts";
import { userRoutes } from "./user.routes.ts";
import { createUserService, type UserDependencies } from "./user.service.ts";

export interface UsersModuleDependencies extends Pick<UserDependencies, "endSessions" | "notify" | "contact"> {
  identity: Pick<IdentityService, "locked" | "forgetFailures" | "endMembershipSessions" | "requireConfirmed">;
  accounts: Pick<AccountService, "sendResetLink">;
  passwords: Pick<Passwords, "hash">;
}

export function createUsersModule(platform: Platform, dependencies: UsersModuleDependencies): ServerModule {
  const { config, kysely, personalCipher, nextId } = platform;
  const { identity, accounts, passwords, endSessions, notify, contact } = dependencies;
  const users = createUserService({
    repository: userRepository(kysely),
    inTransaction: platform.inTransaction((db) => ({ users: userRepository(db), contacts: contactRepository(db) })),
    withAudit: platform.inTransaction((db) => ({ users: userRepository(db), audit: auditRepository(db) })),
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
    sendResetLink: accounts.sendResetLink,
    contact,
    resetPassword: config.resetPassword,
  });
  return { routes: (router) => userRoutes(router, users, identity.requireConfirmed) };
}
