import { type Kysely, sql } from "kysely";
import type { DB } from "../generated/database.ts";
import { seedTranslations } from "./demo.ts";

const name = "氨气升高而且咳嗽变响";

/** A rule over two devices of a unit in each customer of the demo that has such a unit. */
export async function seedDemoAlarmRules(db: Kysely<DB>, nextId: () => string): Promise<void> {
  await db.transaction().execute(async (to) => {
    await sql`select pg_advisory_xact_lock(hashtext('seeds'))`.execute(to);
    const { rows: kept } = await sql`select from own_alarm_rule_versions limit 1`.execute(to);
    if (kept.length > 0) return;
    await seedTranslations(to, { [name]: "Ammonia rises and coughing is louder" });
    const { rows: pairs } = await sql<{ tenantId: string; deviceId: string; otherId: string }>`
      select distinct on (d.tenant_id) d.tenant_id, d.id::text as device_id, o.id::text as other_id
        from devices d join devices o on o.unit_id = d.unit_id and o.tenant_id = d.tenant_id and o.kind = 'cough'
       where d.kind = 'environment' and d.bound_at is not null and o.bound_at is not null
       order by d.tenant_id, d.name, d.id`.execute(to);
    for (const { tenantId, deviceId, otherId } of pairs) {
      const id = nextId();
      const rule = {
        joint: "all",
        parts: [
          { type: "change", key: "nh3", windowS: 3600, op: "gt", value: 5 },
          { type: "compare", deviceId: otherId, key: "laeq", op: "gt", value: 75 },
        ],
      };
      await sql`
        insert into own_alarm_rule_versions (id, tenant_id, rule_id, enabled, name, kind, scope, scope_id, severity, raise_after_s, clear_after_s, rule)
        values (${id}, ${tenantId}, ${id}, true, ${name}, 'environment', 'device', ${deviceId}, 2, 600, 300, ${JSON.stringify(rule)}::jsonb)`.execute(
        to,
      );
    }
  });
}
