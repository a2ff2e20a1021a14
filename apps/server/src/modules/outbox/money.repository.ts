import type { Kysely } from "kysely";
import type { DB } from "../../database/generated/database.ts";

/** Services that said last that their money is used up. @param db a pool or an open transaction */
export function moneyRepository(db: Kysely<DB>) {
  return {
    /** @param fault what the service answered; the first one stays, as since then it sends nothing */
    async note(channel: "sms" | "voice", fault: string): Promise<void> {
      await db
        .insertInto("outOfMoney")
        .values({ channel, fault })
        .onConflict((conflict) => conflict.column("channel").doNothing())
        .execute();
    },

    async forget(channel: "sms" | "voice"): Promise<void> {
      await db.deleteFrom("outOfMoney").where("channel", "=", channel).execute();
    },

    async spent(): Promise<string[]> {
      const rows = await db.selectFrom("outOfMoney").select("channel").execute();
      return rows.map(({ channel }) => channel);
    },
  };
}
