import type { ContactChangeState, contactProofs } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { ofAccount } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type AccountScope, requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

export interface ContactChangeRow {
  id: string;
  accountId: string;
  kind: "phone" | "email";
  state: ContactChangeState;
  provenBy: (typeof contactProofs)[number];
  oldEncrypted: string;
  newEncrypted: string;
  newIndex: Buffer | null;
  createdAt: Date;
  effectiveAt: Date;
  takeBackUntil: Date | null;
}

export type NewContactChange = Omit<ContactChangeRow, "accountId" | "createdAt"> & { oldIndex: Buffer | null };

/** Phone and e-mail of accounts and how they changed. @param db a pool or an open transaction */
export function contactRepository(db: Kysely<DB>) {
  const changes = () =>
    db
      .selectFrom("contactChanges as c")
      .select([
        "c.id",
        "c.accountId",
        "c.oldEncrypted",
        "c.newEncrypted",
        "c.newIndex",
        "c.createdAt",
        "c.effectiveAt",
        "c.takeBackUntil",
      ])
      .select([
        sql<ContactChangeRow["kind"]>`c.kind`.as("kind"),
        sql<ContactChangeRow["state"]>`c.state`.as("state"),
        sql<ContactChangeRow["provenBy"]>`c.proven_by`.as("provenBy"),
      ]);

  return {
    /** @param lock holds the account, so that of several changes at once one is first */
    async account({ accountId }: AccountScope, lock = false) {
      let query = db
        .selectFrom("accounts")
        .select(["id", "account", "phoneEncrypted", "phoneVerifiedAt", "emailEncrypted", "emailVerifiedAt"])
        .where("id", "=", accountId)
        .where("status", "=", 1);
      if (lock) query = query.forUpdate();
      return query.executeTakeFirst();
    },

    waiting: (owner: AccountScope): Promise<ContactChangeRow | undefined> =>
      changes()
        .where(ofAccount(owner, "c"))
        .where("c.state", "=", "waiting")
        .where("c.kind", "=", "phone")
        .executeTakeFirst(),

    /** Subscriptions to alarms that go to the phone. */
    async phoneSubscriptions(owner: AccountScope): Promise<number> {
      const row = await db
        .selectFrom("alarmSubscriptions as s")
        .select(sql<number>`count(*)::int`.as("count"))
        .where(ofAccount(owner, "s"))
        .where("s.channel", "=", "sms")
        .where("s.enabled", "=", true)
        .executeTakeFirstOrThrow();
      return row.count;
    },

    /** @returns false when another one waits already */
    async insert({ accountId }: AccountScope, row: NewContactChange): Promise<boolean> {
      const added = await db
        .insertInto("contactChanges")
        .values({ ...row, accountId })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },

    /** @returns false when it is in another state than it has to be */
    async move(owner: AccountScope, id: string, from: ContactChangeState, to: ContactChangeState): Promise<boolean> {
      const moved = await db
        .updateTable("contactChanges as c")
        .set({ state: to })
        .where("c.id", "=", id)
        .where("c.state", "=", from)
        .where(ofAccount(owner, "c"))
        .executeTakeFirst();
      return moved.numUpdatedRows > 0n;
    },

    /** Accounts that are bound to a number, beside one. @param indexes of the number, by every key */
    async accountsOf(scope: SystemScope, indexes: readonly Buffer[], except: string): Promise<number> {
      requireSystemScope(scope);
      const row = await db
        .selectFrom("accounts")
        .select(sql<number>`count(*)::int`.as("count"))
        .where("phoneIndex", "in", [...indexes])
        .where("id", "!=", except)
        .executeTakeFirstOrThrow();
      return row.count;
    },

    /** @param isProven its owner sent a code back */
    async setPhone(
      { accountId }: AccountScope,
      phone: { phoneEncrypted: string; phoneIndex: Buffer | null },
      isProven: boolean,
    ): Promise<void> {
      await db
        .updateTable("accounts")
        .set({
          ...phone,
          phoneChangedAt: sql<Date>`now()`,
          phoneVerifiedAt: isProven ? sql<Date>`now()` : null,
          updatedAt: sql<Date>`now()`,
          version: sql<number>`version + 1`,
        })
        .where("id", "=", accountId)
        .execute();
    },

    async setEmail({ accountId }: AccountScope, emailEncrypted: string, isProven: boolean): Promise<void> {
      await db
        .updateTable("accounts")
        .set({
          emailEncrypted,
          emailVerifiedAt: isProven ? sql<Date>`now()` : null,
          updatedAt: sql<Date>`now()`,
          version: sql<number>`version + 1`,
        })
        .where("id", "=", accountId)
        .execute();
    },

    /** Changes whose time has come. */
    due(scope: SystemScope, now: Date): Promise<ContactChangeRow[]> {
      requireSystemScope(scope);
      return changes().where("c.state", "=", "waiting").where("c.effectiveAt", "<=", now).limit(200).execute();
    },

    /** What the owner of an old number can take back, the newest of each account. @param indexes of the number, by every key */
    async takeable(scope: SystemScope, indexes: readonly Buffer[], now: Date): Promise<ContactChangeRow[]> {
      requireSystemScope(scope);
      return (
        changes()
          .where("c.kind", "=", "phone")
          .where("c.state", "in", ["waiting", "done"])
          .where("c.oldIndex", "in", [...indexes])
          .where("c.takeBackUntil", ">", now)
          // A later change by the new owner does not keep the old one from coming back.
          .distinctOn("c.accountId")
          .orderBy("c.accountId")
          .orderBy("c.id", "desc")
          .execute()
      );
    },

    /** Whatever else waits or was done for an account after a change that is taken back. */
    async endLater(owner: AccountScope, afterId: string): Promise<void> {
      await db
        .updateTable("contactChanges as c")
        .set({ state: "taken_back", takeBackUntil: null })
        .where(ofAccount(owner, "c"))
        .where("c.kind", "=", "phone")
        .where("c.id", ">", afterId)
        .where("c.state", "in", ["waiting", "done"])
        .execute();
    },
  };
}
export type ContactRepository = ReturnType<typeof contactRepository>;
