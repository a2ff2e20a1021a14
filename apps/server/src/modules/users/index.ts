import { userSheet } from "@herdwise/contract";
import type { Platform, ServerModule } from "../../module.ts";
import { createImportService, importRepository } from "../../resources/index.ts";
import { type AccountService, isDeniedPassword } from "../accounts/index.ts";
import { auditRepository } from "../audit/index.ts";
import type { BackgroundJobService } from "../background-jobs/index.ts";
import type { FileService } from "../files/index.ts";
import { accountKey, type IdentityService, type Passwords } from "../identity/index.ts";
import { contactRepository } from "../profile/index.ts";
import { createFirstPasswords } from "./first-passwords.ts";
import { userRepository } from "./user.repository.ts";
import { userRoutes } from "./user.routes.ts";
import { createUserService, type UserDependencies } from "./user.service.ts";
import { createUserExport } from "./user-export.service.ts";
import { userFinder } from "./user-finder.ts";
import { userImportHooks } from "./user-import.ts";
import { userSheetRepository } from "./user-sheet.repository.ts";
import { createUserSheetService } from "./user-sheet.service.ts";

export interface UsersModuleDependencies extends Pick<UserDependencies, "endSessions" | "notify" | "contact"> {
  identity: Pick<IdentityService, "locked" | "forgetFailures" | "endMembershipSessions" | "requireConfirmed">;
  accounts: Pick<AccountService, "sendResetLink">;
  passwords: Pick<Passwords, "hash" | "hashRandom">;
  /** What new passwords must have now. */
  passwordRule: UserDependencies["passwordRule"];
  files: FileService;
  jobs: BackgroundJobService;
}

export function createUsersModule(platform: Platform, dependencies: UsersModuleDependencies): ServerModule {
  const { config, kysely, personalCipher, nextId } = platform;
  const { identity, accounts, passwords, endSessions, notify, contact, files, jobs } = dependencies;
  const userDependencies: UserDependencies = {
    repository: userRepository(kysely),
    inTransaction: platform.inTransaction((db) => ({ users: userRepository(db), contacts: contactRepository(db) })),
    withAudit: platform.inTransaction((db) => ({ users: userRepository(db), audit: auditRepository(db) })),
    cipher: personalCipher,
    nextId,
    accountKey,
    hashPassword: passwords.hash,
    isDeniedPassword,
    passwordRule: dependencies.passwordRule,
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
  const sheetRows = userSheetRepository(kysely, nextId);
  const storedImports = importRepository(kysely, userSheet);
  const imports = createImportService(userSheet, {
    rows: sheetRows.rows,
    extra: sheetRows,
    imports: storedImports,
    inTransaction: (work) =>
      kysely.transaction().execute((transaction) => {
        const held = userSheetRepository(transaction, nextId);
        const imports = importRepository(transaction, userSheet);
        return work({ rows: held.rows, audit: auditRepository(transaction), imports }, held);
      }),
    cipher: personalCipher,
    nextId,
    jobs,
    files,
    hooks: userImportHooks,
  });
  const firstPasswords = createFirstPasswords({
    sheets: sheetRows,
    imports: storedImports,
    inTransaction: platform.inTransaction((db) => ({
      sheets: userSheetRepository(db, nextId),
      audit: auditRepository(db),
    })),
    hashRandom: passwords.hashRandom,
    passwordRule: dependencies.passwordRule,
    jobs,
    files,
    nextId,
  });
  const exports = createUserExport({ users, sheets: sheetRows, jobs, files });
  const [check, write] = imports.jobs;
  return {
    finders: [userFinder(userDependencies.repository)],
    routes: (router) =>
      userRoutes(router, users, { sheets, imports, firstPasswords, exports }, identity.requireConfirmed),
    jobs: [jobs.define(check), jobs.define(write), jobs.define(firstPasswords.job), jobs.define(exports.job)],
  };
}
