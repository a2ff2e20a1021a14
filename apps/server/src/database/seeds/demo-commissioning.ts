import { type Kysely, sql } from "kysely";
import { demoCommissioning } from "../../modules/commissioning/index.ts";
import type { DB } from "../generated/database.ts";

/** Unit whose list is signed, and the one whose list is under way, by the serial numbers of their controllers. */
const units = { signed: "ENV-ZJY-01", open: "ENV-ZJY-02" } as const;
/** Checks of the open list that are answered already. */
const answered = 5;

/** A unit that is commissioned, and one whose list is under way; what is there stays as it is. */
export async function seedDemoCommissioning(db: Kysely<DB>, nextId: () => string): Promise<void> {
  await db.transaction().execute(async (to) => {
    await sql`select pg_advisory_xact_lock(hashtext('seeds'))`.execute(to);
    const { rows } = await sql`select from commissionings limit 1`.execute(to);
    if (rows.length > 0) return;
    await demoCommissioning(to, { serialNumber: units.signed, nextId });
    await demoCommissioning(to, { serialNumber: units.open, nextId, answered });
  });
}
