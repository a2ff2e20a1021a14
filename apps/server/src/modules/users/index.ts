import type { Platform, ServerModule } from "../../module.ts";
import { type AccountService, isDeniedPassword } from "../accounts/index.ts";
import { auditRepository } from "../audit/index.ts";
import type { FileService } from "../files/index.ts";
import { accountKey, type IdentityService, type Passwords } from "../identity/index.ts";
import { contactRepository } from "../profile/index.ts";
import { userRepository } from "./user.repository.ts";
import { userRoutes } from "./user.routes.ts";
import { createUserService, type UserDependencies } from "./user.service.ts";
import { createUserSheetService } from "./user-sheet.service.ts";

export interface UsersModuleDependencies extends Pick<UserDependencies, "endSessions" | "notify" | "contact"> {
  identity: Pick<IdentityService, "locked" | "forgetFailures" | "endMembershipSessions" | "requireConfirmed">;
  accounts: Pick<AccountService, "sendResetLink">;
  passwords: Pick<Passwords, "hash">;
  files: Pick<FileService, "withDraft" | "withReceived">;
}

export function createUsersModule(platform: Platform, dependencies: UsersModuleDependencies): ServerModule {
  const { config, kysely, personalCipher, nextId } = platform;
  const { identity, accounts, passwords, endSessions, notify, contact, files } = dependencies;
  const userDependencies: UserDependencies = {
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
  };
  const users = createUserService(userDependencies);
  const sheets = createUserSheetService({
    users,
    files,
    accountKey,
    // The users of a sheet are added in one transaction, all or none.
    inTransaction: (work) =>
      kysely.transaction().execute((transaction) => {
        const repository = userRepository(transaction);
        const own = createUserService({
          ...userDependencies,
          repository,
          inTransaction: (inner) => inner({ users: repository, contacts: contactRepository(transaction) }),
        });
        return work({ users: own, repository, audit: auditRepository(transaction) });
      }),
    nextId,
  });
  return { routes: (router) => userRoutes(router, users, sheets, identity.requireConfirmed) };
}
