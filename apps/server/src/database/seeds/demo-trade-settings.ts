import type { SaleCategory, SaleMode } from "@herdwise/contract";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { type Kysely, sql } from "kysely";
import type { DB } from "../generated/database.ts";
import { seedTranslations } from "./demo.ts";

/** Short names of the categories in both languages. */
const categories: Readonly<Record<SaleCategory, readonly [zh: string, en: string]>> = {
  outer: ["外三元", "DLY crossbred"],
  inner: ["内三元", "Inner three-way"],
  local: ["土杂猪", "Local"],
  piglet: ["仔猪", "Piglets"],
  sow: ["淘汰母猪", "Culled sows"],
  boar: ["淘汰公猪", "Culled boars"],
};
const modes: Readonly<Record<SaleMode, readonly [zh: string, en: string]>> = {
  fixed: ["定价", "fixed price"],
  bidding: ["竞价", "bidding"],
  contract: ["合同价", "contract price"],
};

/** Lower bounds in kg with the adjustment in fen per kg up to the next bound; the last bound has none. */
const bands: Readonly<Record<SaleCategory, readonly (readonly [fromKg: number, adjustmentFen?: number])[]>> = {
  outer: [[90, -30], [100, -10], [110, 0], [120, -10], [130, -40], [150]],
  inner: [[90, -40], [100, -20], [110, 0], [120, -10], [130, -50], [150]],
  local: [[70, -50], [90, -20], [105, 0], [120, -20], [135, -60], [160]],
  piglet: [[5, 120], [7, 0], [10, -200], [15, -500], [30]],
  sow: [[120, -40], [160, 0], [220, -20], [280, -60], [350]],
  boar: [[120, -20], [180, 0], [260, -40], [400]],
};

/** Heads, deposit in fen per head and step in fen per kg of each way in which a category is sold. */
const models: readonly (readonly [
  SaleCategory,
  SaleMode,
  least: number,
  most: number,
  deposit?: number,
  step?: number,
])[] = [
  ["outer", "fixed", 50, 1200],
  ["outer", "bidding", 100, 2400, 10_000, 5],
  ["outer", "contract", 100, 6000],
  ["inner", "fixed", 50, 1200],
  ["inner", "bidding", 100, 2400, 10_000, 5],
  ["inner", "contract", 100, 6000],
  ["local", "fixed", 20, 600],
  ["local", "bidding", 50, 1200, 8000, 5],
  ["local", "contract", 50, 3000],
  ["piglet", "fixed", 100, 5000, 5000],
  ["piglet", "bidding", 200, 5000, 5000, 10],
  ["sow", "fixed", 10, 200],
  ["boar", "fixed", 1, 50],
];
const participants: Readonly<Record<SaleMode, readonly string[]>> = {
  fixed: ["personal", "enterprise", "contract"],
  bidding: ["enterprise", "contract"],
  contract: ["contract"],
};

const loadingTimes = "08:00-10:00,10:00-12:00,13:00-15:00,15:00-17:00";

/** Loading slots of each field, weight bands and sales models of the demo; an installation that already has any of these gets none. */
export async function seedDemoTradeSettings(
  db: Kysely<DB>,
  nextId: () => string,
  now: number = Date.now(),
): Promise<void> {
  const validFrom = `${shanghaiDay(now).slice(0, 4)}-01-01`;
  await db.transaction().execute(async (to) => {
    await sql`select pg_advisory_xact_lock(hashtext('seeds'))`.execute(to);
    const { rows: kept } = await sql`
      select from loading_slots union all select from weight_bands union all select from sales_models limit 1`.execute(
      to,
    );
    if (kept.length > 0) return;
    const english: Record<string, string> = {};

    const fields = await to.selectFrom("saleFields").select(["id", "fieldName"]).orderBy("id").execute();
    const { rows: fieldNames } = await sql<{ source: string; translation: string }>`
      select source, translation from translations where language = 'en' and source = any(${fields.map(({ fieldName }) => fieldName)})`.execute(
      to,
    );
    const fieldEnglish = new Map(fieldNames.map(({ source, translation }) => [source, translation]));
    const named = (name: string, translation: string): string => {
      english[name] = translation;
      return name;
    };
    const slots = fields.flatMap(({ id, fieldName }) => {
      const en = fieldEnglish.get(fieldName) ?? fieldName;
      const shared = { fieldId: id, mostVehicles: 1, headsPerVehicle: 120, validFrom };
      return [
        {
          ...shared,
          id: nextId(),
          slotName: named(`${fieldName}每天`, `${en}, every day`),
          weekday: "daily",
          kind: "open",
          times: loadingTimes,
        },
        {
          ...shared,
          id: nextId(),
          slotName: named(`${fieldName}周日`, `${en}, Sundays`),
          weekday: "7",
          kind: "closed",
          times: "",
        },
      ];
    });
    if (slots.length > 0) await to.insertInto("loadingSlots").values(slots).execute();

    await to
      .insertInto("weightBands")
      .values(
        (Object.keys(bands) as SaleCategory[]).flatMap((category) =>
          bands[category].flatMap(([fromKg, adjustmentFen], at) => {
            const toKg = bands[category][at + 1]?.[0];
            if (adjustmentFen === undefined || toKg === undefined) return [];
            const [zh, en] = categories[category];
            return [
              {
                id: nextId(),
                bandName: named(`${zh} ${fromKg}–${toKg} kg`, `${en}, ${fromKg}–${toKg} kg`),
                category,
                fromGrams: fromKg * 1000,
                toGrams: toKg * 1000,
                adjustmentFen,
                validFrom,
              },
            ];
          }),
        ),
      )
      .execute();

    await to
      .insertInto("salesModels")
      .values(
        models.map(([category, mode, leastHeads, mostHeads, depositFen = null, bidStepFen = null]) => ({
          id: nextId(),
          modelName: named(
            `${categories[category][0]}${modes[mode][0]}`,
            `${categories[category][1]}, ${modes[mode][1]}`,
          ),
          category,
          mode,
          participants: [...participants[mode]],
          leastHeads,
          mostHeads,
          depositFen,
          bidStepFen,
          validFrom,
        })),
      )
      .execute();
    await seedTranslations(to, english);
  });
}
