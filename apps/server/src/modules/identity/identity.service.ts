import { createHash, randomBytes } from "node:crypto";
import { isId, type TenantChoice, type TokenReply, type TokenRequest, type UserInfo } from "@herdwise/contract";
import { describeDevice } from "../../callers.ts";
import { OAuthRefusal, refuse } from "../../http/errors.ts";
import type { Session } from "../../http/session.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import { createSecretCipher } from "../../secret-cipher.ts";
import { accountScope, type MemberScope, memberScope } from "../../tenant-scope.ts";
import type { EventCaller, RecordEvent } from "../account-log/index.ts";
import { accountKey } from "./account-key.ts";
import type { IdentityRepository, MembershipRow, PersonRow } from "./identity.repository.ts";
import type { Caller } from "./log-in.service.ts";
import { createLogIn, type Evidence, type LogInDependencies } from "./log-in.service.ts";
import type { Passwords } from "./password.ts";
import type { SessionReader } from "./session-reader.ts";

export type { Caller } from "./log-in.service.ts";

/** Lifetime of an access token in seconds (decisions.md 2). */
const accessTokenLifetimeS = 3600;
/** Lifetime of a refresh token in seconds: 7 days. */
const refreshTokenLifetimeS = 604_800;
/** For these seconds an exchanged refresh token gives again what it gave, for tabs that race. */
const refreshGraceS = 10;

/** Seconds after which a preview of a role ends by itself; it is never renewed. */
const previewLifetimeS = 1800;

/** What could take an account over asks for a proof of who is calling that is no older than these seconds. */
const confirmationS = 300;

export interface IdentityDependencies
  extends Pick<
    LogInDependencies,
    "requireCaptcha" | "proveCode" | "notify" | "rules" | "secretKey" | "onError" | "proven"
  > {
  cipher: PersonalCipher;
  /** Runs in one transaction. */
  inTransaction<T>(work: (repository: IdentityRepository) => Promise<T>): Promise<T>;
  repository: IdentityRepository;
  sessions: SessionReader;
  passwords: Passwords;
  nextId: () => string;
  /** Seconds after a log-in at which its session ends, however often it was renewed. */
  sessionLifetimeS: () => number;
  /** Name of the brand in English. */
  brand: () => string;
  /** Writes into the history that a person sees of the own account. */
  record: RecordEvent;
  /** Told when a session ends, so that its live streams close. */
  onSessionEnded: (sessionId: string) => void;
}

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();

const newToken = () => randomBytes(32).toString("base64url");

interface Tokens {
  access: string;
  refresh: string;
  /** Seconds that the access token lives. */
  lifetimeS: number;
}

/** Opens with the refresh token alone, which the database does not hold. */
const successorCipher = (refreshToken: string) => createSecretCipher(refreshToken, "tokens of a refresh");

const tenantChoice = ({ tenantId, tenantName, tenantType }: MembershipRow): TenantChoice => ({
  tenantId,
  tenantName,
  type: tenantType,
});

export function createIdentityService(dependencies: IdentityDependencies) {
  const { inTransaction, repository, sessions, nextId, onSessionEnded, cipher, proven, sessionLifetimeS, record } =
    dependencies;
  const personOf = async (from: IdentityRepository, member: MemberScope): Promise<PersonRow> => {
    const person = await from.person(member);
    if (person === undefined) throw new OAuthRefusal(400, "access_denied", "未获得用户的租户信息");
    if (person.tenantExpired) throw new OAuthRefusal(400, "access_denied", "租户授权已过期,请联系管理员");
    if (person.roleIds.length === 0) throw new OAuthRefusal(400, "access_denied", "未获得用户的角色信息");
    return person;
  };

  /** @param secondsLeft until the session ends; no token outlives it */
  const issueTokens = async (to: IdentityRepository, sessionId: string, secondsLeft: number): Promise<Tokens> => {
    const [access, refresh] = [newToken(), newToken()];
    const lifetimeS = Math.min(accessTokenLifetimeS, secondsLeft);
    await to.insertTokens([
      { hash: sha256(access), sessionId, purpose: "access", lifetimeS },
      { hash: sha256(refresh), sessionId, purpose: "refresh", lifetimeS: Math.min(refreshTokenLifetimeS, secondsLeft) },
    ]);
    return { access, refresh, lifetimeS };
  };

  const tokenReply = (tokens: Tokens, sessionId: string, person: PersonRow, caller: Caller): TokenReply => ({
    access_token: tokens.access,
    token_type: "bearer",
    refresh_token: tokens.refresh,
    // A second less, so that a client that waits for it renews before the token is refused.
    expires_in: Math.max(0, Math.ceil(tokens.lifetimeS) - 1),
    scope: "all",
    tenant_id: person.tenantId,
    user_id: person.accountId,
    dept_id: "",
    post_id: "",
    role_id: person.roleIds.join(","),
    oauth_id: "",
    client_id: caller.clientId,
    account: person.account,
    user_name: person.account,
    nick_name: person.nickName,
    real_name: person.realName,
    role_name: person.roleAliases.join(","),
    dept_name: "",
    post_name: "",
    avatar: person.avatar,
    detail: { type: "web", ...(person.passwordMustChange && { mustChangePassword: true }) },
    license: `powered by ${dependencies.brand()}`,
    jti: sessionId,
  });

  /** @param proof whether a password or a code was proven, and the session that this one goes on from where none was */
  const openSession = (
    membership: MembershipRow,
    accountId: string,
    caller: Caller,
    proof: { confirmed: boolean; continues?: string },
  ): Promise<TokenReply> =>
    inTransaction(async (to) => {
      const person = await personOf(to, memberScope(proven, { accountId, tenantId: membership.tenantId }));
      const sessionId = nextId();
      const loggedInSecondsAgo = await to.insertSession({
        id: sessionId,
        accountId,
        tenantId: membership.tenantId,
        membershipId: membership.membershipId,
        clientId: caller.clientId,
        userAgent: caller.userAgent.slice(0, 400),
        remoteAddress: caller.remoteAddress,
        ...proof,
      });
      const tokens = await issueTokens(to, sessionId, sessionLifetimeS() - loggedInSecondsAgo);
      return tokenReply(tokens, sessionId, person, caller);
    });

  const logIn = createLogIn({
    ...dependencies,
    async openSession(membership, accountId, caller) {
      const reply = await openSession(membership, accountId, caller, { confirmed: true });
      await record(accountId, "log_in", { caller });
      return reply;
    },
    onLocked: (accountId, caller) => void record(accountId, "log_in_locked", { caller }),
  });

  /**
   * Exchanges a refresh token, once. Within the grace it gives the same tokens again, so that tabs that raced go on with one
   * pair and a thief's tokens are those of the owner; after it the token was stolen or replayed, and the whole session ends.
   */
  const refresh = async (request: TokenRequest, caller: Caller): Promise<TokenReply> => {
    const shown = request.refresh_token ?? "";
    const hash = sha256(shown);
    const refused = new OAuthRefusal(400, "invalid_grant", "令牌授权已过期");
    const outcome = await inTransaction(async (to) => {
      const held = await to.lockRefreshToken(hash);
      if (held === undefined || held.ended || held.expired) return { reply: undefined };
      const { sessionId, usedSecondsAgo } = held;
      if (usedSecondsAgo !== undefined && usedSecondsAgo > refreshGraceS) {
        await to.endSession(sessionId, "refresh_token_reused");
        return { reply: undefined, endedSessionId: sessionId };
      }
      const secondsLeft = sessionLifetimeS() - held.authenticatedSecondsAgo;
      if (secondsLeft <= 0) {
        await to.endSession(sessionId, "life_over");
        return { reply: undefined, endedSessionId: sessionId };
      }
      const person = await personOf(to, memberScope(proven, held));
      await to.touchSession(sessionId);
      if (usedSecondsAgo !== undefined) {
        // Exchanged by a server that kept nothing to give again.
        if (held.successor === null) return { reply: undefined };
        const given = JSON.parse(successorCipher(shown).decrypt(held.successor)) as Tokens;
        const tokens = { ...given, lifetimeS: given.lifetimeS - usedSecondsAgo };
        return { reply: tokenReply(tokens, sessionId, person, caller) };
      }
      const tokens = await issueTokens(to, sessionId, secondsLeft);
      await to.markRefreshTokenUsed(hash, successorCipher(shown).encrypt(JSON.stringify(tokens)));
      return { reply: tokenReply(tokens, sessionId, person, caller) };
    });
    if (outcome.endedSessionId) onSessionEnded(outcome.endedSessionId);
    if (outcome.reply === undefined) throw refused;
    return outcome.reply;
  };

  return {
    /** @throws {OAuthRefusal} in the bare form of wire.md 2 */
    async token(request: TokenRequest, caller: Caller, evidence: Evidence = {}): Promise<TokenReply> {
      switch (request.grant_type) {
        case undefined:
        case "":
          throw new OAuthRefusal(400, "invalid_request", "Missing grant type");
        case "password":
        case "captcha":
          return logIn.byPassword(request, caller, evidence);
        case "sms_code":
          return logIn.byCode(request, caller);
        case "refresh_token":
          return refresh(request, caller);
        default:
          throw new OAuthRefusal(
            400,
            "unsupported_grant_type",
            `Unsupported grant type: ${request.grant_type.slice(0, 40)}`,
          );
      }
    },

    /**
     * A session for somebody whose right to it was proven otherwise (a confirmed QR code).
     * @throws {OAuthRefusal} when the account is no member of the tenant any more
     */
    async openSessionAs(accountId: string, tenantId: string, caller: Caller): Promise<TokenReply> {
      const membership = (await repository.memberships(accountScope(proven, accountId))).find(
        (row) => row.tenantId === tenantId,
      );
      if (membership === undefined) throw new OAuthRefusal(400, "access_denied", "未获得用户的租户信息");
      const reply = await openSession(membership, accountId, caller, { confirmed: false });
      await record(accountId, "log_in", { caller });
      return reply;
    },

    authenticate: sessions.authenticate,
    /** The session that a personal access token stands for. @param hash of the token */
    tokenSession: sessions.byPersonalToken,
    sessionOfMember: sessions.ofMember,
    forgetSessions: sessions.forget,

    async logOut(session: Session | undefined): Promise<void> {
      if (session === undefined) return;
      // Who logs out in a preview leaves the portal; the previews of a session end with it.
      for (const id of [session.id, session.preview?.sessionId])
        if (id !== undefined && (await repository.endSession(id, "log_out"))) onSessionEnded(id);
    },

    /** Opens a session beside the caller's own that looks through a role of the own tenant, for half an hour at most. */
    async openPreview(session: Session, roleId: string, caller: Caller): Promise<{ token: string; lifetimeS: number }> {
      return inTransaction(async (to) => {
        const id = nextId();
        const loggedInSecondsAgo = await to.insertSession({
          id,
          accountId: session.accountId,
          tenantId: session.tenantId,
          membershipId: session.membershipId,
          clientId: caller.clientId,
          userAgent: caller.userAgent.slice(0, 400),
          remoteAddress: caller.remoteAddress,
          confirmed: false,
          continues: session.id,
          previewRoleId: roleId,
          previewOf: session.id,
        });
        const token = newToken();
        const lifetimeS = Math.floor(Math.min(previewLifetimeS, sessionLifetimeS() - loggedInSecondsAgo));
        await to.insertTokens([{ hash: sha256(token), sessionId: id, purpose: "access", lifetimeS }]);
        return { token, lifetimeS };
      });
    },

    /** Ends a preview; the session that opened it goes on. */
    async leavePreview({ id, preview }: Session): Promise<void> {
      if (preview !== undefined && (await repository.endSession(id, "preview_left"))) onSessionEnded(id);
    },

    /** New tokens for another tenant of the same account; the session of the old tenant ends. */
    async switchTenant(session: Session, tenantId: string, caller: Caller): Promise<TokenReply> {
      const memberships = await repository.memberships(session);
      const membership = memberships.find((row) => row.tenantId === tenantId);
      if (membership === undefined) throw new OAuthRefusal(400, "access_denied", "未获得用户的租户信息");
      const reply = await openSession(membership, session.accountId, caller, {
        confirmed: false,
        continues: session.id,
      });
      if (await repository.endSession(session.id, "tenant_switched")) onSessionEnded(session.id);
      return reply;
    },

    async tenantsOf(username: string): Promise<TenantChoice[]> {
      const account = await repository.accountByName(accountKey(username));
      // The same work for an unknown name: the time does not tell whether it exists.
      const memberships = await repository.memberships(accountScope(proven, account?.id ?? "0"));
      return memberships.map(tenantChoice);
    },

    async myTenants(session: Session): Promise<TenantChoice[]> {
      const memberships = await repository.memberships(session);
      return memberships.map(tenantChoice);
    },

    async userInfo(session: Session): Promise<UserInfo> {
      const person = await repository.person(session);
      if (person === undefined) throw refuse("identity.person_gone");
      const { preview } = session;
      return {
        ...(preview && { preview: { roleId: preview.roleId, roleName: preview.roleName } }),
        user_id: person.accountId,
        user_name: person.account,
        tenant_id: person.tenantId,
        tenant_name: person.tenantName,
        tenant_type: person.tenantType,
        role_name: person.roleAliases.join(","),
        role_id: person.roleIds.join(","),
        real_name: person.realName,
        nick_name: person.nickName,
        post_name: person.roleNames.join("、"),
        post_id: "",
        dept_name: "",
        dept_id: "",
        account: person.account,
        avatar: person.avatar,
        phone: person.phoneEncrypted === "" ? "" : cipher.decrypt(person.phoneEncrypted),
        sideMode: person.sideMode === "dark" ? "dark" : "light",
        activeColor: person.activeColor,
        baseColor: person.baseColor,
        ...(person.passwordMustChange && { mustChangePassword: true }),
        id: person.accountId,
        tenantId: person.tenantId,
        tenantName: person.tenantName,
        name: person.nickName,
        realName: person.realName,
        roleId: person.roleIds.join(","),
        roleName: person.roleNames.join(","),
        deptId: "",
        deptName: "",
        postId: "",
        postName: "",
      };
    },

    /** The own sessions that can still be used, the one used last first. */
    async sessions(session: Session) {
      const rows = await repository.openSessions(session);
      return rows.map(({ id, userAgent, remoteAddress, tenantName, createdAt, lastSeenAt }) => ({
        id,
        device: describeDevice(userAgent),
        address: remoteAddress,
        tenantName,
        createTime: createdAt,
        lastSeenAt,
        current: id === (session.preview?.sessionId ?? session.id),
      }));
    },

    /** Ends own sessions. @throws {Refusal} 404 when none of them is an own open one */
    async removeSessions(session: Session, ids: string, caller: EventCaller): Promise<void> {
      const named = ids.split(",").filter(isId);
      const ended = named.length === 0 ? [] : await repository.endOwnSessions(session, named, "removed");
      if (ended.length === 0) throw refuse("identity.session_missing");
      for (const id of ended) onSessionEnded(id);
      await record(session.accountId, "session_ended", { detail: String(ended.length), caller });
    },

    /** For modules that ended a session themselves. */
    tellEnded: onSessionEnded,

    /** Ends every session of an account, or all but one. */
    async endSessionsOf(accountId: string, reason: string, except?: string): Promise<void> {
      for (const id of await repository.endSessionsOf(accountScope(proven, accountId), reason, except))
        onSessionEnded(id);
    },

    /** Ends every session of a person in one tenant. */
    async endMembershipSessions(membershipId: string, reason: string): Promise<void> {
      for (const id of await repository.endMembershipSessions(membershipId, reason)) onSessionEnded(id);
    },

    /** Proves by the own password who is calling. @throws {Refusal} 400 */
    async confirm(session: Session, password: string): Promise<void> {
      await logIn.confirmPassword(session.accountId, password, "identity.own_password");
      await repository.confirmSession(session.id);
    },

    /** @throws {Refusal} 403 when the last proof of who is calling is older than five minutes */
    async requireConfirmed({ id }: Session): Promise<void> {
      if (!(await repository.isConfirmed(id, confirmationS))) throw refuse("identity.confirm_first");
    },

    /** Compares the own password; wrong ones count like those of a log-in. @throws {Refusal} 400 */
    confirmPassword: (accountId: string, password: string) =>
      logIn.confirmPassword(accountId, password, "identity.old_password"),
    /** Lifts the lock of a login name, after its owner was proven otherwise. */
    forgetFailures: logIn.forgetFailures,
    /** Which log-ins are locked after wrong passwords. */
    locked: logIn.locked,
    /** Value of the cookie by which a browser is known to have been let in by this account. */
    deviceMark: logIn.deviceMark,

    demoAccounts: () => repository.demoAccounts(),
    /** Which of the sessions may go on. */
    activeSessions: async (sessionIds: readonly string[]): Promise<string[]> => [
      ...(await sessions.active(sessionIds, sessionLifetimeS())).keys(),
    ],
    sweep: () => repository.sweep(refreshGraceS),
  };
}
export type IdentityService = ReturnType<typeof createIdentityService>;
