import { type BoardState, mostBoardFields, type SaleCategory, type SaleMode } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";

interface BoardFieldRow {
  id: string;
  name: string;
  /** Id of a sale region; empty for none. */
  region: string;
  /** How many fields there are, with those that are not among these rows. */
  total: number;
}

interface BoardPlanRow {
  id: string;
  number: string;
  field: string;
  day: string;
  category: SaleCategory;
  fromKg: number;
  toKg: number;
  heads: number;
  taken: number;
  mode: SaleMode;
  state: BoardState;
  pricePerKg: number | null;
  version: number;
}

/** What the board of sale plans is made of; plans and fields are the group's. @param db a pool or an open transaction */
export const planBoardRepository = (db: Kysely<DB>) => ({
  /**
   * Fields in use, and those out of use that still have plans: with plans between two days first, then those with slots for any of them.
   * @param from yyyy-MM-dd, as is `to`, which belongs to it
   * @param region id of the sale region; empty for all
   */
  async fields(from: string, to: string, region: string): Promise<BoardFieldRow[]> {
    const { rows } = await sql<BoardFieldRow>`
      select f.id, f.field_name as name, coalesce(f.sale_region::text, '') as region, count(*) over ()::int as total
        from sale_fields f,
     lateral (select exists (select from sale_plans p
                              where p.field = f.id and p.day between ${from} and ${to} and p.state <> 'dropped') as planned,
                     exists (select from loading_slots s
                              where s.field_id = f.id and s.status = '1' and s.kind = 'open' and s.valid_from <= ${to}
                                and (s.weekday <> 'date' or s.on_day between ${from} and ${to})) as loads) has
       where (f.status = '1' or has.planned) and (${region} = '' or f.sale_region::text = ${region})
       order by has.planned desc, has.loads desc, f.field_name, f.id
       limit ${mostBoardFields}`.execute(db);
    return rows;
  },

  /** Plans of fields between two days, without those that were dropped. */
  async plans(from: string, to: string, fields: readonly string[]): Promise<BoardPlanRow[]> {
    const { rows } = await sql<BoardPlanRow>`
      select p.id, p.number, p.field, p.day::text as day, p.category, p.from_kg as "fromKg", p.to_kg as "toKg", p.heads, p.taken,
             p.mode, p.state, p.price_per_kg as "pricePerKg", p.version
        from sale_plans p
       where p.day between ${from} and ${to} and p.state <> 'dropped' and p.field = any(${fields}::bigint[])
       order by p.day, p.id`.execute(db);
    return rows;
  },
});
