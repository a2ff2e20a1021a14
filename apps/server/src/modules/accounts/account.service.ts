import { createHash, randomBytes } from "node:crypto";
import {
  type Appearance,
  type ResetPrecheck,
  type ResetTicket,
  type SmsSent,
  usernameProblem,
} from "@herdwise/contract";
import { rejected } from "../../http/errors.ts";
import type { Session } from "../../http/session.ts";
import type { PersonalBox } from "../../personal-box.ts";
import type { SmsMessage } from "../../providers/sms/sms.ts";
import type { Store } from "../../providers/store.ts";
import { accountKey } from "../identity/index.ts";
import { phoneOf } from "../verification/index.ts";
import type { AccountRepository } from "./account.repository.ts";
import { isDeniedPassword } from "./common-passwords.ts";

/** A proven reset must be used within this time, s (decisions.md 2). */
export const resetTicketLifetimeS = 600;
/** Accounts that one phone may open. */
export const accountsPerPhone = 5;
const renewedAtOnce = 500;

interface CodeProof {
  phone: string;
  id: string | undefined;
  code: string | undefined;
}

export interface AccountNeeds {
  repository: AccountRepository;
  inTransaction<T>(work: (repository: AccountRepository) => Promise<T>): Promise<T>;
  store: Store;
  box: PersonalBox;
  nextId: () => string;
  hashPassword(md5: string): Promise<string>;
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
  /** The owner of the account's number sent a code back. */
  markPhoneVerified(accountId: string): Promise<void>;
  notify(accountId: string, title: string, content: string): Promise<void>;
}

export interface Registration {
  username: string;
  mobilePhone: string;
  password: string;
  confirmPassword: string;
  agreementIds?: readonly string[];
}

interface HeldReset {
  phone: string;
  accounts: { id: string; account: string }[];
}

const ticketKey = (nonceKey: string) => `reset:${createHash("sha256").update(nonceKey).digest("hex")}`;
const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Registration, the three steps of a reset, retrieval of names, and what a person changes of the own account. */
export function createAccountService(needs: AccountNeeds) {
  const { repository, inTransaction, store, box, nextId } = needs;

  const requireGoodPassword = (password: string, confirmation: string, personal: readonly string[]): void => {
    if (!same(password, confirmation)) throw rejected("accounts.confirmation", "两次密码不一致");
    if (isDeniedPassword(password, personal)) throw rejected("accounts.common_password", "密码过于常见，请换一个");
  };
  const activeAccounts = async (phone: string) =>
    (await repository.byPhone(box.indexes(phone))).filter(({ status }) => status === 1);

  return {
    /**
     * Opens an account of type personal with a tenant of its own. Whether a login name is taken shows only to who proved a
     * phone; the code stays usable then, five tries in all.
     * @throws {Refusal} 400
     */
    async register(
      { username, mobilePhone, password, confirmPassword, agreementIds = [] }: Registration,
      code: Omit<CodeProof, "phone">,
      remoteAddress: string,
    ): Promise<void> {
      const name = username.normalize("NFKC").trim();
      const phone = phoneOf(mobilePhone);
      const problem = usernameProblem(name, phone);
      if (problem !== "") throw rejected("accounts.username", problem);
      requireGoodPassword(password, confirmPassword, [name, phone]);
      if (agreementIds.length > 0) await needs.requireCurrentAgreements(agreementIds);
      const proof = await needs.proveCode({ phone, ...code }, "register");
      try {
        const key = accountKey(name);
        const taken = () => rejected("accounts.username_taken", `当前用户 [${name}] 已存在!`);
        if (await repository.isTaken(key)) throw taken();
        if ((await repository.byPhone(box.indexes(phone))).length >= accountsPerPhone) {
          throw rejected("accounts.phone_full", "该手机号绑定的账号已达上限");
        }
        const id = nextId();
        const row = {
          id,
          membershipId: nextId(),
          account: name,
          accountKey: key,
          passwordHash: await needs.hashPassword(password),
          phoneBox: box.close(phone),
          phoneIndex: box.index(phone),
        };
        await inTransaction(async (to) => {
          if (!(await to.insertWithTenant(row, `${name} 的农场`, nextId))) throw taken();
          await to.insertConsents(id, agreementIds, remoteAddress);
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
      const sent = await needs.sendCode(phone, "reset-password", remoteAddress);
      return { ...sent, accounts: [sent.phone] };
    },

    /** Second step. @throws {Refusal} 400 */
    async resetValidate(phone: string, code: Omit<CodeProof, "phone">): Promise<ResetTicket> {
      const proof = await needs.proveCode({ phone, ...code }, "reset-password");
      const accounts = await activeAccounts(proof.phone);
      if (accounts.length === 0) throw rejected("accounts.phone_unknown", "该手机号没有绑定账号，请先注册");
      const nonceKey = randomBytes(32).toString("base64url");
      const held: HeldReset = {
        phone: box.close(proof.phone),
        accounts: accounts.map(({ id, account }) => ({ id, account })),
      };
      await store.set(ticketKey(nonceKey), JSON.stringify(held), resetTicketLifetimeS);
      return { nonceKey, accounts: accounts.map(({ account }) => account) };
    },

    /** Third step. @throws {Refusal} 400; a mistake in the form does not use the nonceKey up */
    async reset(request: {
      account: string;
      nonceKey: string;
      password: string;
      confirmPassword: string;
    }): Promise<void> {
      const expired = () => rejected("accounts.reset_expired", "重置已失效，请重新验证手机号");
      const text = request.nonceKey === "" ? undefined : await store.get(ticketKey(request.nonceKey));
      if (text === undefined) throw expired();
      const held = JSON.parse(text) as HeldReset;
      const phone = box.open(held.phone);
      const chosen = held.accounts.find(({ account }) => accountKey(account) === accountKey(request.account));
      if (chosen === undefined) throw rejected("accounts.reset_account", "请选择要重置的账号");
      requireGoodPassword(request.password, request.confirmPassword, [chosen.account, phone]);
      // Of a hundred at once one takes it.
      if ((await store.take(ticketKey(request.nonceKey))) === undefined) throw expired();
      await repository.setPassword(chosen.id, await needs.hashPassword(request.password));
      await needs.markPhoneVerified(chosen.id);
      await needs.endSessions(chosen.id, "password_reset");
      await needs.forgetFailures(chosen.account, phone);
      await needs.notify(
        chosen.id,
        "密码已重置",
        "您的密码已通过手机验证码重置，所有登录均已退出。如非本人操作，请立即联系客服。",
      );
    },

    /** Sends the account names of a number to it. What the caller sees is the same for every number. */
    async retrieve(text: string, remoteAddress: string): Promise<void> {
      const phone = phoneOf(text);
      const names = (await activeAccounts(phone)).map(({ account }) => account);
      await needs.sendSms(
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
      }: { oldPassword?: string; newPassword?: string; newPassword1?: string },
    ): Promise<void> {
      if (newPassword === "" || !same(newPassword, newPassword1)) {
        throw rejected("accounts.confirmation", "请输入正确的确认密码!");
      }
      await needs.confirmPassword(session.accountId, oldPassword);
      if (same(newPassword, oldPassword)) throw rejected("accounts.same_password", "新密码不能与原密码相同");
      const held = await repository.byId(session.accountId);
      const phone = held === undefined || held.phoneBox === "" ? "" : box.open(held.phoneBox);
      requireGoodPassword(newPassword, newPassword1, [session.account, phone]);
      await repository.setPassword(session.accountId, await needs.hashPassword(newPassword));
      await needs.endSessions(session.accountId, "password_changed", session.id);
      await needs.notify(
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
      if (Object.keys(change).length > 0) await repository.setAppearance(session.accountId, change);
    },

    /** Closes phones and e-mails again that were closed with an earlier key. @returns of how many accounts */
    async renewBoxes(): Promise<number> {
      let renewed = 0;
      for (;;) {
        const rows = await repository.boxesOfOldKeys(box.currentPrefix, renewedAtOnce);
        for (const { id, phoneBox, emailBox } of rows) {
          const phone = phoneBox === "" ? "" : box.open(phoneBox);
          await repository.setBoxes(id, {
            phoneBox: phone === "" ? "" : box.close(phone),
            phoneIndex: phone === "" ? null : box.index(phone),
            emailBox: emailBox === "" ? "" : box.close(box.open(emailBox)),
          });
        }
        renewed += rows.length;
        if (rows.length < renewedAtOnce) return renewed;
      }
    },
  };
}
export type AccountService = ReturnType<typeof createAccountService>;
