import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { DB } from "../generated/database.ts";
import { demoBoundDaysAgo, demoTokenPrefix, seedTranslations } from "./demo.ts";
import { groupTenantId } from "./foundation.ts";

/** Weighbridges of the group, at sale fields of the demo that load. */
export const demoWeighbridges = [
  {
    serialNumber: "WBR-NX01-01",
    field: "NX01",
    name: "内乡第一商品场 1 号地磅",
    nameEn: "Neixiang commercial farm 1, weighbridge 1",
  },
  {
    serialNumber: "WBR-DZ01-01",
    field: "DZ01",
    name: "邓州商品场 1 号地磅",
    nameEn: "Dengzhou commercial farm, weighbridge 1",
  },
] as const;

/** Farms of the group with the codes of those fields, and their weighbridges; what is there stays as it is. */
export async function seedDemoWeighbridges(db: Kysely<DB>, nextId: () => string): Promise<void> {
  await db.transaction().execute(async (to) => {
    await sql`select pg_advisory_xact_lock(hashtext('seeds'))`.execute(to);
    await seedTranslations(to, Object.fromEntries(demoWeighbridges.map(({ name, nameEn }) => [name, nameEn])));
    for (const [sort, { serialNumber, field, name }] of demoWeighbridges.entries()) {
      await sql`
        insert into farms (id, tenant_id, code, name, type, principal, region_code, address, sort)
        select ${nextId()}, ${groupTenantId}, f.field_code, f.field_name, f.field_type, f.principal, f.region_code, f.address, ${sort}
          from sale_fields f
         where f.field_code = ${field} and not exists (select from farms m where m.tenant_id = ${groupTenantId} and m.code = ${field})`.execute(
        to,
      );
      await sql`
        insert into devices (id, tenant_id, kind, name, serial_number, token_hash, farm_id, bound_at, firmware_version, sort)
        select ${nextId()}, ${groupTenantId}, 'weighbridge', ${name}, ${serialNumber},
               ${createHash("sha256").update(`${demoTokenPrefix}${serialNumber}`).digest()}, m.id, now() - make_interval(days => ${demoBoundDaysAgo}), '1.4.2', ${sort}
          from farms m where m.tenant_id = ${groupTenantId} and m.code = ${field}
        on conflict do nothing`.execute(to);
    }
  });
}
