import type { Api } from "./departments.ts";
import { dayIn, service } from "./trade.ts";

/** Days of a week, Monday first. @param ahead how many weeks after this one */
export function weekIn(ahead: number): readonly string[] {
  const weekday = new Date(`${dayIn(0)}T00:00:00Z`).getUTCDay() || 7;
  return Array.from({ length: 7 }, (_, at) => dayIn(7 * ahead + 1 - weekday + at));
}

/**
 * A region with two fields that load on all days but Sundays: four vehicles of 120 heads a day at the first one, three at the second.
 * @param word begins the codes, so that tests beside each other have their own
 */
export async function plannedFields(api: Api, word: string, names: readonly [region: string, ...fields: string[]]) {
  const submit = async (path: string, body: object): Promise<string> =>
    (await api<{ id: string }>(`${service}/${path}/submit`, body)).id;
  const [regionName, ...fieldNames] = names;
  const region = await submit("region", { regionName, provinces: ["41"] });
  const fields: string[] = [];
  for (const [at, fieldName] of fieldNames.entries()) {
    const field = await submit("field", {
      fieldCode: `${word}${at}`,
      fieldName,
      fieldType: "commercial",
      saleRegion: region,
      principal: "Zhou",
      contactPhone: "13800000099",
      regionCode: "411325",
    });
    const held = { fieldId: field, validFrom: "2026-01-01" };
    const times = at === 0 ? "08:00-10:00,10:00-12:00,13:00-15:00,15:00-17:00" : "08:00-10:00,10:00-12:00,13:00-15:00";
    const daily = { slotName: `${word}${at} daily`, weekday: "daily", times, mostVehicles: 1, headsPerVehicle: 120 };
    await submit("loading-slot", { ...held, ...daily });
    await submit("loading-slot", { ...held, slotName: `${word}${at} Sunday`, weekday: "7", kind: "closed" });
    fields.push(field);
  }
  return {
    region,
    fields,
    /** Writes a plan of a field. @returns its id */
    plan: (by: Api, field: number, day: string, heads: number, more: object = {}): Promise<string> =>
      by<{ id: string }>(`${service}/plan/submit`, {
        field: fields[field],
        day,
        category: "outer",
        fromKg: 110,
        toKg: 120,
        heads,
        mode: "fixed",
        pricePerKg: 1475,
        ...more,
      }).then(({ id }) => id),
    act: (by: Api, event: string, id: string, version: number): Promise<unknown> =>
      by(`${service}/plan/${event}`, { id, version }),
  };
}
