import { type Kysely, sql } from "kysely";
import type { DB } from "../generated/database.ts";
import { seedTranslations } from "./demo.ts";

/** In the order in which the simulated injectors use them from day to day. */
const vaccines = [
  { name: "蓝耳活苗（PRRS-MLV）", days: 21, basis: "兽药产品说明书" },
  { name: "猪瘟（CSF）", days: 14, basis: "兽药产品说明书" },
  { name: "圆环（PCV2）", days: 0, basis: "兽药产品说明书" },
] as const;
const medicines = [
  { name: "泰万菌素", type: "antibiotic", days: 3, basis: "兽药产品说明书" },
  { name: "多西环素", type: "antibiotic", days: 28, basis: "兽药产品说明书" },
  { name: "伊维菌素", type: "parasiticide", days: 28, basis: "兽药产品说明书" },
] as const;

/** Days before and after today with planned vaccinations. */
const planned = { before: 13, after: 6 } as const;

const treatments = [
  {
    at: 0,
    daysAgo: 6,
    type: "diagnosis",
    finding: "东端几栏咳嗽增多，采口腔液 5 份送检",
    en: "More coughs in the pens at the east end; five samples of oral fluid sent off",
    heads: 40,
  },
  {
    at: 0,
    daysAgo: 5,
    type: "treatment",
    finding: "饮水给药 5 天",
    en: "In the drinking water for five days",
    medicine: "泰万菌素",
    days: 5,
    heads: 476,
  },
  {
    at: 1,
    daysAgo: 9,
    type: "treatment",
    finding: "进舍第三天驱虫",
    en: "Against parasites on the third day in the house",
    medicine: "伊维菌素",
    heads: 470,
  },
  {
    at: 2,
    daysAgo: 3,
    type: "necropsy",
    finding: "死亡 1 头，肺前叶实变",
    en: "One dead pig; its front lung lobes were solid",
    heads: 1,
  },
] as const;

/** Herd health records of each demo customer with injectors: medicines, vaccination plans, treatments. */
export async function seedDemoHerdHealth(db: Kysely<DB>, nextId: () => string): Promise<void> {
  await db.transaction().execute(async (to) => {
    await sql`select pg_advisory_xact_lock(hashtext('seeds'))`.execute(to);
    const { rows: kept } = await sql`select from medicines limit 1`.execute(to);
    if (kept.length > 0) return;
    await seedTranslations(to, {
      ...Object.fromEntries(treatments.map(({ finding, en }) => [finding, en])),
      "蓝耳活苗（PRRS-MLV）": "PRRS live vaccine (PRRS-MLV)",
      "猪瘟（CSF）": "Swine fever (CSF)",
      "圆环（PCV2）": "Circovirus (PCV2)",
      泰万菌素: "Tylvalosin",
      多西环素: "Doxycycline",
      伊维菌素: "Ivermectin",
      兽药产品说明书: "Leaflet of the product",
    });
    const { rows: tenants } = await sql<{ tenantId: string; farmId: string; day: number }>`
      select d.tenant_id, min(d.farm_id)::text as farm_id, ((now() at time zone 'Asia/Shanghai')::date - date '1970-01-01')::int as day
        from devices d where d.kind = 'needleless' and d.farm_id is not null group by 1 order by 1`.execute(to);
    for (const { tenantId, farmId, day: today } of tenants) {
      const ids = new Map<string, string>();
      for (const { name, days, basis, ...more } of [...vaccines, ...medicines]) {
        const id = nextId();
        ids.set(name, id);
        await sql`insert into medicines (id, tenant_id, name, type, withdrawal_days, basis)
          values (${id}, ${tenantId}, ${name}, ${"type" in more ? more.type : "vaccine"}, ${days}, ${basis})`.execute(
          to,
        );
      }
      const { rows: units } = await sql<{ id: string }>`
        select u.id::text as id from units u join pig_houses h on h.id = u.house_id
         where h.farm_id = ${farmId} and u.head_count > 0 order by h.sort, h.id, u.sort, u.id`.execute(to);
      if (units.length === 0) continue;
      for (let offset = -planned.before; offset <= planned.after; offset += 1) {
        const day = today + offset;
        // Injectors report the number of a day as the id of its task.
        await sql`insert into vaccination_plans (id, tenant_id, task, unit_id, medicine_id, planned_on)
          values (${nextId()}, ${tenantId}, ${`T${day}`}, ${units[day % units.length]?.id ?? ""},
                  ${ids.get(vaccines[day % vaccines.length]?.name ?? "") ?? ""}, date '1970-01-01' + ${day}::int)`.execute(
          to,
        );
      }
      for (const [index, treatment] of treatments.entries()) {
        const unit = units[treatment.at];
        if (unit === undefined) continue;
        await sql`insert into treatments (id, tenant_id, code, finding, type, unit_id, on_day, days, medicine_id, heads)
          values (${nextId()}, ${tenantId}, ${`ZL-${String(index + 1).padStart(4, "0")}`}, ${treatment.finding}, ${treatment.type}, ${unit.id},
                  date '1970-01-01' + ${today - treatment.daysAgo}::int, ${"days" in treatment ? treatment.days : 1}, ${"medicine" in treatment ? (ids.get(treatment.medicine) ?? null) : null},
                  ${treatment.heads})`.execute(to);
      }
    }
  });
}
