import { type Kysely, type Selectable, sql } from "kysely";
import { ofAccount } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { AccountScope, MemberScope } from "../../tenant-scope.ts";

export interface ProfileRow {
  id: string;
  account: string;
  nickName: string;
  realName: string;
  avatar: string;
  sex: number;
  birthday: string | null;
  phoneEncrypted: string;
  phoneVerifiedAt: Date | null;
  emailEncrypted: string;
  emailVerifiedAt: Date | null;
  tenantName: string;
  createdAt: Date;
  passwordChangedAt: Date;
}

type Own = Partial<
  Pick<Selectable<DB["accounts"]>, "nickName" | "realName" | "avatar" | "sex"> & { birthday: string | null }
>;

export interface AddressRow {
  accountId: string;
  regionCode: string;
  addressEncrypted: string;
  /** From the province inwards. */
  names: string[];
}

/** What a person tells of themselves. @param db a pool or an open transaction */
export function profileRepository(db: Kysely<DB>) {
  /** Names of a division and those around it, from the province inwards. */
  const namesOf = async (code: string): Promise<string[]> => {
    const codes = [2, 4, 6].filter((length) => length <= code.length).map((length) => code.slice(0, length));
    if (codes.length === 0) return [];
    const rows = await db.selectFrom("regions").select("name").where("code", "in", codes).orderBy("code").execute();
    return rows.map(({ name }) => name);
  };
  return {
    namesOf,

    find: (owner: MemberScope): Promise<ProfileRow | undefined> =>
      db
        .selectFrom("accounts as a")
        .innerJoin("tenants as t", (join) => join.on("t.tenantId", "=", owner.tenantId))
        .select([
          "a.id",
          "a.account",
          "a.nickName",
          "a.realName",
          "a.avatar",
          "a.sex",
          "a.phoneEncrypted",
          "a.phoneVerifiedAt",
          "a.emailEncrypted",
          "a.emailVerifiedAt",
          "a.createdAt",
          "a.passwordChangedAt",
          "t.name as tenantName",
        ])
        .select(sql<string | null>`to_char(a.birthday, 'YYYY-MM-DD')`.as("birthday"))
        .where("a.id", "=", owner.accountId)
        .executeTakeFirst(),

    async save({ accountId }: AccountScope, change: Own): Promise<void> {
      await db
        .updateTable("accounts")
        .set({ ...change, updatedAt: sql<Date>`now()`, version: sql<number>`version + 1` })
        .where("id", "=", accountId)
        .execute();
    },

    async address(owner: AccountScope): Promise<AddressRow | undefined> {
      const row = await db
        .selectFrom("addresses as d")
        .select(["d.accountId", "d.regionCode", "d.addressEncrypted"])
        .where(ofAccount(owner, "d"))
        .executeTakeFirst();
      return row && { ...row, names: await namesOf(row.regionCode) };
    },

    async saveAddress(
      { accountId }: AccountScope,
      row: { regionCode: string; addressEncrypted: string },
    ): Promise<void> {
      await db
        .insertInto("addresses")
        .values({ accountId, ...row })
        .onConflict((conflict) => conflict.column("accountId").doUpdateSet({ ...row, updatedAt: sql<Date>`now()` }))
        .execute();
    },

    /** The division that names lead to, as deep as they are given. @returns its code; "" when one of them is none */
    async codeOf(names: readonly string[]): Promise<string> {
      let code = "00";
      for (const name of names) {
        const row = await db
          .selectFrom("regions")
          .select("code")
          .where("parentCode", "=", code)
          .where("name", "=", name)
          .executeTakeFirst();
        if (row === undefined) return "";
        code = row.code;
      }
      return code === "00" ? "" : code;
    },
  };
}
export type ProfileRepository = ReturnType<typeof profileRepository>;
