import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";
import {
  logInReasons,
  mobilePhonePattern,
  normalizePhone,
  type TokenReply,
  type TokenRequest,
  wireMessage,
} from "@herdwise/contract";
import { OAuthRefusal, Refusal, refuse } from "../../http/errors.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import { addressBucket } from "../../providers/address.ts";
import { accountScope, type SystemScope } from "../../tenant-scope.ts";
import { accountKey } from "./account-key.ts";
import type { AccountRow, IdentityRepository, MembershipRow } from "./identity.repository.ts";
import type { Passwords } from "./password.ts";

/** Wrong passwords from one address that lock it out: far more, because a whole farm sits behind one. */
export const addressFailureBudget = 100;
/** Cookie that marks a browser from which an account was let in before. It lets nobody in. */
export const deviceCookie = "herdwise_device";
export const deviceLifetimeS = 180 * 86_400;
/** Log-ins of one name that wait for each other at most. */
const mostWaiting = 100;

export interface Caller {
  remoteAddress: string;
  userAgent: string;
  clientId: string;
}

/** What a log-in carries beside its parameters. `undefined`: the header was not sent. */
export interface Evidence {
  captchaKey?: string | undefined;
  captchaCode?: string | undefined;
  deviceMark?: string | undefined;
}

export interface LogInDependencies {
  repository: IdentityRepository;
  /** For accounts whose password, code or token was shown. */
  proven: SystemScope;
  passwords: Passwords;
  cipher: PersonalCipher;
  secretKey: string;
  /** Uses a captcha up. @returns makes it usable again @throws {OAuthRefusal} when it is wrong, missing or empty */
  requireCaptcha(
    key: string | undefined,
    code: string | undefined,
    caller: Pick<Caller, "userAgent" | "remoteAddress">,
  ): Promise<() => Promise<void>>;
  /** Uses an SMS code up. @throws {Refusal} */
  proveCode(proof: { phone: string; id: string | undefined; code: string | undefined }): Promise<{
    phone: string;
    giveBack: () => Promise<void>;
  }>;
  /** Leaves a message for the owner of an account. */
  notify(accountId: string, title: string, content: string): Promise<void>;
  /**
   * What holds guessers off, as it is set now: so many wrong passwords for one login name within `lockMinutes` lock its password
   * log-in for as long (decisions.md 2); from `captchaAfter` on a captcha is asked for, 0 asks always.
   */
  rules: () => { tries: number; lockMinutes: number; captchaAfter: number };
  openSession(membership: MembershipRow, accountId: string, caller: Caller): Promise<TokenReply>;
  /** Log-ins of an account were locked after wrong passwords. */
  onLocked(accountId: string, caller: Caller): void;
  onError: (error: unknown) => void;
}

const sha256 = (text: string): Buffer => hash("sha256", text, "buffer");
const tooManyFailures = "登录错误次数过多,请稍后再试";
const lockedOut = () => new OAuthRefusal(400, "access_denied", tooManyFailures);
const wrongPassword = () =>
  new OAuthRefusal(400, "invalid_grant", "用户名或密码错误", { reason: logInReasons.wrongPassword });

/** Runs work of one key one after another, so that right log-ins of one name at once do not take each other's tries. */
function createKeyedMutex() {
  const tails = new Map<string, { last: Promise<unknown>; waiting: number }>();
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const turn = tails.get(key) ?? { last: Promise.resolve(), waiting: 0 };
    if (turn.waiting >= mostWaiting) throw new OAuthRefusal(503, "temporarily_unavailable", wireMessage.busy);
    tails.set(key, turn);
    turn.waiting += 1;
    const mine = turn.last.then(work);
    turn.last = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      turn.waiting -= 1;
      if (turn.waiting === 0) tails.delete(key);
    }
  };
}

/** Log-in by password and by SMS code, with what holds guessers off. */
export function createLogIn(dependencies: LogInDependencies) {
  const { repository, proven, passwords, cipher, openSession, notify, onError } = dependencies;
  const deviceKey = createHmac("sha256", dependencies.secretKey).update("known devices").digest();
  const exclusively = createKeyedMutex();
  const nameSubject = (key: string) => sha256(`account:${key}`);
  const failuresOf = (subject: Buffer) => repository.loginFailures(subject, dependencies.rules().lockMinutes);
  const takeTry = (subject: Buffer, budget: number) =>
    repository.takeLogInTry(subject, budget, dependencies.rules().lockMinutes);
  const noteWrong = (subject: Buffer, budget: number) =>
    repository.noteWrong(subject, budget, dependencies.rules().lockMinutes);

  // The stored hash is part of it: a new password makes old marks worthless.
  const deviceMac = (account: Pick<AccountRow, "id" | "passwordHash">, nonce: string) =>
    createHmac("sha256", deviceKey).update(`${account.id}.${nonce}.${account.passwordHash}`).digest("base64url");
  const isKnownDevice = (account: AccountRow | undefined, mark: string | undefined): boolean => {
    const [nonce = "", mac = ""] = (mark ?? "").split(".");
    if (account === undefined || nonce === "") return false;
    const [given, expected] = [Buffer.from(mac), Buffer.from(deviceMac(account, nonce))];
    return given.length === expected.length && timingSafeEqual(given, expected);
  };

  /** A login name, or a phone that exactly one account has. Does the same queries whether there is one or not. */
  const accountOf = async (username: string): Promise<AccountRow | undefined> => {
    const byName = await repository.accountByName(accountKey(username));
    const phone = normalizePhone(username);
    if (!mobilePhonePattern.test(phone)) return byName;
    const byPhone = await repository.accountsByPhone(cipher.indexes(phone));
    return byName ?? (byPhone.length === 1 ? byPhone[0] : undefined);
  };

  const tellOfLock = (account: AccountRow | undefined): void => {
    if (account === undefined) return;
    // Not waited for: the answer must not take longer for a name that exists.
    notify(
      account.id,
      "登录已被暂时锁定",
      "您的账号连续多次输错密码，密码登录已暂时锁定。您仍可用短信验证码登录；如非本人操作，请尽快修改密码。",
    ).catch(onError);
  };

  /** @returns makes a captcha that was used usable again */
  const checkCaptcha = async (
    request: TokenRequest,
    caller: Caller,
    evidence: Evidence,
    wrong: number,
  ): Promise<() => Promise<void>> => {
    const { captchaKey, captchaCode } = evidence;
    // Existing clients send both headers always, empty or with the key alone where no captcha was asked for.
    const given = Boolean(captchaCode);
    if (given || request.grant_type === "captcha") {
      return dependencies.requireCaptcha(captchaKey, captchaCode, caller);
    }
    if (wrong >= dependencies.rules().captchaAfter) {
      throw new OAuthRefusal(400, "access_denied", "请先完成安全验证", { reason: logInReasons.captchaWanted });
    }
    return async () => undefined;
  };

  /** @throws {OAuthRefusal} multi_tenant, with the tenants to choose from, when it is not clear which is meant */
  const chooseMembership = <M extends MembershipRow>(memberships: readonly M[], tenantId: string): M => {
    const chosen = tenantId === "" ? memberships : memberships.filter((row) => row.tenantId === tenantId);
    const [membership] = chosen;
    if (membership === undefined) throw new OAuthRefusal(400, "access_denied", "未获得用户的租户信息");
    if (new Set(chosen.map((row) => row.tenantId)).size > 1) {
      throw new OAuthRefusal(400, "multi_tenant", "该账号属于多个租户，请选择要登录的租户", {
        tenants: chosen.map((row) => ({ tenantId: row.tenantId, tenantName: row.tenantName, type: row.tenantType })),
      });
    }
    if (chosen.length > 1) {
      throw new OAuthRefusal(400, "access_denied", "该手机号绑定了多个账号，请使用账号和密码登录");
    }
    return membership;
  };

  return {
    async byPassword(request: TokenRequest, caller: Caller, evidence: Evidence): Promise<TokenReply> {
      const { username = "", password = "", tenantId = "" } = request;
      if (username === "" || password === "") throw new OAuthRefusal(400, "invalid_request", "请输入账号和密码");
      const phone = normalizePhone(username);
      // Counted by what was typed, for unknown names just the same: a lock tells neither which names exist nor whose phone it is.
      const typed = mobilePhonePattern.test(phone) ? phone : accountKey(username);
      const address = sha256(`address:${addressBucket(caller.remoteAddress)}`);
      const [ofName, ofAddress] = await Promise.all([failuresOf(nameSubject(typed)), failuresOf(address)]);
      const giveCaptchaBack = await checkCaptcha(
        request,
        caller,
        evidence,
        // Of those that are compared just now, here or at another server, nobody knows yet whether they are wrong.
        Math.max(ofName.wrong, ofAddress.wrong),
      );
      return exclusively(typed, async () => {
        const account = await accountOf(username);
        const known = isKnownDevice(account, evidence.deviceMark);
        // A browser that was let in before has a budget of its own, so that strangers can't lock the owner out.
        const subject = known ? sha256(`device:${evidence.deviceMark}`) : nameSubject(typed);
        const [held, from] = await Promise.all([failuresOf(subject), failuresOf(address)]);
        if (held.locked || from.locked) throw lockedOut();
        if (!(await takeTry(address, addressFailureBudget))) {
          // So many log-ins from there are being compared just now, and none of them has failed yet.
          throw new OAuthRefusal(503, "temporarily_unavailable", wireMessage.busy);
        }
        if (!(await takeTry(subject, dependencies.rules().tries))) {
          await repository.giveLogInTryBack(address);
          throw lockedOut();
        }
        const matches = await passwords.verify(password, account?.passwordHash);
        const typeFits = ["", "account", account?.type].includes(request.type ?? "");
        if (account === undefined || !matches || account.status !== 1 || !typeFits) {
          const nowLocked = await noteWrong(subject, dependencies.rules().tries);
          await noteWrong(address, addressFailureBudget);
          if (nowLocked) {
            tellOfLock(account);
            if (account !== undefined) dependencies.onLocked(account.id, caller);
          }
          throw wrongPassword();
        }
        await repository.clearLoginFailures(subject);
        await repository.giveLogInTryBack(address);
        const memberships = await repository.memberships(accountScope(proven, account.id));
        try {
          return await openSession(chooseMembership(memberships, tenantId), account.id, caller);
        } catch (error) {
          // The password was right: who only has to choose a tenant need not solve another captcha.
          if (error instanceof OAuthRefusal && error.error === "multi_tenant") await giveCaptchaBack();
          throw error;
        }
      });
    },

    /** grant_type=sms_code: whoever has the phone is let in as its account. */
    async byCode(request: TokenRequest, caller: Caller): Promise<TokenReply> {
      const { phone = "", id, value, tenantId = "", username = "" } = request;
      const proof = await dependencies.proveCode({ phone, id, code: value }).catch((error: unknown) => {
        throw error instanceof Refusal ? new OAuthRefusal(error.status, "access_denied", error.message) : error;
      });
      try {
        const accounts = (await repository.accountsByPhone(cipher.indexes(proof.phone))).filter(
          ({ account, status }) => status === 1 && (username === "" || accountKey(account) === accountKey(username)),
        );
        if (accounts.length === 0) throw new OAuthRefusal(400, "invalid_grant", "该手机号没有绑定账号，请先注册");
        const rows = await Promise.all(
          accounts.map(async (account) =>
            (await repository.memberships(accountScope(proven, account.id))).map((row) => ({
              ...row,
              accountId: account.id,
            })),
          ),
        );
        const { accountId, ...membership } = chooseMembership(rows.flat(), tenantId);
        return await openSession(membership, accountId, caller);
      } catch (error) {
        // The person chooses a tenant, or registers, with the same code.
        await proof.giveBack();
        throw error;
      }
    },

    /** @param wrong the reason of the refusal when it is another */
    async confirmPassword(
      accountId: string,
      password: string,
      wrong: "identity.old_password" | "identity.own_password",
    ): Promise<void> {
      const account = await repository.accountById(accountId);
      const key = account === undefined ? accountId : accountKey(account.account);
      await exclusively(key, async () => {
        const subject = nameSubject(key);
        if (!(await takeTry(subject, dependencies.rules().tries))) throw refuse("identity.locked");
        if (await passwords.verify(password, account?.passwordHash)) return repository.giveLogInTryBack(subject);
        if (await noteWrong(subject, dependencies.rules().tries)) tellOfLock(account);
        throw refuse(wrong);
      });
    },

    /** Which of these log-ins are locked after wrong passwords, by name or by phone, in their order. */
    async locked(logIns: readonly { account: string; phone: string }[]): Promise<boolean[]> {
      const subjects = logIns.map(({ account, phone }) => [
        nameSubject(accountKey(account)),
        ...(phone === "" ? [] : [nameSubject(phone)]),
      ]);
      const locked = new Set((await repository.lockedSubjects(subjects.flat())).map((held) => held.toString("hex")));
      if (locked.size === 0) return subjects.map(() => false);
      return subjects.map((of) => of.some((subject) => locked.has(subject.toString("hex"))));
    },

    async forgetFailures(account: string, phone: string): Promise<void> {
      await repository.clearLoginFailures(nameSubject(accountKey(account)));
      await repository.clearLoginFailures(nameSubject(phone));
    },

    async deviceMark(accountId: string): Promise<string> {
      const account = await repository.accountById(accountId);
      if (account === undefined) return "";
      const nonce = randomBytes(16).toString("base64url");
      return `${nonce}.${deviceMac(account, nonce)}`;
    },
  };
}
