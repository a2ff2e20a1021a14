import type { PriceBreed } from "@herdwise/contract";
import type { DayFen } from "@herdwise/contract/sell-days";
import { type Kysely, sql } from "kysely";
import { inRowScope, inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { withdrawalOf } from "./trade.repository.ts";

export interface SoldUnitRow {
  id: string;
  name: string;
  houseName: string;
  farmName: string;
  pigstyType: string;
  heads: number;
  ageDays: number | null;
  weightGrams: number | null;
  /** Of the farm, two digits; "" where it is not known. */
  province: string;
  /** The group's field that is this farm; null for others. */
  field: string | null;
  /** Id of the sale region of the field, else of the province; null for none. */
  saleRegion: string | null;
  medicine: string | null;
  given: string | null;
  until: string | null;
}

/** What the best days to sell a unit are worked out from. @param db a pool or an open transaction */
export const sellDaysRepository = (db: Kysely<DB>) => ({
  /**
   * A unit that the scope and its roles reach.
   * @param today yyyy-MM-dd @param groupTenantId the group's farms and its fields with one code are the same
   */
  async unit(scope: TenantScope, id: string, today: string, groupTenantId: string): Promise<SoldUnitRow | undefined> {
    const { rows } = await sql<SoldUnitRow>`
      select u.id::text as id, u.name, h.name as "houseName", f.name as "farmName", u.pigsty_type as "pigstyType", u.head_count as heads,
             u.batch_arrival_age_days + (${today}::date - u.batch_arrived_on) as "ageDays", u.average_weight_grams as "weightGrams",
             left(f.region_code, 2) as province, s.id::text as field,
             coalesce(s.sale_region, (select r.id from sale_regions r where r.status = '1' and left(f.region_code, 2) = any(r.provinces)
                                       order by r.sort, r.id limit 1))::text as "saleRegion",
             w.medicine, w.given, w.until
        from units u join pig_houses h on h.id = u.house_id join farms f on f.id = h.farm_id
        left join sale_fields s on f.tenant_id = ${groupTenantId} and lower(s.field_code) = lower(f.code)
        left join lateral (${withdrawalOf(sql`u.id`, sql`${today}::date`)}) w on true
       where u.id = ${id} and ${inScope(scope, "u")} and ${inRowScope(scope, "u")}`.execute(db);
    return rows[0];
  },

  /** Published prices of a province and breed between two days, by day. Prices are the group's. */
  async prices(province: string, breed: PriceBreed, from: string, to: string): Promise<DayFen[]> {
    const { rows } = await sql<DayFen>`
      select e.price_day::text as day, e.fen from price_entries e
       where e.region_code = ${province} and e.breed = ${breed} and e.price_day between ${from}::date and ${to}::date
         and e.state = 'published' and e.fen is not null
       order by e.price_day`.execute(db);
    return rows;
  },
});
