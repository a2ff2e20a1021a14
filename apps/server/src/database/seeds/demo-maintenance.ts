import { type Kysely, sql } from "kysely";
import type { DB } from "../generated/database.ts";
import { seedTranslations } from "./demo.ts";

interface DemoMaintenance {
  /** Kind of the device; the nth device in the order of names. */
  kind: string;
  at: number;
  type: string;
  work: string;
  en: string;
  parts?: string;
  minutes: number;
  daysAgo: number;
  dueInDays?: number;
}

const entries: readonly DemoMaintenance[] = [
  {
    kind: "environment",
    at: 0,
    type: "calibration",
    work: "氨气探头用标气校准，零点偏 1.2 ppm，已调回",
    en: "Ammonia probe calibrated with reference gas; the zero was off by 1.2 ppm",
    minutes: 35,
    daysAgo: 28,
    dueInDays: 2,
  },
  {
    kind: "environment",
    at: 1,
    type: "cleaning",
    work: "清洗湿帘和进风口，除去积灰",
    en: "Cooling pad and air inlets cleaned of dust",
    minutes: 90,
    daysAgo: 12,
    dueInDays: 18,
  },
  {
    kind: "environment",
    at: 2,
    type: "replacement",
    work: "2 号风机更换皮带，电流恢复正常",
    en: "Belt of fan 2 replaced; its current is normal again",
    parts: "A 型三角带 1 根",
    minutes: 55,
    daysAgo: 6,
    dueInDays: 174,
  },
  {
    kind: "disinfect",
    at: 0,
    type: "calibration",
    work: "余氯电极校准并更换电解液",
    en: "Chlorine electrode calibrated, electrolyte renewed",
    parts: "电解液 30 mL",
    minutes: 40,
    daysAgo: 21,
    dueInDays: 9,
  },
  {
    kind: "deodorization",
    at: 0,
    type: "cleaning",
    work: "反冲填料，清理喷嘴 6 个",
    en: "Packing backwashed, six nozzles cleaned",
    minutes: 120,
    daysAgo: 15,
    dueInDays: 15,
  },
  {
    kind: "bathroom",
    at: 0,
    type: "inspection",
    work: "检查门禁联锁和水温探头，正常",
    en: "Door interlock and water probe checked; both are fine",
    minutes: 20,
    daysAgo: 3,
    dueInDays: 27,
  },
  {
    kind: "dosing-station",
    at: 0,
    type: "repair",
    work: "3 号阀卡滞，拆洗阀芯后动作正常",
    en: "Valve 3 stuck; it works again after its core was cleaned",
    parts: "O 型圈 2 个",
    minutes: 75,
    daysAgo: 9,
  },
];
/** Persons who did the work, in turn. */
const people = ["李卫东", "王建国"];
const englishOf = { 李卫东: "Li Weidong", 王建国: "Wang Jianguo" } as const;

/** A maintenance log for each demo customer with devices. */
export async function seedDemoMaintenance(db: Kysely<DB>, nextId: () => string): Promise<void> {
  await db.transaction().execute(async (to) => {
    await sql`select pg_advisory_xact_lock(hashtext('seeds'))`.execute(to);
    const { rows: kept } = await sql`select from maintenance_entries limit 1`.execute(to);
    if (kept.length > 0) return;
    await seedTranslations(to, {
      ...Object.fromEntries(entries.map(({ work, en }) => [work, en])),
      ...englishOf,
      "A 型三角带 1 根": "1 V-belt, type A",
      "电解液 30 mL": "30 mL electrolyte",
      "O 型圈 2 个": "2 O-rings",
    });
    const { rows: tenants } = await sql<{
      tenantId: string;
    }>`select distinct tenant_id from devices where bound_at is not null order by 1`.execute(to);
    for (const { tenantId } of tenants) {
      for (const [index, { kind, at, type, work, parts = "", minutes, daysAgo, dueInDays }] of entries.entries()) {
        const id = nextId();
        await sql`
          insert into maintenance_entries (id, tenant_id, code, work, type, device_id, unit_id, done_on, person, minutes, parts, next_due_on)
          select ${id}, d.tenant_id, 'WH-' || ${String(index + 1).padStart(4, "0")}, ${work}, ${type}, d.id, d.unit_id,
                 current_date - ${daysAgo}::int, ${people[index % people.length] ?? ""}, ${minutes}, ${parts},
                 current_date + ${dueInDays ?? null}::int
            from devices d where d.tenant_id = ${tenantId} and d.kind = ${kind} and d.bound_at is not null
           order by d.name, d.id offset ${at} limit 1`.execute(to);
      }
    }
  });
}
