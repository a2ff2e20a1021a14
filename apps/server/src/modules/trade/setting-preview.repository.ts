import type { PastOrder, PastSale, SaleCategory, SaleMode } from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

/** Which past sales a setting is about. */
export interface PastScope {
  category: SaleCategory;
  /** Id of the only sale region; "" for all but `without`. */
  region: string;
  /** Regions that have a setting of their own. */
  without: readonly string[];
  /** Newest sales that are read. */
  last: number;
}

const inRegions = ({ region, without }: PastScope): RawBuilder<SqlBool> =>
  region === ""
    ? sql<SqlBool>`(f.sale_region is null or f.sale_region <> all(${[...without]}::bigint[]))`
    : sql<SqlBool>`f.sale_region = ${region}::bigint`;

/** Past sales of all customers, by which settings of trade are looked at. @param db a pool or an open transaction */
export const settingPreviewRepository = (db: Kysely<DB>) => ({
  /** Orders that were not cancelled, newest loading day first. */
  async orders(scope: SystemScope, of: PastScope & { mode: SaleMode }): Promise<PastSale[]> {
    requireSystemScope(scope);
    const { rows } = await sql<PastSale>`
      select o.id::text as id, o.number, p.day::text as day, o.heads, 0 as "depositFen"
        from sale_orders o join sale_plans p on p.id = o.plan join sale_fields f on f.id = p.field
       where o.state <> 'cancelled' and p.category = ${of.category} and p.mode = ${of.mode} and ${inRegions(of)}
       order by p.day desc, o.id desc limit ${of.last}`.execute(db);
    return rows;
  },

  /** Lots that were decided, newest loading day first, with the deposit that they asked of each bidder. */
  async lots(scope: SystemScope, of: PastScope): Promise<PastSale[]> {
    requireSystemScope(scope);
    const { rows } = await sql<PastSale>`
      select l.id::text as id, l.number, p.day::text as day, l.heads, l.deposit_fen * l.heads as "depositFen"
        from lots l join sale_plans p on p.id = l.plan join sale_fields f on f.id = p.field
       where l.state in ('awarded', 'failed') and p.category = ${of.category} and ${inRegions(of)}
       order by p.day desc, l.id desc limit ${of.last}`.execute(db);
    return rows;
  },

  /** Orders with a confirmed settlement, newest loading day first. */
  async settled(scope: SystemScope, of: PastScope): Promise<(PastOrder & { region: string })[]> {
    requireSystemScope(scope);
    const { rows } = await sql<PastOrder & { region: string }>`
      select o.id::text as id, o.number, p.day::text as day, s.heads, s.lines, coalesce(f.sale_region::text, '') as region
        from settlements s join sale_orders o on o.id = s."order" join sale_plans p on p.id = o.plan
        join sale_fields f on f.id = p.field
       where s.state = 'confirmed' and p.category = ${of.category} and ${inRegions(of)}
       order by p.day desc, o.id desc limit ${of.last}`.execute(db);
    return rows;
  },
});
