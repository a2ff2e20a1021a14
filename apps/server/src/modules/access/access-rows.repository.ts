import type { AccessRow, PlacedRowKind } from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { deviceInReach, inScope, likeWord, memberInRowScope, placedInReach } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";

/** Most rows that are offered at a time. */
export const mostOffered = 20;

interface Source {
  from: RawBuilder<unknown>;
  id: RawBuilder<unknown>;
  title: RawBuilder<string>;
  tenantId: RawBuilder<unknown>;
  reached(scope: TenantScope): RawBuilder<SqlBool>;
}

/** Rows that are no resource, under the one condition by which their own operations read them. */
const sources: Readonly<Record<PlacedRowKind, Source>> = {
  device: {
    from: sql`devices d`,
    id: sql`d.id`,
    title: sql<string>`concat_ws(' ', nullif(d.name, ''), d.serial_number)`,
    tenantId: sql`d.tenant_id`,
    reached: (scope) => deviceInReach(scope, "d"),
  },
  alarm: {
    from: sql`alarms a join devices d on d.id = a.device_id left join units u on u.id = a.unit_id`,
    id: sql`a.id`,
    title: sql<string>`concat_ws(' ', u.name, coalesce(nullif(d.name, ''), d.serial_number),
      to_char(a.raised_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI'))`,
    tenantId: sql`a.tenant_id`,
    reached: (scope) => placedInReach(scope, "a"),
  },
  member: {
    from: sql`memberships m join accounts p on p.id = m.account_id`,
    id: sql`m.account_id`,
    title: sql<string>`concat_ws(' ', nullif(p.real_name, ''), p.account)`,
    tenantId: sql`m.tenant_id`,
    reached: (scope) => sql<SqlBool>`(${inScope(scope, "m")} and ${memberInRowScope(scope, "m.id")})`,
  },
};

/** @param db a pool or an open transaction */
export function accessRowsRepository(db: Kysely<DB>) {
  const read = async (kind: PlacedRowKind, scope: TenantScope, fits: RawBuilder<SqlBool>): Promise<AccessRow[]> => {
    const { from, id, title, tenantId, reached } = sources[kind];
    const { rows } = await sql<AccessRow>`
      select ${id}::text as id, ${title} as title, coalesce(t.name, '') as tenant_name
        from ${from} left join tenants t on t.tenant_id = ${tenantId}
       where ${reached(scope)} and ${fits} order by ${id} desc limit ${mostOffered}`.execute(db);
    return rows;
  };
  return {
    /** Those of the rows that a scope reaches. */
    byIds: (kind: PlacedRowKind, scope: TenantScope, ids: readonly string[]): Promise<AccessRow[]> =>
      read(kind, scope, sql<SqlBool>`${sources[kind].id} = any(${[...ids]}::bigint[])`),
    /** Rows with a word in their name, the newest first. */
    find: (kind: PlacedRowKind, scope: TenantScope, word: string): Promise<AccessRow[]> =>
      read(
        kind,
        scope,
        word === "" ? sql<SqlBool>`true` : sql<SqlBool>`${sources[kind].title} ilike ${likeWord(word)}`,
      ),
  };
}
export type AccessRowsRepository = ReturnType<typeof accessRowsRepository>;
