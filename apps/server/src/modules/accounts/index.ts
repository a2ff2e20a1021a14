import type { Platform, ServerModule } from "../../module.ts";
import { systemScope } from "../../tenant-scope.ts";
import type { IdentityService, Passwords } from "../identity/index.ts";
import type { RequireCaptcha, VerificationService } from "../verification/index.ts";
import { accountRepository, registrationRepository } from "./account.repository.ts";
import { accountRoutes } from "./account.routes.ts";
import { type AccountDependencies, type AccountService, createAccountService } from "./account.service.ts";

export { type AccountService, accountsPerPhone } from "./account.service.ts";
export { isDeniedPassword } from "./common-passwords.ts";

export interface AccountsModule extends ServerModule {
  readonly service: AccountService;
}

export interface AccountsModuleDependencies extends Pick<AccountDependencies, "endSessions" | "notify" | "record"> {
  identity: Pick<IdentityService, "confirmPassword" | "forgetFailures">;
  passwords: Pick<Passwords, "hash">;
  verification: Pick<VerificationService, "send" | "notify" | "prove">;
  agreements: { requireCurrent: AccountDependencies["requireCurrentAgreements"] };
  requireCaptcha: RequireCaptcha;
  /** What new passwords must have now. */
  passwordRule: AccountDependencies["passwordRule"];
}

const proven = systemScope("who registers or lost the password is not signed in, and proves a number by a code");

export function createAccountsModule(platform: Platform, dependencies: AccountsModuleDependencies): AccountsModule {
  const { kysely, store, personalCipher, nextId } = platform;
  const { identity, passwords, verification, agreements, requireCaptcha, endSessions, notify, record } = dependencies;
  const accounts = createAccountService({
    repository: accountRepository(kysely),
    registrations: registrationRepository(kysely, proven),
    proven,
    inTransaction: platform.inTransaction((db) => ({
      accounts: accountRepository(db),
      registrations: registrationRepository(db, proven),
    })),
    store,
    cipher: personalCipher,
    nextId,
    hashPassword: passwords.hash,
    passwordRule: dependencies.passwordRule,
    sendCode: (phone, purpose, remoteAddress) => verification.send(phone, [purpose], remoteAddress),
    sendSms: verification.notify,
    proveCode: verification.prove,
    requireCurrentAgreements: agreements.requireCurrent,
    confirmPassword: identity.confirmPassword,
    endSessions,
    forgetFailures: identity.forgetFailures,
    notify,
    record,
  });
  return {
    service: accounts,
    routes: (router) => accountRoutes(router, accounts, requireCaptcha),
  };
}
