import { type PriceBreed, priceBreeds, pricedProvinces, publishMinuteDefault } from "@herdwise/contract";
import { shanghaiMs } from "@herdwise/contract/shanghai";
import { type Kysely, sql } from "kysely";
import type { DB } from "../generated/database.ts";
import { seedTranslations } from "./demo.ts";

const dayMs = 86_400_000;
/** Number of days with prices in a new demo. */
export const demoPriceDays = 400;

/** Random numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Difference of a province's price from the national one in fen per kg: higher where pigs are eaten, lower where they are
 * raised.
 */
const spread: Readonly<Record<string, number>> = {
  11: 8,
  12: 2,
  13: -12,
  14: -24,
  15: -26,
  21: -20,
  22: -32,
  23: -50,
  31: 68,
  32: 44,
  33: 72,
  34: 20,
  35: 62,
  36: 6,
  37: 12,
  41: -10,
  42: -2,
  43: 8,
  44: 100,
  45: 34,
  46: 46,
  50: 24,
  51: 30,
  52: 8,
  53: -14,
  54: 0,
  61: -24,
  62: -52,
  63: -42,
  64: -54,
  65: -80,
};
const breedSpread: Readonly<Record<PriceBreed, number>> = { outer: 0, inner: -40, local: -96 };

/** Provinces and breeds without sales. */
const unpriced = new Set(["54.outer", "54.inner", "54.local", "31.local", "11.local", "12.local", "63.inner"]);
/** Provinces without a report for the newest day. */
const lateOnes = new Set(["15", "46", "63", "65"]);

export interface DemoPrice {
  day: string;
  regionCode: string;
  breed: PriceBreed;
  fen: number;
}

const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * dayMs).toISOString().slice(0, 10);

/**
 * Plausible prices up to a day: a seasonal wave (high before the Spring Festival, low in spring), the slower hog cycle,
 * national noise, and each province's difference and noise.
 * The same day always gives the same prices.
 */
export function demoPrices(newest: string, days = demoPriceDays): DemoPrice[] {
  const random = numbersFrom(20_260_321);
  const steps = new Map<string, number>(pricedProvinces.map(({ code }) => [code, 0]));
  let drift = 0;
  const prices: DemoPrice[] = [];
  for (let back = days - 1; back >= 0; back -= 1) {
    const day = dayBefore(newest, back);
    const at = Date.parse(`${day}T00:00:00Z`) / dayMs;
    const season =
      92 * Math.sin((2 * Math.PI * (at - 300)) / 365.25) + 26 * Math.sin((4 * Math.PI * (at - 40)) / 365.25);
    const cycle = 70 * Math.sin((2 * Math.PI * at) / 1240);
    drift = drift * 0.97 + (random() - 0.5) * 9;
    for (const { code } of pricedProvinces) {
      const step = (steps.get(code) ?? 0) * 0.9 + (random() - 0.5) * 7;
      steps.set(code, step);
      for (const [breed] of priceBreeds) {
        const noise = Math.round((random() - 0.5) * 5);
        if (unpriced.has(`${code}.${breed}`) || (back === 0 && lateOnes.has(code))) continue;
        const fen = Math.round(1478 + season + cycle + drift + (spread[code] ?? 0) + breedSpread[breed] + step) + noise;
        prices.push({ day, regionCode: code, breed, fen });
      }
    }
  }
  return prices;
}

/** Published corrections: days before the newest, and the price that was published first. */
const corrections = [
  {
    back: 1,
    code: "43",
    breed: "outer",
    firstOff: 27,
    reason: "抄错一位，客户来电指出",
    en: "A digit was mistyped; a customer called",
  },
  {
    back: 2,
    code: "37",
    breed: "inner",
    firstOff: -6,
    reason: "屠宰场 08:50 补报",
    en: "A slaughterhouse reported at 08:50",
  },
  {
    back: 5,
    code: "51",
    breed: "outer",
    firstOff: 9,
    reason: "录入错位，写进了重庆的价格",
    en: "Chongqing's price was entered in its row",
  },
] as const;

/** Outliers of the next day that wait for a second person, with their deviation in percent. */
const outliers = [
  {
    code: "46",
    breed: "outer",
    percent: 6,
    note: "海口两家批发市场缺货",
    en: "Two wholesale markets in Haikou are short",
  },
  { code: "65", breed: "inner", percent: -5.4, note: "", en: "" },
  { code: "53", breed: "local", percent: 5.3, note: "昆明两家屠宰场调价", en: "Two slaughterhouses in Kunming moved" },
] as const;

/**
 * Prices of more than a year, corrections, and a half-entered next day; does nothing when there are prices.
 * @param now ms since 1970
 */
export async function seedDemoPrices(db: Kysely<DB>, nextId: () => string, now: number = Date.now()): Promise<void> {
  await db.transaction().execute(async (to) => {
    await sql`select pg_advisory_xact_lock(hashtext('seeds'))`.execute(to);
    const { rows: kept } = await sql`select from price_days limit 1`.execute(to);
    if (kept.length > 0) return;
    const local = new Date(now + shanghaiMs);
    const today = local.toISOString().slice(0, 10);
    // Before the hour of publication the newest prices are yesterday's.
    const published = local.getUTCHours() * 60 + local.getUTCMinutes() >= publishMinuteDefault;
    const newest = published ? today : dayBefore(today, 1);
    const next = dayBefore(newest, -1);
    const days = Array.from({ length: demoPriceDays }, (_, at) => dayBefore(newest, at));
    const publishTime = `interval '${publishMinuteDefault} minutes'`;
    await sql`
      insert into price_days (id, price_day, publish_at, published_at, example)
      select id, day, (day + ${sql.raw(publishTime)}) at time zone 'Asia/Shanghai',
             case when day <= ${newest}::date then (day + ${sql.raw(publishTime)}) at time zone 'Asia/Shanghai' end, true
        from unnest(${[next, ...days].map(() => nextId())}::bigint[], ${[next, ...days]}::date[]) as d (id, day)`.execute(
      to,
    );

    const people = new Map(
      (
        await to
          .selectFrom("accounts")
          .select(["id", "account", "realName"])
          .where("account", "in", ["zhaomin", "liqiang"])
          .execute()
      ).map((row) => [row.account, row]),
    );
    const enterer = people.get("zhaomin");
    const confirmer = people.get("liqiang");
    const by = { id: enterer?.id ?? null, name: enterer?.realName ?? "" };

    const prices = demoPrices(newest);
    await sql`
      insert into price_entries (price_day, region_code, breed, fen, state, entered_by, entered_name, entered_at)
      select day, code, breed, fen, 'published', ${by.id}::bigint, ${by.name}, (day + interval '7 hours') at time zone 'Asia/Shanghai'
        from unnest(${prices.map(({ day }) => day)}::date[], ${prices.map(({ regionCode }) => regionCode)}::text[],
                    ${prices.map(({ breed }) => breed)}::text[], ${prices.map(({ fen }) => fen)}::int[]) as p (day, code, breed, fen)`.execute(
      to,
    );

    const priceOf = (day: string, code: string, breed: string): number =>
      prices.find((price) => price.day === day && price.regionCode === code && price.breed === breed)?.fen ?? 0;
    for (const { back, code, breed, firstOff, reason } of corrections) {
      const day = dayBefore(newest, back);
      const fen = priceOf(day, code, breed);
      await sql`
        insert into price_corrections (id, price_day, region_code, breed, old_fen, new_fen, reason, state, entered_by, entered_name,
                                       entered_at, decided_by, decided_name, decided_at)
        values (${nextId()}, ${day}, ${code}, ${breed}, ${fen + firstOff}, ${fen}, ${reason}, 'confirmed', ${by.id}::bigint, ${by.name},
                (${day}::date + interval '9 hours') at time zone 'Asia/Shanghai', ${confirmer?.id ?? null}::bigint,
                ${confirmer?.realName ?? ""}, (${day}::date + interval '9 hours 40 minutes') at time zone 'Asia/Shanghai')`.execute(
        to,
      );
    }
    await seedTranslations(to, {
      ...Object.fromEntries(corrections.map(({ reason, en }) => [reason, en])),
      ...Object.fromEntries(outliers.flatMap(({ note, en }) => (note === "" ? [] : [[note, en]]))),
    });

    // Of the next day most prices are entered, some wait, and the rest are missing.
    const random = numbersFrom(7);
    const entered = prices
      .filter(({ day, regionCode }) => day === newest && !["62", "64", "61"].includes(regionCode))
      .map((price) => ({ ...price, fen: price.fen + Math.round((random() - 0.5) * 14), state: "ready", note: "" }));
    for (const { code, breed, percent, note } of outliers) {
      const before = priceOf(newest, code, breed) || priceOf(dayBefore(newest, 1), code, breed);
      const waiting = {
        regionCode: code,
        breed,
        fen: Math.round(before * (1 + percent / 100)),
        state: "waiting",
        note,
      };
      const at = entered.findIndex(({ regionCode, breed: held }) => regionCode === code && held === breed);
      if (at >= 0) entered.splice(at, 1);
      entered.push({ day: next, ...waiting });
    }
    await sql`
      insert into price_entries (price_day, region_code, breed, fen, state, note, entered_by, entered_name)
      select ${next}::date, code, breed, fen, state, note, ${by.id}::bigint, ${by.name}
        from unnest(${entered.map(({ regionCode }) => regionCode)}::text[], ${entered.map(({ breed }) => breed)}::text[],
                    ${entered.map(({ fen }) => fen)}::int[], ${entered.map(({ state }) => state)}::text[],
                    ${entered.map(({ note }) => note)}::text[]) as p (code, breed, fen, state, note)`.execute(to);
  });
}
