import type { BandRow, ModelRow, SlotRow } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";

/** A stored slot with its name. */
export interface StoredSlot extends SlotRow {
  fieldId: string;
  title: string;
}

/** A stored band with its name. */
export interface StoredBand extends BandRow {
  id: string;
  title: string;
}

/** A stored model with what it asks of a sale. */
export interface StoredModel extends ModelRow {
  id: string;
  title: string;
  participants: string[];
  leastHeads: number;
  mostHeads: number;
  /** Fen per head; null for none. */
  depositFen: number | null;
  /** Fen per kg; null for none. */
  bidStepFen: number | null;
  softCloseMinutes: number;
}

/**
 * Settings of trade, which are the group's and the same for everybody.
 * @param db a pool or an open transaction
 */
export const tradeSettingsRepository = (db: Kysely<DB>) => ({
  /** Makes other changes of these settings wait until this transaction ends. @param table whose rows must fit each other */
  async hold(table: "loading_slots" | "weight_bands"): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtext(${`trade settings ${table}`}))`.execute(db);
  },

  async slots(fieldIds: readonly string[]): Promise<StoredSlot[]> {
    return db
      .selectFrom("loadingSlots")
      .select([
        "id",
        "fieldId",
        "slotName as title",
        "weekday",
        "onDay",
        "kind",
        "times",
        "mostVehicles",
        "headsPerVehicle",
      ])
      .select(["validFrom", "status"])
      .where("fieldId", "in", fieldIds)
      .execute();
  },

  async bands(categories: readonly string[]): Promise<StoredBand[]> {
    return db
      .selectFrom("weightBands")
      .select(["id", "bandName as title", "saleRegion", "category", "fromGrams", "toGrams", "adjustmentFen"])
      .select(["validFrom", "status"])
      .where("category", "in", categories)
      .execute();
  },

  async models(category: string, mode: string): Promise<StoredModel[]> {
    return db
      .selectFrom("salesModels")
      .select(["id", "modelName as title", "saleRegion", "category", "mode", "participants", "leastHeads", "mostHeads"])
      .select(["depositFen", "bidStepFen", "softCloseMinutes", "validFrom", "status"])
      .where("category", "=", category)
      .where("mode", "=", mode)
      .execute();
  },
});
export type TradeSettingsRepository = ReturnType<typeof tradeSettingsRepository>;
