import { type BodyOf, mostTokens, type personalTokenSubmit, tokenPrefix } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { AuthenticateToken, Session } from "../../http/session.ts";
import { readSomeIds } from "../../ids.ts";
import { type SystemScope, systemScope, type TenantScope } from "../../tenant-scope.ts";
import type { EventCaller, RecordEvent } from "../account-log/index.ts";
import type { AuditRepository } from "../audit/index.ts";
import type { IdentityService } from "../identity/index.ts";
import type { PersonalTokenRepository, TokenRow } from "./personal-token.repository.ts";
import { createTokenHash, isTokenText, lookupIn, newTokenText } from "./token-text.ts";

interface Parts {
  tokens: PersonalTokenRepository;
  audit: Pick<AuditRepository, "append">;
}

export interface PersonalTokenDependencies {
  repository: PersonalTokenRepository;
  inTransaction<T>(work: (parts: Parts) => Promise<T>): Promise<T>;
  identity: Pick<IdentityService, "tokenSession">;
  secretKey: string;
  nextId: () => string;
  now: () => number;
  record: RecordEvent;
  notify(accountId: string, title: string, content: string, link?: string): Promise<void>;
  onError: (error: unknown) => void;
}

const callers: SystemScope = systemScope(
  "a personal access token tells who is calling; before that there is no session",
);
const securityPath = "/selfCenter/safeManage";

/** Personal access tokens: made and ended by their person, shown at calls, and found where they leaked. */
export function createPersonalTokens({
  repository,
  inTransaction,
  identity,
  secretKey,
  nextId,
  now,
  record,
  notify,
  onError,
}: PersonalTokenDependencies) {
  const hashOf = createTokenHash(secretKey);

  const view = ({ name, lookup, createdAt, expiresAt, endedAt, remoteAddress, ...row }: TokenRow) => ({
    ...row,
    tokenName: name,
    begins: tokenPrefix + lookup,
    state:
      endedAt !== null ? ("ended" as const) : expiresAt.getTime() <= now() ? ("expired" as const) : ("active" as const),
    createTime: createdAt,
    expireTime: expiresAt,
    address: remoteAddress,
  });

  const authenticate: AuthenticateToken = async (token, remoteAddress) => {
    if (!isTokenText(token)) return undefined;
    const session = await identity.tokenSession(hashOf(token));
    // What was used when is a convenience, and no call fails for it.
    if (session !== undefined) await repository.touch(callers, session.id, remoteAddress).catch(onError);
    return session;
  };

  return {
    authenticate,

    list: async (session: Session) => (await repository.own(session)).map(view),

    /** @returns the text of the new token, which is not stored */
    async submit(
      session: Session,
      { tokenName, scopes, days }: BodyOf<typeof personalTokenSubmit>,
      caller: EventCaller,
    ) {
      const name = tokenName.trim();
      if (name === "") throw refuse("parameter.invalid", { field: "tokenName", values: { field: "tokenName" } });
      const id = nextId();
      const { token, lookup } = newTokenText();
      const { tenantId, membershipId } = session;
      const expireTime = await inTransaction(({ tokens }) =>
        tokens.insert(session, {
          id,
          tenantId,
          membershipId,
          name,
          scopes: [...new Set(scopes)],
          lookup,
          tokenHash: hashOf(token),
          days,
        }),
      );
      if (expireTime === undefined) throw refuse("token.too_many", { values: { count: mostTokens } });
      await record(session.accountId, "token_made", { detail: name, caller });
      return { id, token, expireTime };
    },

    /** Ends own tokens. @throws {Refusal} 404 where none of them is open */
    async remove(session: Session, ids: string | undefined, caller: EventCaller): Promise<void> {
      const ended = await repository.end(session, readSomeIds(ids), "removed");
      if (ended.length === 0) throw refuse("row.not_found");
      for (const name of ended) await record(session.accountId, "token_ended", { detail: name, caller });
    },

    /** Whose token it is that somebody found. @throws {Refusal} 404 */
    async find(scope: TenantScope, text: string) {
      const lookup = lookupIn(text);
      const row = lookup === undefined ? undefined : await repository.byLookup(scope, lookup);
      if (row === undefined) throw refuse("token.unknown");
      const { accountId, account, personName, tenantId } = row;
      return { ...view(row), accountId, account, personName, tenantId };
    },

    /** Ends somebody's token; they are told. @throws {Refusal} 404 where it is not open */
    async end(scope: TenantScope, id: string): Promise<void> {
      const ended = await inTransaction(async ({ tokens, audit }) => {
        const gone = await tokens.endOf(scope, id, "leaked");
        if (gone === undefined) throw refuse("row.not_found");
        const entry = {
          resource: "personal_token",
          rowId: id,
          rowTitle: gone.name,
          action: "remove" as const,
          changes: [],
        };
        await audit.append(gone.tenantId, scope, [entry], nextId);
        return gone;
      });
      await record(ended.accountId, "token_ended", { detail: ended.name });
      await notify(
        ended.accountId,
        "管理员停用了您的一个访问令牌",
        "它可能已经泄露。请检查用它的程序，再到安全设置里新建一个。",
        securityPath,
      ).catch(onError);
    },

    sweep: () => repository.sweep(callers),
  };
}
