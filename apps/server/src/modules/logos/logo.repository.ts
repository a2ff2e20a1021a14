import type { LogoTheme } from "@herdwise/contract";
import type { Kysely } from "kysely";
import type { DB } from "../../database/generated/database.ts";
import type { Logo } from "../files/index.ts";

export interface HeldLogo extends Logo {
  theme: LogoTheme;
  hash: string;
}

/** Logos are the installation's, not a customer's. @param db a pool or an open transaction */
export function logoRepository(db: Kysely<DB>) {
  return {
    hashes: (): Promise<{ theme: string; hash: string }[]> =>
      db.selectFrom("logos").select(["theme", "hash"]).execute(),

    find: (theme: LogoTheme, hash: string) =>
      db.selectFrom("logos").selectAll().where("theme", "=", theme).where("hash", "=", hash).executeTakeFirst(),

    async save({ theme, ...logo }: HeldLogo): Promise<void> {
      const row = { ...logo, image: Buffer.from(logo.image), icon: Buffer.from(logo.icon), updatedAt: new Date() };
      await db
        .insertInto("logos")
        .values({ theme, ...row })
        .onConflict((conflict) => conflict.column("theme").doUpdateSet(row))
        .execute();
    },

    /** @returns whether there was one */
    async remove(theme: LogoTheme): Promise<boolean> {
      const [gone] = await db.deleteFrom("logos").where("theme", "=", theme).returning("theme").execute();
      return gone !== undefined;
    },
  };
}
export type LogoRepository = ReturnType<typeof logoRepository>;
