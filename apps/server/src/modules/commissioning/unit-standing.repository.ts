import type { CommissioningUnit, UnitCommissioning, UnitCommissioningState } from "@herdwise/contract";
import { type Kysely, type SqlBool, sql } from "kysely";
import { inReach, likeWord } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readList } from "../../database/pages.ts";
import type { TenantScope } from "../../tenant-scope.ts";

type UnitRow = Omit<CommissioningUnit, "signTime"> & { signTime: Date | null };
type StandingRow = Omit<UnitCommissioning, "signTime"> & { signTime: Date | null };

/** Devices of unit `u` that its newest signed list `l` does not speak for as they hang now. */
const changed = sql`
  from devices d left join commissioning_devices k on k.commissioning_id = l.id and k.device_id = d.id
 where d.unit_id = u.id and d.tenant_id = u.tenant_id and l.id is not null
   and (k.device_id is null or (d.bound_at, d.position_x, d.position_y, d.height_cm)
        is distinct from (k.bound_at, k.position_x, k.position_y, k.height_cm))`;

const standing = sql`
  join pig_houses h on h.id = u.house_id join farms f on f.id = h.farm_id
  left join commissionings o on o.unit_id = u.id and o.state = 'open'
  left join lateral (select c.id, c.state_at, c.signed_name from commissionings c where c.unit_id = u.id and c.state = 'signed'
                      order by c.state_at desc limit 1) l on true`;

const stateNow = sql`case when o.id is not null then 'open' when l.id is null then 'never'
  when exists (select ${changed}) then 'again' else 'signed' end`;

const devices = sql`(select count(*)::int from devices d where d.unit_id = u.id and d.tenant_id = u.tenant_id)`;

const columns = sql`
  u.id::text as id, u.name as unit_name, h.name as house_name, f.name as farm_name, ${devices} as devices, ${stateNow} as state,
  coalesce(o.id::text, '') as open_id, coalesce(l.id::text, '') as signed_id, coalesce(l.signed_name, '') as signed_by,
  l.state_at as sign_time,
  (select count(*)::int from commissioning_items i where i.commissioning_id = l.id and i.result = 'failed') as failed`;

/** Whether units were commissioned. @param db a pool or an open transaction */
export function unitStandingRepository(db: Kysely<DB>) {
  return {
    page(
      scope: TenantScope,
      { state, keyword }: { state?: UnitCommissioningState | undefined; keyword?: string | undefined },
      request: PageRange,
    ): Promise<{ rows: UnitRow[]; total: number }> {
      const where = [
        inReach(scope, "u"),
        sql<SqlBool>`u.status = '1' and exists (select from devices d where d.unit_id = u.id and d.tenant_id = u.tenant_id)`,
      ];
      if (state !== undefined) where.push(sql<SqlBool>`${stateNow} = ${state}`);
      const part = likeWord(keyword ?? "");
      if (keyword) where.push(sql<SqlBool>`(u.name ilike ${part} or h.name ilike ${part} or f.name ilike ${part})`);
      const list = {
        table: sql`units u`,
        found: standing,
        where,
        order: [
          { by: sql`array_position(array['open', 'again', 'never', 'signed'], ${stateNow})` },
          { by: sql`u.house_id` },
          { by: sql`u.sort` },
          { by: sql`u.id` },
        ],
        columns,
        key: "u.id",
        joins: standing,
      };
      return readList(db, list, request);
    },

    /** How one unit stands; undefined where the scope does not reach it. */
    async ofUnit(scope: TenantScope, unitId: string): Promise<StandingRow | undefined> {
      const { rows } = await sql<StandingRow & { id: string }>`
        select ${columns}, u.id::text as unit_id, coalesce((
                 select jsonb_agg(jsonb_build_object('deviceId', d.id::text, 'deviceName', d.name,
                                  'why', case when k.device_id is null then 'new' else 'moved' end) order by d.name, d.id)
                 ${changed}), '[]') as again
          from units u ${standing} where u.id = ${unitId} and ${inReach(scope, "u")}`.execute(db);
      return rows[0];
    },
  };
}
export type UnitStandingRepository = ReturnType<typeof unitStandingRepository>;
