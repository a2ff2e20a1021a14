import { type Kysely, sql } from "kysely";
import { ofAccount } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readQuery } from "../../database/pages.ts";
import { type AccountScope, requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

export interface ClientRow {
  id: string;
  clientId: string;
  secretHash: string | null;
  name: string;
  logo: string;
  redirectUris: string[];
  postLogoutRedirectUris: string[];
  scopes: string[];
  grantTypes: string[];
  createdAt: Date;
}

/** What the authorization server stores under one model and id. */
export interface StoredPayload {
  payload: Record<string, unknown>;
  consumed: boolean;
}

const clientColumns = [
  "id",
  "clientId",
  "secretHash",
  "name",
  "logo",
  "redirectUris",
  "postLogoutRedirectUris",
  "scopes",
  "grantTypes",
  "createdAt",
] as const;

/**
 * Applications and what the authorization server keeps for them: it finds its rows by codes and tokens. What belongs to an
 * account that is known takes its scope all the same.
 * @param db a pool or an open transaction
 */
export function authorizationRepository(db: Kysely<DB>, scope: SystemScope) {
  requireSystemScope(scope);
  const living = (model: string) =>
    db
      .selectFrom("authorizationPayloads")
      .select([
        sql<Record<string, unknown>>`payload`.as("payload"),
        sql<boolean>`consumed_at is not null`.as("consumed"),
      ])
      .where("model", "=", model)
      .where((either) => either.or([either("expiresAt", "is", null), either("expiresAt", ">", sql<Date>`now()`)]));

  return {
    async save(
      model: string,
      id: string,
      payload: Record<string, unknown>,
      keys: {
        grantId?: string | undefined;
        accountId?: string | undefined;
        clientId?: string | undefined;
        uid?: string | undefined;
      },
      lifetimeS: number | undefined,
    ): Promise<void> {
      const row = {
        payload: JSON.stringify(payload),
        grantId: keys.grantId ?? null,
        accountId: keys.accountId ?? null,
        clientId: keys.clientId ?? null,
        uid: keys.uid ?? null,
        expiresAt: lifetimeS === undefined ? null : sql<Date>`now() + make_interval(secs => ${lifetimeS})`,
      };
      await db
        .insertInto("authorizationPayloads")
        .values({ model, id, ...row })
        .onConflict((conflict) => conflict.columns(["model", "id"]).doUpdateSet(row))
        .execute();
    },

    find: (model: string, id: string): Promise<StoredPayload | undefined> =>
      living(model).where("id", "=", id).executeTakeFirst(),

    findByUid: (model: string, uid: string): Promise<StoredPayload | undefined> =>
      living(model).where("uid", "=", uid).executeTakeFirst(),

    /** Marks a code or token as used. @returns false when somebody was quicker */
    async consume(model: string, id: string): Promise<boolean> {
      const result = await db
        .updateTable("authorizationPayloads")
        .set({ consumedAt: sql<Date>`now()` })
        .where("model", "=", model)
        .where("id", "=", id)
        .where("consumedAt", "is", null)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    async remove(model: string, id: string): Promise<void> {
      await db.deleteFrom("authorizationPayloads").where("model", "=", model).where("id", "=", id).execute();
    },

    /** Removes codes and tokens of a grant, and the grant itself. */
    async removeGrant(grantId: string): Promise<void> {
      await db
        .deleteFrom("authorizationPayloads")
        .where((either) =>
          either.or([
            either("grantId", "=", grantId),
            either.and([either("model", "=", "Grant"), either("id", "=", grantId)]),
          ]),
        )
        .execute();
    },

    /** Ends what applications hold of an account; what the person consented to stays. */
    async endTokensOf(owner: AccountScope): Promise<void> {
      await db
        .deleteFrom("authorizationPayloads")
        .where(ofAccount(owner, "authorizationPayloads"))
        .where("model", "!=", "Grant")
        .execute();
    },

    /** Ends what one application holds of an account; what the person consented to stays. */
    async endTokensAt(owner: AccountScope, clientId: string): Promise<void> {
      await db
        .deleteFrom("authorizationPayloads")
        .where(ofAccount(owner, "authorizationPayloads"))
        .where("clientId", "=", clientId)
        .where("model", "!=", "Grant")
        .execute();
    },

    /** Grants of an account, newest first, with the application's name. */
    grants: (owner: AccountScope) =>
      db
        .selectFrom("authorizationPayloads as p")
        .innerJoin("oauthClients as c", "c.clientId", "p.clientId")
        .select(["p.id", "c.name as clientName", "c.logo", "p.createdAt as createTime"])
        .select(sql<{ openid?: { scope?: string } }>`p.payload`.as("payload"))
        .where("p.model", "=", "Grant")
        .where(ofAccount(owner, "p"))
        .where("p.expiresAt", ">", sql<Date>`now()`)
        .orderBy("p.createdAt", "desc")
        .execute(),

    async ownsGrant(owner: AccountScope, grantId: string): Promise<boolean> {
      const row = await db
        .selectFrom("authorizationPayloads")
        .select("id")
        .where("model", "=", "Grant")
        .where("id", "=", grantId)
        .where(ofAccount(owner, "authorizationPayloads"))
        .executeTakeFirst();
      return row !== undefined;
    },

    async sweep(): Promise<void> {
      await db
        .deleteFrom("authorizationPayloads")
        .where("expiresAt", "<", sql<Date>`now() - interval '1 day'`)
        .execute();
    },

    client: (clientId: string): Promise<ClientRow | undefined> =>
      db
        .selectFrom("oauthClients")
        .select(clientColumns)
        .where("clientId", "=", clientId)
        .where("status", "=", 1)
        .executeTakeFirst(),

    clients: (request: PageRange): Promise<{ total: number; rows: ClientRow[] }> =>
      readQuery(db.selectFrom("oauthClients").select(clientColumns), [{ by: sql`id`, descending: true }], request),

    clientById: (id: string): Promise<ClientRow | undefined> =>
      db.selectFrom("oauthClients").select(clientColumns).where("id", "=", id).executeTakeFirst(),

    async insertClient(client: Omit<ClientRow, "createdAt">): Promise<void> {
      await db.insertInto("oauthClients").values(client).execute();
    },

    /** @returns the client's id, undefined when there is none of this key */
    async updateClient(
      id: string,
      change: Pick<ClientRow, "name" | "logo" | "redirectUris" | "scopes"> &
        Partial<Pick<ClientRow, "postLogoutRedirectUris">>,
    ): Promise<string | undefined> {
      const row = await db
        .updateTable("oauthClients")
        .set({ ...change, updatedAt: sql<Date>`now()` })
        .where("id", "=", id)
        .returning("clientId")
        .executeTakeFirst();
      return row?.clientId;
    },

    /** Removes applications with everything that was given to them. */
    async removeClients(ids: readonly string[]): Promise<void> {
      const rows = await db
        .deleteFrom("oauthClients")
        .where("id", "in", [...ids])
        .returning("clientId")
        .execute();
      const clientIds = rows.map(({ clientId }) => clientId);
      if (clientIds.length > 0)
        await db.deleteFrom("authorizationPayloads").where("clientId", "in", clientIds).execute();
    },

    async keys(): Promise<Buffer[]> {
      const rows = await db
        .selectFrom("authorizationKeys")
        .select("privateKeyEncrypted")
        .orderBy("createdAt")
        .orderBy("kid")
        .execute();
      return rows.map(({ privateKeyEncrypted }) => privateKeyEncrypted);
    },

    /** Keeps new keys unless another server was quicker. */
    async insertFirstKeys(keys: readonly { kid: string; privateKeyEncrypted: Buffer }[]): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(hashtext('authorization keys'))`.execute(transaction);
        const held = await transaction.selectFrom("authorizationKeys").select("kid").limit(1).executeTakeFirst();
        if (held === undefined)
          await transaction
            .insertInto("authorizationKeys")
            .values([...keys])
            .execute();
      });
    },

    /** The account behind a subject, while it may sign in. */
    account: ({ accountId }: AccountScope) =>
      db
        .selectFrom("accounts")
        .select(["id", "account", "realName", "nickName", "avatar"])
        .where("id", "=", accountId)
        .where("status", "=", 1)
        .executeTakeFirst(),

    async tenantsOf(owner: AccountScope): Promise<{ tenantId: string; name: string; type: string }[]> {
      return db
        .selectFrom("memberships as m")
        .innerJoin("tenants as t", "t.tenantId", "m.tenantId")
        .select(["t.tenantId", "t.name", "t.type"])
        .where(ofAccount(owner, "m"))
        .where("m.status", "=", 1)
        .where("t.status", "=", 1)
        .orderBy("t.tenantId")
        .execute();
    },
  };
}
export type AuthorizationRepository = ReturnType<typeof authorizationRepository>;
