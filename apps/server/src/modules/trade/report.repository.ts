import type { saleReportBy } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

/** Sums of sale_days; big ones as text, so that none loses a digit. */
export interface SumsRow {
  key: string;
  name: string;
  plannedHeads: number;
  offeredHeads: number;
  soldHeads: number;
  loadedHeads: number;
  orders: number;
  cancelledOrders: number;
  netGrams: number;
  goodsFen: number;
  deadGrams: number;
  marketFenGrams: string;
  marketGrams: number;
  moneySeconds: number;
  completedOrders: number;
}

/** Days that one statement works out anew. */
const daysTogether = 400;

/** Trade by loading day, field and category. @param db a pool or an open transaction */
export function saleReportRepository(db: Kysely<DB>) {
  return {
    /**
     * Works out anew some of what is marked, the oldest marks first. Marks and figures are of one snapshot: what a step changes afterwards has
     * a mark of its own.
     * @returns whether more is marked
     */
    async renew(scope: SystemScope): Promise<boolean> {
      requireSystemScope(scope);
      const { rows } = await sql<{ more: boolean }>`
        with places as (select m.field, m.day from sale_day_marks m group by m.field, m.day order by min(m.id) limit ${daysTogether}),
        taken as (delete from sale_day_marks m using places p where m.field = p.field and m.day = p.day returning m.id),
        market as (
          select e.price_day as day, e.breed, avg(e.fen) as fen from price_entries e
           where e.state = 'published' and e.fen is not null and e.price_day in (select day from places) group by 1, 2),
        plans as (
          select p.id, p.field, p.day, p.category, p.heads, p.state, p.created_at,
                 p.state in ('approved', 'published', 'closed') as planned, p.state in ('published', 'closed') as offered
            from places s join sale_plans p on p.day = s.day and p.field = s.field),
        sold as (
          select o.id, o.plan, o.state, o.heads, o.state_at from plans p join sale_orders o on o.plan = p.id),
        ordered as (
          select o.plan, sum(o.heads) filter (where o.state <> 'cancelled') as heads,
                 count(*) filter (where o.state <> 'cancelled') as orders, count(*) filter (where o.state = 'cancelled') as cancelled,
                 count(*) filter (where o.state = 'completed') as completed,
                 sum(extract(epoch from o.state_at - p.created_at)) filter (where o.state = 'completed') as seconds
            from sold o join plans p on p.id = o.plan group by o.plan),
        loaded as (
          select o.plan, sum(w.heads) as heads from sold o join weighings w on w."order" = o.id and w.state = 'confirmed' group by o.plan),
        settled as (
          select o.plan, sum(s.net_grams) as net, sum(s.goods_fen) as goods,
                 sum((select coalesce(sum((l ->> 'deadGrams')::bigint), 0) from jsonb_array_elements(s.lines) l)) as dead
            from sold o join settlements s on s."order" = o.id and s.state = 'confirmed' group by o.plan),
        gone as (delete from sale_days d using places p where d.field = p.field and d.day = p.day
                  and not exists (select from plans n where n.field = d.field and n.day = d.day and n.category = d.category)),
        written as (
          insert into sale_days (field, day, category, planned_heads, offered_heads, sold_heads, orders, cancelled_orders, loaded_heads,
                                 net_grams, goods_fen, dead_grams, market_fen_grams, market_grams, money_seconds, completed_orders)
          select p.field, p.day, p.category, coalesce(sum(p.heads) filter (where p.planned), 0), coalesce(sum(p.heads) filter (where p.offered), 0),
                 coalesce(sum(o.heads), 0), coalesce(sum(o.orders), 0), coalesce(sum(o.cancelled), 0), coalesce(sum(l.heads), 0),
                 coalesce(sum(t.net), 0), coalesce(sum(t.goods), 0), coalesce(sum(t.dead), 0),
                 coalesce(sum(t.net * m.fen), 0), coalesce(sum(t.net) filter (where m.fen is not null), 0),
                 coalesce(sum(o.seconds), 0), coalesce(sum(o.completed), 0)
            from plans p left join ordered o on o.plan = p.id left join loaded l on l.plan = p.id left join settled t on t.plan = p.id
            left join market m on m.day = p.day and m.breed = p.category
           group by p.field, p.day, p.category
          on conflict on constraint sale_days_pk do update set
            planned_heads = excluded.planned_heads, offered_heads = excluded.offered_heads, sold_heads = excluded.sold_heads,
            orders = excluded.orders, cancelled_orders = excluded.cancelled_orders, loaded_heads = excluded.loaded_heads,
            net_grams = excluded.net_grams, goods_fen = excluded.goods_fen, dead_grams = excluded.dead_grams,
            market_fen_grams = excluded.market_fen_grams, market_grams = excluded.market_grams,
            money_seconds = excluded.money_seconds, completed_orders = excluded.completed_orders)
        select count(*) = ${daysTogether} as more from places`.execute(db);
      return rows[0]?.more ?? false;
    },

    /** One renewal after the other. The caller has a transaction open. */
    hold: (scope: SystemScope): Promise<unknown> => {
      requireSystemScope(scope);
      return sql`select pg_advisory_xact_lock(hashtext('sale_days'))`.execute(db);
    },

    /** Whether anything is marked. */
    async isMarked(scope: SystemScope): Promise<boolean> {
      requireSystemScope(scope);
      return (await sql`select from sale_day_marks limit 1`.execute(db)).rows.length > 0;
    },

    /** Sums of loading days. @param from yyyy-MM-dd @param to included */
    async sums(
      scope: SystemScope,
      { from, to, by }: { from: string; to: string; by: (typeof saleReportBy)[number] },
    ): Promise<SumsRow[]> {
      requireSystemScope(scope);
      const key = {
        field: sql`d.field::text`,
        region: sql`coalesce(f.sale_region::text, '')`,
        category: sql`d.category`,
        month: sql`to_char(d.day, 'YYYY-MM')`,
      }[by];
      const name = {
        field: sql`max(f.field_name)`,
        region: sql`coalesce(max(r.region_name), '')`,
        category: sql`max(d.category)`,
        month: sql`to_char(min(d.day), 'YYYY-MM')`,
      }[by];
      const { rows } = await sql<SumsRow>`
        select ${key} as key, ${name} as name, sum(d.planned_heads)::float8 as "plannedHeads", sum(d.offered_heads)::float8 as "offeredHeads",
               sum(d.sold_heads)::float8 as "soldHeads", sum(d.loaded_heads)::float8 as "loadedHeads", sum(d.orders)::float8 as orders,
               sum(d.cancelled_orders)::float8 as "cancelledOrders", sum(d.net_grams)::float8 as "netGrams",
               sum(d.goods_fen)::float8 as "goodsFen", sum(d.dead_grams)::float8 as "deadGrams",
               round(sum(d.market_fen_grams))::text as "marketFenGrams", sum(d.market_grams)::float8 as "marketGrams",
               sum(d.money_seconds)::float8 as "moneySeconds", sum(d.completed_orders)::float8 as "completedOrders"
          from sale_days d join sale_fields f on f.id = d.field left join sale_regions r on r.id = f.sale_region
         where d.day between ${from}::date and ${to}::date group by 1 order by 1`.execute(db);
      return rows;
    },
  };
}
