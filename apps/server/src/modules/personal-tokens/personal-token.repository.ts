import { mostTokens, type TokenScope } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { inScope, ofAccount } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type AccountScope, requireSystemScope, type SystemScope, type TenantScope } from "../../tenant-scope.ts";

export interface TokenRow {
  id: string;
  name: string;
  lookup: string;
  scopes: TokenScope[];
  tenantName: string;
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
  remoteAddress: string;
  endedAt: Date | null;
}

export interface FoundTokenRow extends TokenRow {
  accountId: string;
  account: string;
  personName: string;
  tenantId: string;
}

interface NewToken {
  id: string;
  tenantId: string;
  membershipId: string;
  name: string;
  scopes: readonly TokenScope[];
  lookup: string;
  tokenHash: Buffer;
  days: number;
}

/** Days for which a token that ended or expired is still listed. */
const shownDays = 90;

/** @param db a pool or an open transaction */
export function personalTokenRepository(db: Kysely<DB>) {
  const columns = sql`
    k.id, k.name, k.lookup, k.scopes, t.name as tenant_name, k.created_at, k.expires_at, k.last_used_at, k.remote_address, k.ended_at`;
  return {
    async own(owner: AccountScope): Promise<TokenRow[]> {
      const { rows } = await sql<TokenRow>`
        select ${columns} from personal_tokens k join tenants t on t.tenant_id = k.tenant_id
         where ${ofAccount(owner, "k")} order by k.id desc`.execute(db);
      return rows;
    },

    /** @returns when it expires; undefined where the account has as many as it may */
    async insert(owner: AccountScope, { days, ...token }: NewToken): Promise<Date | undefined> {
      // Two at once wait for each other here, so that both count the other's.
      await sql`select from accounts a where a.id = ${owner.accountId} for no key update`.execute(db);
      const { rows } = await sql<{ expiresAt: Date }>`
        insert into personal_tokens (id, account_id, tenant_id, membership_id, name, scopes, lookup, token_hash, expires_at)
        select ${token.id}, ${owner.accountId}, ${token.tenantId}, ${token.membershipId}, ${token.name},
               ${[...token.scopes]}::text[], ${token.lookup}, ${token.tokenHash}, now() + make_interval(days => ${days})
         where (select count(*) from personal_tokens k
                 where ${ofAccount(owner, "k")} and k.ended_at is null and k.expires_at > now()) < ${mostTokens}
        returning expires_at`.execute(db);
      return rows[0]?.expiresAt;
    },

    /** Ends tokens of one account that are still open. @returns their names */
    async end(owner: AccountScope, ids: readonly string[], reason: string): Promise<string[]> {
      const { rows } = await sql<{ name: string }>`
        update personal_tokens k set ended_at = now(), end_reason = ${reason}
         where k.id = any(${[...ids]}::bigint[]) and ${ofAccount(owner, "k")} and k.ended_at is null
        returning k.name`.execute(db);
      return rows.map(({ name }) => name);
    },

    async byLookup(scope: TenantScope, lookup: string): Promise<FoundTokenRow | undefined> {
      const { rows } = await sql<FoundTokenRow>`
        select ${columns}, k.account_id, k.tenant_id, a.account, coalesce(nullif(a.real_name, ''), a.nick_name) as person_name
          from personal_tokens k join tenants t on t.tenant_id = k.tenant_id join accounts a on a.id = k.account_id
         where k.lookup = ${lookup} and ${inScope(scope, "k")}`.execute(db);
      return rows[0];
    },

    /** Ends one of anybody within the scope. @returns whose it was; undefined where none is open */
    async endOf(
      scope: TenantScope,
      id: string,
      reason: string,
    ): Promise<{ accountId: string; tenantId: string; name: string } | undefined> {
      const { rows } = await sql<{ accountId: string; tenantId: string; name: string }>`
        update personal_tokens k set ended_at = now(), end_reason = ${reason}
         where k.id = ${id} and k.ended_at is null and ${inScope(scope, "k")}
        returning k.account_id, k.tenant_id, k.name`.execute(db);
      return rows[0];
    },

    /** Notes the last use, to the minute. */
    async touch(scope: SystemScope, id: string, remoteAddress: string): Promise<void> {
      requireSystemScope(scope);
      await sql`
        update personal_tokens k set last_used_at = now(), remote_address = ${remoteAddress}
         where k.id = ${id} and (k.last_used_at is null or k.last_used_at < now() - interval '1 minute')`.execute(db);
    },

    async sweep(scope: SystemScope): Promise<void> {
      requireSystemScope(scope);
      await sql`
        delete from personal_tokens
         where least(ended_at, expires_at) < now() - make_interval(days => ${shownDays})`.execute(db);
    },
  };
}
export type PersonalTokenRepository = ReturnType<typeof personalTokenRepository>;
