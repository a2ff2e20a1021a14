import { createHash, createHmac, randomBytes, randomInt, randomUUID, timingSafeEqual } from "node:crypto";
import {
  type BodyOf,
  type contactCode,
  contactProofMinutes,
  phoneHoldHours,
  phoneTakeBackDays,
  smsLimits,
} from "@herdwise/contract";
import { Refusal, refuse } from "../../http/errors.ts";
import { writePersonal } from "../../http/personal.ts";
import type { Session } from "../../http/session.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import { type Budget, spend } from "../../providers/budget.ts";
import type { MailSender } from "../../providers/mail/mail.ts";
import type { Store } from "../../providers/store.ts";
import { type AccountScope, accountScope, type MemberScope, type SystemScope } from "../../tenant-scope.ts";
import type { EventCaller, RecordEvent } from "../account-log/index.ts";
import { accountsPerPhone } from "../accounts/index.ts";
import { phoneOf, type VerificationService } from "../verification/index.ts";
import type { ContactChangeRow, ContactRepository } from "./contact.repository.ts";

/** A code by mail lives longer than one by SMS: mails take their time. s */
const mailCodeLifetimeS = 600;
const mailBudgets: readonly Budget[] = [
  { max: 5, windowS: 3600 },
  { max: 10, windowS: 86_400 },
];
/** Guesses of the last six digits of an ID number within a day. */
const identityTries: Budget = { max: 5, windowS: 86_400 };
const hourMs = 3_600_000;
const mailCodeText = "验证码 {code}，用于绑定邮箱，10 分钟内有效。请勿告诉他人。如非本人操作，请忽略。";
const mailPattern = /^[^\s@"<>,;:\\[\]]+@[^\s@"<>,;:\\[\]]+\.[a-z\d-]{2,}$/i;

export interface ContactDependencies {
  repository: ContactRepository;
  inTransaction<T>(work: (repository: ContactRepository) => Promise<T>): Promise<T>;
  /** For accounts that the clock, or the owner of an old number, changes. */
  proven: SystemScope;
  verification: Pick<VerificationService, "send" | "prove" | "notify">;
  mail: MailSender;
  /** Name of the brand, in front of subjects. */
  brand: () => string;
  store: Store;
  secretKey: string;
  cipher: PersonalCipher;
  nextId: () => string;
  now: () => number;
  record: RecordEvent;
  notify(accountId: string, title: string, content: string): Promise<void>;
  endSessions(accountId: string, reason: string, except?: string): Promise<void>;
  /** @throws {Refusal} 403 without a fresh proof of who is calling */
  requireConfirmed(session: Session): Promise<void>;
  /** ID number that the authentication in force has of the person who sent it; undefined where there is none. */
  idNumberOf(owner: MemberScope): Promise<string | undefined>;
  onError: (error: unknown) => void;
}

interface Proof {
  accountId: string;
  by: "old_phone" | "identity" | "password";
}

const ticketKey = (ticket: string) => `contact:${createHash("sha256").update(ticket).digest("hex")}`;
const maskedPhone = (phone: string) => String(writePersonal("mask-phone", phone));
const maskedEmail = (email: string) => String(writePersonal("mask-email", email));

/** How a person's phone and e-mail change: never without a proof of the new one, never without the old one being told. */
export function createContactService(dependencies: ContactDependencies) {
  const { repository, inTransaction, proven, verification, mail, store, cipher, nextId, now, record, notify } =
    dependencies;
  const macKey = createHmac("sha256", dependencies.secretKey).update("mail codes").digest();
  const mac = (text: string) => createHmac("sha256", macKey).update(text).digest("base64url");
  const open = (encrypted: string) => (encrypted === "" ? "" : cipher.decrypt(encrypted));

  const accountOf = async (owner: AccountScope, from = repository, lock = false) => {
    const row = await from.account(owner, lock);
    if (row === undefined) throw refuse("identity.person_gone");
    return row;
  };

  const view = (row: ContactChangeRow) => ({
    id: row.id,
    kind: row.kind,
    state: row.state,
    provenBy: row.provenBy,
    phone: row.kind === "phone" ? open(row.newEncrypted) : "",
    email: row.kind === "email" ? open(row.newEncrypted) : "",
    createTime: row.createdAt,
    effectiveTime: row.effectiveAt,
    takeBackUntil: row.takeBackUntil,
  });

  const state = async (owner: MemberScope) => {
    const [account, waiting, subscriptions, idNumber] = await Promise.all([
      accountOf(owner),
      repository.waiting(owner),
      repository.phoneSubscriptions(owner),
      dependencies.idNumberOf(owner),
    ]);
    return {
      phone: open(account.phoneEncrypted),
      phoneProven: account.phoneVerifiedAt !== null,
      email: open(account.emailEncrypted),
      emailProven: account.emailVerifiedAt !== null,
      ...(waiting && { waiting: view(waiting) }),
      identityCheck: idNumber !== undefined,
      subscriptions,
    };
  };

  /** Tells whoever has the old number, and the mailbox. What can't be sent is logged: the message in the portal is left anyway. */
  const tellOld = async (
    account: { id: string; phoneEncrypted: string; emailEncrypted: string },
    old: string,
    words: { phone: string; when: string; title: string; content: string },
    remoteAddress: string,
  ): Promise<void> => {
    await notify(account.id, words.title, words.content);
    const tries: Promise<void>[] = [];
    if (old !== "") {
      const variables = { phone: words.phone, when: words.when };
      tries.push(verification.notify({ phone: old, kind: "phone-change", variables }, remoteAddress));
    }
    const email = open(account.emailEncrypted);
    if (email !== "") tries.push(mail.send({ to: email, subject: words.title, text: words.content }));
    for (const { status, ...rest } of await Promise.allSettled(tries))
      if (status === "rejected") dependencies.onError((rest as PromiseRejectedResult).reason);
  };

  /** @throws {Refusal} when the number has as many accounts as it may */
  const requireRoom = async (from: ContactRepository, phone: string, accountId: string): Promise<void> => {
    if ((await from.accountsOf(proven, cipher.indexes(phone), accountId)) >= accountsPerPhone)
      throw refuse("accounts.phone_full", { field: "phone" });
  };

  /** @param isProven its owner sent a code back; what staff typed is not proven */
  const apply = async (to: ContactRepository, owner: AccountScope, phone: string, isProven: boolean): Promise<void> => {
    if (isProven) await requireRoom(to, phone, owner.accountId);
    await to.setPhone(owner, sealed(phone), isProven);
  };
  const sealed = (phone: string) =>
    phone === ""
      ? { phoneEncrypted: "", phoneIndex: null }
      : { phoneEncrypted: cipher.encrypt(phone), phoneIndex: cipher.index(phone) };
  /** The phone that its owner proved; "" where there is none. */
  const provenPhone = ({
    phoneEncrypted,
    phoneVerifiedAt,
  }: {
    phoneEncrypted: string;
    phoneVerifiedAt: Date | null;
  }) => (phoneVerifiedAt === null ? "" : open(phoneEncrypted));

  const sendMailCode = async (owner: AccountScope, text: string): Promise<{ id: string; email: string }> => {
    const email = text.normalize("NFKC").trim();
    if (!mailPattern.test(email)) throw refuse("users.email", { field: "email" });
    if (!(await spend(store, `mail-codes:${owner.accountId}`, mailBudgets))) throw refuse("verification.budget");
    const id = randomUUID();
    const code = String(randomInt(10 ** smsLimits.digits)).padStart(smsLimits.digits, "0");
    const held = { accountId: owner.accountId, mac: mac(`${id}.${email.toLowerCase()}.${code}`) };
    await store.set(`mail:code:${id}`, JSON.stringify(held), mailCodeLifetimeS);
    try {
      await mail.send({
        to: email,
        subject: `${dependencies.brand()}：验证邮箱`,
        text: mailCodeText.replace("{code}", code),
      });
    } catch (error) {
      dependencies.onError(error);
      throw refuse("profile.mail_failed", { field: "email" });
    }
    return { id, email };
  };

  /** Uses a code up. @throws {Refusal} 400 for a wrong one, an old one, one for another address, and after five tries */
  const proveMail = async (
    owner: AccountScope,
    proof: { id?: string; code?: string; email: string },
  ): Promise<void> => {
    const { id = "", code = "", email } = proof;
    const wrong = () => refuse("profile.mail_code", { field: "code" });
    if (id === "" || (await store.count(`mail:tries:${id}`, mailCodeLifetimeS)) > smsLimits.tries) throw wrong();
    const text = await store.get(`mail:code:${id}`);
    if (text === undefined) throw wrong();
    const held = JSON.parse(text) as { accountId: string; mac: string };
    const digits = code.normalize("NFKC").trim();
    const [given, expected] = [Buffer.from(mac(`${id}.${email.toLowerCase()}.${digits}`)), Buffer.from(held.mac)];
    if (held.accountId !== owner.accountId || !timingSafeEqual(given, expected)) throw wrong();
    if ((await store.take(`mail:code:${id}`)) === undefined) throw wrong();
  };

  return {
    state,

    async sendCode(
      owner: AccountScope,
      { to, value = "" }: BodyOf<typeof contactCode>,
      remoteAddress: string,
    ): Promise<{ id: string; phone: string; email: string }> {
      if (to === "email") return { ...(await sendMailCode(owner, value)), phone: "" };
      const old = provenPhone(await accountOf(owner));
      if (to === "old-phone") {
        if (old === "") throw refuse("profile.no_phone");
        const { id } = await verification.send(old, ["prove-old-phone"], remoteAddress);
        return { id, phone: old, email: "" };
      }
      const phone = phoneOf(value);
      if (phone === old) throw refuse("profile.same_phone", { field: "phone" });
      const { id } = await verification.send(phone, ["new-phone"], remoteAddress);
      return { id, phone, email: "" };
    },

    /** @returns a ticket for one change of the phone */
    async prove(
      session: Session,
      { by, id, code, lastSix = "" }: { by: Proof["by"]; id?: string; code?: string; lastSix?: string },
      caller: EventCaller,
    ): Promise<{ ticket: string; expiresIn: number }> {
      if (by === "old_phone") {
        const old = provenPhone(await accountOf(session));
        if (old === "") throw refuse("profile.no_phone");
        await verification.prove({ phone: old, id, code }, "prove-old-phone");
      } else if (by === "password") {
        await dependencies.requireConfirmed(session);
        // Where a number is proven, the password alone is no way past it.
        if (provenPhone(await accountOf(session)) !== "") throw refuse("profile.phone_proven");
      } else {
        await dependencies.requireConfirmed(session);
        const idNumber = await dependencies.idNumberOf(session);
        if (idNumber === undefined) throw refuse("profile.no_identity");
        if (!(await spend(store, `id-last-six:${session.accountId}`, [identityTries])))
          throw refuse("profile.identity_spent");
        if (idNumber.slice(-6).toUpperCase() !== lastSix.normalize("NFKC").trim().toUpperCase())
          throw refuse("profile.identity", { field: "lastSix" });
      }
      const ticket = randomBytes(24).toString("base64url");
      const proof: Proof = { accountId: session.accountId, by };
      await store.set(ticketKey(ticket), JSON.stringify(proof), contactProofMinutes * 60);
      await record(session.accountId, "phone_proven", { caller });
      return { ticket, expiresIn: contactProofMinutes * 60 };
    },

    async changePhone(
      session: Session,
      given: { ticket: string; phone: string; id?: string; code?: string },
      caller: EventCaller,
    ) {
      const text = given.ticket === "" ? undefined : await store.get(ticketKey(given.ticket));
      const proof = text === undefined ? undefined : (JSON.parse(text) as Proof);
      if (proof?.accountId !== session.accountId) throw refuse("profile.proof_over");
      const phone = phoneOf(given.phone);
      const code = await verification.prove({ phone, id: given.id, code: given.code }, "new-phone");
      const at = now();
      const { account, old, row, waits } = await (async () => {
        try {
          return await inTransaction(async (to) => {
            const held = await accountOf(session, to, true);
            const oldPhone = provenPhone(held);
            if (phone === oldPhone) throw refuse("profile.same_phone", { field: "phone" });
            if (proof.by === "password" && oldPhone !== "") throw refuse("profile.phone_proven");
            // A number that staff had typed and that its owner proves now has two people behind it.
            const waits = proof.by !== "old_phone" && phone !== open(held.phoneEncrypted);
            const change = {
              id: nextId(),
              kind: "phone" as const,
              state: waits ? ("waiting" as const) : ("done" as const),
              provenBy: proof.by,
              oldEncrypted: oldPhone === "" ? "" : cipher.encrypt(oldPhone),
              oldIndex: oldPhone === "" ? null : cipher.index(oldPhone),
              newEncrypted: cipher.encrypt(phone),
              newIndex: cipher.index(phone),
              effectiveAt: new Date(waits ? at + phoneHoldHours * hourMs : at),
              takeBackUntil: oldPhone === "" ? null : new Date(at + phoneTakeBackDays * 24 * hourMs),
            };
            if (waits) await requireRoom(to, phone, session.accountId);
            else await apply(to, session, phone, true);
            if (!(await to.insert(session, change))) throw refuse("profile.change_waits");
            // Of a hundred at once one takes it.
            if ((await store.take(ticketKey(given.ticket))) === undefined) throw refuse("profile.proof_over");
            return {
              account: held,
              waits,
              old: oldPhone,
              row: { ...change, accountId: session.accountId, createdAt: new Date(at) },
            };
          });
        } catch (error) {
          await code.giveBack();
          throw error;
        }
      })();
      const shown = maskedPhone(phone);
      await record(session.accountId, waits ? "phone_waiting" : "phone_changed", { detail: shown, caller });
      if (!waits) await dependencies.endSessions(session.accountId, "phone_changed", session.id);
      await tellOld(
        account,
        old,
        waits
          ? {
              phone: shown,
              when: "48 小时后",
              title: "有人要更换您的手机号",
              content: "48 小时后生效。如非本人操作，请在安全设置里停止更换，并修改密码。",
            }
          : {
              phone: shown,
              when: "已经",
              title: "手机号已更换",
              content: "新手机号已生效，其他设备上的登录均已退出。如非本人操作，7 天内可以凭旧号撤回。",
            },
        caller.remoteAddress,
      );
      return view(row);
    },

    /**
     * Changes what staff typed for somebody else, in the caller's transaction: a proven number waits 48 hours, in which its owner can stop
     * the change, and what was typed opens nothing until its owner proves it.
     * @returns whether the phone waits, and what tells the person after the commit
     * @throws {Refusal} 409 when another change waits
     */
    async changeByStaff(
      to: ContactRepository,
      owner: AccountScope,
      given: { phone?: string; email?: string },
      remoteAddress: string,
    ): Promise<{ waits: boolean; tell: () => Promise<void> }> {
      const held = await accountOf(owner, to, true);
      const old = provenPhone(held);
      const at = now();
      const waits = given.phone !== undefined && old !== "";
      if (given.phone !== undefined && !waits) await to.setPhone(owner, sealed(given.phone), false);
      else if (given.phone !== undefined) {
        const { phoneEncrypted, phoneIndex } = sealed(given.phone);
        const added = await to.insert(owner, {
          id: nextId(),
          kind: "phone",
          state: "waiting",
          provenBy: "staff",
          oldEncrypted: cipher.encrypt(old),
          oldIndex: cipher.index(old),
          newEncrypted: phoneEncrypted,
          newIndex: phoneIndex,
          effectiveAt: new Date(at + phoneHoldHours * hourMs),
          takeBackUntil: new Date(at + phoneTakeBackDays * 24 * hourMs),
        });
        if (!added) throw refuse("profile.change_waits", { field: "phone" });
      }
      if (given.email !== undefined)
        await to.setEmail(owner, given.email === "" ? "" : cipher.encrypt(given.email), false);
      const shown = [
        ...(given.phone === undefined ? [] : [maskedPhone(given.phone)]),
        ...(given.email === undefined ? [] : [maskedEmail(given.email)]),
      ].join(" · ");
      const tell = async () => {
        await record(owner.accountId, waits ? "phone_waiting" : "contact_by_staff", { detail: shown });
        const words = {
          phone: shown,
          when: waits ? "48 小时后" : "已经",
          title: "管理员更改了您的联系方式",
          content: waits
            ? "新手机号 48 小时后生效。如不是您要的，请在安全设置里停止更换，或凭旧号撤回。"
            : "如不是您要的，请联系管理员，并修改密码。",
        };
        await tellOld(held, old, words, remoteAddress);
      };
      return { waits, tell };
    },

    async withdraw(session: Session, id: string, caller: EventCaller): Promise<void> {
      if (!(await repository.move(session, id, "waiting", "withdrawn"))) throw refuse("profile.nothing_waits");
      await record(session.accountId, "phone_withdrawn", { caller });
      await notify(session.accountId, "手机号不更换了", "更换手机号的申请已停止，手机号保持不变。");
    },

    /** Brings changes into force whose time has come. */
    async applyDue(): Promise<void> {
      for (const change of await repository.due(proven, new Date(now()))) {
        const owner = accountScope(proven, change.accountId);
        const phone = open(change.newEncrypted);
        try {
          const applied = await inTransaction(async (to) => {
            const account = await to.account(owner, true);
            if (account === undefined || !(await to.move(owner, change.id, "waiting", "done"))) return false;
            await apply(to, owner, phone, change.provenBy !== "staff");
            return true;
          });
          if (!applied) continue;
        } catch (error) {
          // The number has as many accounts as it may by now.
          if (!(error instanceof Refusal)) dependencies.onError(error);
          else if (await repository.move(owner, change.id, "waiting", "withdrawn"))
            await notify(owner.accountId, "手机号没有更换", "新手机号绑定的账号已达上限，手机号保持不变。");
          continue;
        }
        await record(owner.accountId, "phone_changed", { detail: maskedPhone(phone) });
        await dependencies.endSessions(owner.accountId, "phone_changed");
        await notify(
          owner.accountId,
          "手机号已更换",
          "新手机号已生效，所有登录均已退出。如非本人操作，可以凭旧号撤回。",
        );
      }
    },

    sendBackCode: (text: string, remoteAddress: string) => verification.send(text, ["take-phone-back"], remoteAddress),

    /** @returns accounts that have their number back */
    async takeBack(
      text: string,
      code: { id: string | undefined; code: string | undefined },
      caller: EventCaller,
    ): Promise<string[]> {
      const proof = await verification.prove({ phone: text, ...code }, "take-phone-back");
      const found = await repository.takeable(proven, cipher.indexes(proof.phone), new Date(now()));
      const accounts: string[] = [];
      for (const change of found) {
        const owner = accountScope(proven, change.accountId);
        const account = await inTransaction(async (to) => {
          const held = await to.account(owner, true);
          if (held === undefined || !(await to.move(owner, change.id, change.state, "taken_back"))) return undefined;
          await to.endLater(owner, change.id);
          if (change.state === "done") await to.setPhone(owner, sealed(proof.phone), true);
          return held.account;
        });
        if (account === undefined) continue;
        accounts.push(account);
        await record(owner.accountId, "phone_taken_back", { detail: maskedPhone(proof.phone), caller });
        await dependencies.endSessions(owner.accountId, "phone_taken_back");
        await notify(
          owner.accountId,
          "手机号已撤回",
          "旧号的主人凭短信撤回了更换，手机号恢复原样，所有登录均已退出。请重置密码。",
        );
      }
      if (accounts.length === 0) throw refuse("profile.nothing_to_take_back");
      return accounts;
    },

    async changeEmail(session: Session, given: { email: string; id?: string; code?: string }, caller: EventCaller) {
      const email = given.email.normalize("NFKC").trim();
      if (email !== "") await proveMail(session, { ...given, email });
      const old = await inTransaction(async (to) => {
        const held = await accountOf(session, to, true);
        const before = open(held.emailEncrypted);
        if (before === "" && email === "") throw refuse("profile.no_email");
        await to.setEmail(session, email === "" ? "" : cipher.encrypt(email), email !== "");
        await to.insert(session, {
          id: nextId(),
          kind: "email",
          state: "done",
          provenBy: "password",
          oldEncrypted: held.emailEncrypted,
          oldIndex: null,
          newEncrypted: email === "" ? "" : cipher.encrypt(email),
          newIndex: null,
          effectiveAt: new Date(now()),
          takeBackUntil: null,
        });
        return before;
      });
      const shown = email === "" ? "" : maskedEmail(email);
      await record(session.accountId, email === "" ? "email_removed" : "email_changed", { detail: shown, caller });
      const content =
        email === ""
          ? "您的邮箱已解绑。如非本人操作，请立即修改密码并联系客服。"
          : "您的邮箱已更换。如非本人操作，请立即修改密码并联系客服。";
      await notify(session.accountId, email === "" ? "邮箱已解绑" : "邮箱已更换", content);
      if (old !== "" && old.toLowerCase() !== email.toLowerCase())
        await mail
          .send({ to: old, subject: `${dependencies.brand()}：邮箱已更换`, text: content })
          .catch(dependencies.onError);
      return state(session);
    },
  };
}
export type ContactService = ReturnType<typeof createContactService>;
