import { createHash, randomBytes } from "node:crypto";
import {
  type Appearance,
  judgedTooMildly,
  type PasswordRule,
  passwordRuleValues,
  type ResetPrecheck,
  type ResetTicket,
  type SmsSent,
  usernameProblem,
} from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { Session } from "../../http/session.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import type { SmsMessage } from "../../providers/sms/sms.ts";
import type { Store } from "../../providers/store.ts";
import { accountScope, type SystemScope } from "../../tenant-scope.ts";
import type { EventCaller, RecordEvent } from "../account-log/index.ts";
import { accountKey } from "../identity/index.ts";
import { phoneOf } from "../verification/index.ts";
import type { AccountRepository, RegistrationRepository } from "./account.repository.ts";
import { isDeniedPassword } from "./common-passwords.ts";

/** A proven reset must be used within this time, s (decisions.md 2). */
const resetTicketLifetimeS = 600;
/** A link that an administrator had sent, s: its reader is not waiting at the page. */
const resetLinkLifetimeS = 1800;
/** Accounts that one phone may be bound to. */
export const accountsPerPhone = 5;

interface CodeProof {
  phone: string;
  id: string | undefined;
  code: string | undefined;
}

export interface AccountDependencies {
  repository: AccountRepository;
  registrations: RegistrationRepository;
  /** For accounts of people who proved by a code that they are theirs. */
  proven: SystemScope;
  inTransaction<T>(
    work: (to: { accounts: AccountRepository; registrations: RegistrationRepository }) => Promise<T>,
  ): Promise<T>;
  store: Store;
  cipher: PersonalCipher;
  nextId: () => string;
  hashPassword(md5: string): Promise<string>;
  /** What new passwords must have now. */
  passwordRule(): PasswordRule;
  sendCode(phone: string, purpose: "reset-password", remoteAddress: string): Promise<SmsSent>;
  sendSms(message: SmsMessage, remoteAddress: string): Promise<void>;
  proveCode(
    proof: CodeProof,
    purpose: "register" | "reset-password",
  ): Promise<{ phone: string; giveBack: () => Promise<void> }>;
  /** @throws {Refusal} 400 for an id that is no version in force */
  requireCurrentAgreements(ids: readonly string[]): Promise<void>;
  /** Compares the own password and counts wrong ones. @throws {Refusal} */
  confirmPassword(accountId: string, password: string): Promise<void>;
  endSessions(accountId: string, reason: string, except?: string): Promise<void>;
  forgetFailures(account: string, phone: string): Promise<void>;
  notify(accountId: string, title: string, content: string): Promise<void>;
  record: RecordEvent;
}

export interface Registration {
  username: string;
  mobilePhone: string;
  password: string;
  confirmPassword: string;
  /** The rule that the form checked, where it says so. */
  passwordRule?: string;
  agreementIds?: readonly string[];
}

/** Whose link it is and where it goes. */
export interface ResetLink {
  id: string;
  account: string;
  /** Proven by its owner. */
  phone: string;
}

interface HeldReset {
  phone: string;
  accounts: { id: string; account: string }[];
}

const ticketKey = (nonceKey: string) => `reset:${createHash("sha256").update(nonceKey).digest("hex")}`;
const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Registration, the three steps of a reset, retrieval of names, and what a person changes of the own account. */
export function createAccountService(dependencies: AccountDependencies) {
  const { repository, registrations, proven, inTransaction, store, cipher, nextId } = dependencies;

  const requireGoodPassword = (
    { password, confirmation, judgedBy }: { password: string; confirmation: string; judgedBy: string | undefined },
    personal: readonly string[],
  ): void => {
    const rule = dependencies.passwordRule();
    if (judgedBy !== undefined && judgedTooMildly(judgedBy, rule))
      throw refuse("password.rule_changed", { field: "password", values: passwordRuleValues(rule) });
    if (!same(password, confirmation)) throw refuse("accounts.confirmation", { field: "confirmPassword" });
    if (isDeniedPassword(password, personal)) throw refuse("accounts.common_password", { field: "password" });
  };
  const activeAccounts = async (phone: string) =>
    (await registrations.byPhone(cipher.indexes(phone))).filter(({ status }) => status === 1);

  return {
    /**
     * Opens an account of type personal with a tenant of its own. Whether a login name is taken shows only to who proved a
     * phone; the code stays usable then, five tries in all.
     * @throws {Refusal} 400
     */
    async register(
      { username, mobilePhone, password, confirmPassword, passwordRule, agreementIds = [] }: Registration,
      code: Omit<CodeProof, "phone">,
      remoteAddress: string,
    ): Promise<void> {
      const name = username.normalize("NFKC").trim();
      const phone = phoneOf(mobilePhone);
      const problem = usernameProblem(name, phone);
      if (problem !== "") throw refuse("accounts.username", { field: "username", values: { problem } });
      requireGoodPassword({ password, confirmation: confirmPassword, judgedBy: passwordRule }, [name, phone]);
      if (agreementIds.length > 0) await dependencies.requireCurrentAgreements(agreementIds);
      const proof = await dependencies.proveCode({ phone, ...code }, "register");
      try {
        const key = accountKey(name);
        const taken = () => refuse("accounts.username_taken", { field: "username", values: { name } });
        if (await registrations.isTaken(key)) throw taken();
        if ((await registrations.byPhone(cipher.indexes(phone))).length >= accountsPerPhone) {
          throw refuse("accounts.phone_full", { field: "mobilePhone" });
        }
        const id = nextId();
        const row = {
          id,
          membershipId: nextId(),
          account: name,
          accountKey: key,
          passwordHash: await dependencies.hashPassword(password),
          phoneEncrypted: cipher.encrypt(phone),
          phoneIndex: cipher.index(phone),
        };
        await inTransaction(async (to) => {
          if (!(await to.registrations.insertWithTenant(row, `${name} 的农场`, nextId))) throw taken();
          await to.accounts.insertConsents(accountScope(proven, id), agreementIds, remoteAddress);
        });
      } catch (error) {
        await proof.giveBack();
        throw error;
      }
    },

    /**
     * First step: sends a code to any number, known or not, without looking for accounts. The masked list is the masked
     * number itself, which a person may log in with: its presence tells nothing. Names follow once the number is proven.
     */
    async resetPrecheck(phone: string, remoteAddress: string): Promise<ResetPrecheck> {
      const sent = await dependencies.sendCode(phone, "reset-password", remoteAddress);
      return { ...sent, accounts: [sent.phone] };
    },

    /** Second step. @throws {Refusal} 400 */
    async resetValidate(phone: string, code: Omit<CodeProof, "phone">): Promise<ResetTicket> {
      const proof = await dependencies.proveCode({ phone, ...code }, "reset-password");
      const accounts = await activeAccounts(proof.phone);
      if (accounts.length === 0) throw refuse("accounts.phone_unknown");
      const nonceKey = randomBytes(32).toString("base64url");
      const held: HeldReset = {
        phone: cipher.encrypt(proof.phone),
        accounts: accounts.map(({ id, account }) => ({ id, account })),
      };
      await store.set(ticketKey(nonceKey), JSON.stringify(held), resetTicketLifetimeS);
      return { nonceKey, accounts: accounts.map(({ account }) => account) };
    },

    /**
     * Sends a link to the proven phone of an account that leads to the third step.
     * @throws {Refusal} 429 when the number's budget is spent, 400 when the message does not go out
     */
    async sendResetLink({ id, account, phone }: ResetLink, remoteAddress: string): Promise<void> {
      // 128 bits: templates of SMS services have no place for more than 35 characters.
      const nonceKey = randomBytes(16).toString("base64url");
      const held: HeldReset = { phone: cipher.encrypt(phone), accounts: [{ id, account }] };
      await store.set(ticketKey(nonceKey), JSON.stringify(held), resetLinkLifetimeS);
      await dependencies.sendSms({ phone, kind: "reset-link", variables: { code: nonceKey } }, remoteAddress);
    },

    /** Third step. @throws {Refusal} 400; a mistake in the form does not use the nonceKey up */
    async reset(
      request: {
        account: string;
        nonceKey: string;
        password: string;
        confirmPassword: string;
        passwordRule?: string;
      },
      caller: EventCaller,
    ): Promise<void> {
      const expired = () => refuse("accounts.reset_expired");
      const text = request.nonceKey === "" ? undefined : await store.get(ticketKey(request.nonceKey));
      if (text === undefined) throw expired();
      const held = JSON.parse(text) as HeldReset;
      const phone = cipher.decrypt(held.phone);
      const [only, ...others] = held.accounts;
      const chosen =
        request.account === "" && others.length === 0
          ? only
          : held.accounts.find(({ account }) => accountKey(account) === accountKey(request.account));
      if (chosen === undefined) throw refuse("accounts.reset_account");
      const { password, confirmPassword: confirmation, passwordRule: judgedBy } = request;
      requireGoodPassword({ password, confirmation, judgedBy }, [chosen.account, phone]);
      // Of a hundred at once one takes it.
      if ((await store.take(ticketKey(request.nonceKey))) === undefined) throw expired();
      await repository.setPassword(accountScope(proven, chosen.id), await dependencies.hashPassword(password));
      await dependencies.endSessions(chosen.id, "password_reset");
      await dependencies.forgetFailures(chosen.account, phone);
      await dependencies.record(chosen.id, "password_reset", { caller });
      await dependencies.notify(
        chosen.id,
        "密码已重置",
        "您的密码已通过手机验证码重置，所有登录均已退出。如非本人操作，请立即联系客服。",
      );
    },

    /** Sends the account names of a number to it. What the caller sees is the same for every number. */
    async retrieve(text: string, remoteAddress: string): Promise<void> {
      const phone = phoneOf(text);
      const names = (await activeAccounts(phone)).map(({ account }) => account);
      await dependencies.sendSms(
        names.length === 0
          ? { phone, kind: "no-account", variables: {} }
          : { phone, kind: "account-names", variables: { names: names.join("、") } },
        remoteAddress,
      );
    },

    /** @throws {Refusal} 400 */
    async updatePassword(
      session: Session,
      {
        oldPassword = "",
        newPassword = "",
        newPassword1 = "",
        passwordRule: judgedBy,
      }: { oldPassword?: string; newPassword?: string; newPassword1?: string; passwordRule?: string },
      caller: EventCaller,
    ): Promise<void> {
      if (newPassword === "" || !same(newPassword, newPassword1)) {
        throw refuse("accounts.new_confirmation");
      }
      await dependencies.confirmPassword(session.accountId, oldPassword);
      if (same(newPassword, oldPassword)) throw refuse("accounts.same_password");
      const phoneEncrypted = await repository.phoneEncrypted(session);
      const phone = phoneEncrypted === "" ? "" : cipher.decrypt(phoneEncrypted);
      const chosen = { password: newPassword, confirmation: newPassword1, judgedBy };
      requireGoodPassword(chosen, [session.account, phone]);
      await repository.setPassword(session, await dependencies.hashPassword(newPassword));
      await dependencies.endSessions(session.accountId, "password_changed", session.id);
      await dependencies.record(session.accountId, "password_changed", { caller });
      await dependencies.notify(
        session.accountId,
        "密码已修改",
        "您的密码已修改，其他设备上的登录均已退出。如非本人操作，请立即重置密码并联系客服。",
      );
    },

    /** Keeps what was given; fields that were not stay as they are. */
    async setAppearance(session: Session, { sideMode, activeColor, baseColor }: Appearance): Promise<void> {
      const change = {
        ...(sideMode !== undefined && { sideMode }),
        ...(activeColor !== undefined && { activeColor }),
        ...(baseColor !== undefined && { baseColor }),
      };
      if (Object.keys(change).length > 0) await repository.setAppearance(session, change);
    },
  };
}
export type AccountService = ReturnType<typeof createAccountService>;
