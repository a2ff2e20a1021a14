import {
  mostTrendAreas,
  nationCode,
  type PriceBreed,
  type PriceTrend,
  type PublicCorrection,
  priceBreeds,
  pricedProvinces,
  type priceTrend,
  type QueryOf,
  type Quotations,
} from "@herdwise/contract";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { wireDateTime } from "../../http/present.ts";
import { csvText, type SheetColumn } from "../sheets/index.ts";
import type { PriceDayRow, PriceRepository } from "./price.repository.ts";
import { dayAfter } from "./price-days.ts";
import { type PricesByDay, quotationOf, trendOf } from "./price-figures.ts";

/** A publication makes every server forget at once; this is for what a server did not hear. */
const freshForMs = 30_000;
/** Days before the newest that quotations and trends read. */
const readDays = 366;
const correctionsShown = 12;

export interface QuotationDependencies {
  repository: PriceRepository;
  now: () => number;
}

type CorrectionView = Omit<PublicCorrection, "decidedAt" | "oldFen" | "newFen"> & {
  decidedAt: Date | null;
  oldFen: number | null;
  newFen: number | null;
};
type QuotationsView = Omit<Quotations, "publishedAt" | "corrections"> & {
  publishedAt: Date | null;
  corrections: CorrectionView[];
};

/** What is published, as it was read. */
interface Held {
  newest: PriceDayRow | undefined;
  pricesOf: ReadonlyMap<PriceBreed, PricesByDay>;
  corrections: CorrectionView[];
}

type Language = "zh" | "en";

/** Columns of the CSV. The English one names provinces by their codes of GB/T 2260 alone. */
const csvColumns: Readonly<Record<Language, readonly SheetColumn[]>> = {
  zh: [
    { key: "day", header: "日期" },
    { key: "code", header: "省份代码" },
    { key: "province", header: "省份" },
    { key: "breed", header: "品种" },
    { key: "price", header: "价格（元/kg）" },
    { key: "first", header: "更正前（元/kg）" },
    { key: "corrected", header: "更正时间" },
    { key: "reason", header: "更正原因" },
  ],
  en: [
    { key: "day", header: "Day" },
    { key: "code", header: "Province code" },
    { key: "breedCode", header: "Breed" },
    { key: "price", header: "Price (CNY/kg)" },
    { key: "first", header: "Before correction (CNY/kg)" },
    { key: "corrected", header: "Corrected at (UTC+8)" },
    { key: "reason", header: "Reason" },
  ],
};
const yuan = (fen: number | null): string => (fen === null ? "" : (fen / 100).toFixed(2));

/** What visitors read of prices, kept until something is published or corrected. */
export function createQuotations({ repository, now }: QuotationDependencies) {
  let held: { value: Promise<Held>; at: number } | undefined;
  /** Whole CSVs by breed and days; robots and people ask for the same ones. */
  const files = new Map<string, Promise<string>>();

  const read = async (): Promise<Held> => {
    const newest = await repository.newest();
    if (newest === undefined) return { newest, pricesOf: new Map(), corrections: [] };
    const [rows, confirmed] = await Promise.all([
      repository.published(dayAfter(newest.day, -readDays), newest.day),
      repository.confirmed(correctionsShown),
    ]);
    const pricesOf = new Map(priceBreeds.map(([breed]) => [breed, new Map<string, Map<string, number>>()]));
    for (const { day, regionCode, breed, fen } of rows) {
      const days = pricesOf.get(breed);
      const ofDay = days?.get(day) ?? new Map<string, number>();
      ofDay.set(regionCode, fen);
      days?.set(day, ofDay);
    }
    const corrections = confirmed.map(({ regionCode, breed, day, oldFen, newFen, reason, ...row }) => ({
      regionCode,
      breed,
      day,
      oldFen,
      newFen,
      reason,
      enteredBy: row.enteredName,
      decidedBy: row.decidedName,
      decidedAt: row.decidedAt,
    }));
    return { newest, pricesOf, corrections };
  };

  const current = (): Promise<Held> => {
    if (held === undefined || now() - held.at > freshForMs) {
      const fresh = { value: read(), at: now() };
      held = fresh;
      files.clear();
      fresh.value.catch(() => {
        // A failure is not kept: the next visitor asks again.
        if (held === fresh) held = undefined;
      });
    }
    return held.value;
  };

  const write = async (breed: PriceBreed, days: number, language: Language): Promise<string> => {
    const { newest } = await current();
    const rows = newest === undefined ? [] : await repository.listed(breed, dayAfter(newest.day, 1 - days), newest.day);
    const names = new Map(pricedProvinces.map(({ code, name }) => [code, name]));
    const breedName = priceBreeds.find(([known]) => known === breed)?.[1] ?? breed;
    return csvText(
      csvColumns[language],
      rows.map(({ day, regionCode, fen, firstFen, corrected, decidedAt, reason }) => ({
        day,
        code: regionCode,
        province: names.get(regionCode) ?? "",
        breed: breedName,
        breedCode: breed,
        price: yuan(fen),
        first: corrected ? yuan(firstFen) : "",
        corrected: decidedAt === null ? "" : wireDateTime(decidedAt),
        reason: reason ?? "",
      })),
    );
  };

  return {
    /** Forgets what was read. */
    forget(): void {
      held = undefined;
      files.clear();
    },

    async quotations(breed: PriceBreed = "outer"): Promise<QuotationsView> {
      const { newest, pricesOf, corrections } = await current();
      return {
        breed,
        day: newest?.day ?? "",
        publishedAt: newest?.publishedAt ?? null,
        example: newest?.example ?? false,
        // Before anything is published no day has a price; any of them says so.
        ...quotationOf(pricesOf, breed, newest?.day ?? shanghaiDay(now())),
        corrections,
      };
    },

    async trend({ breed = "outer", days = 90, areas = nationCode }: QueryOf<typeof priceTrend>): Promise<PriceTrend> {
      const { newest, pricesOf } = await current();
      const known = new Set([nationCode, ...pricedProvinces.map(({ code }) => code)]);
      const asked = [...new Set(areas.split(","))].filter((code) => known.has(code)).slice(0, mostTrendAreas);
      if (newest === undefined) return { breed, days: [], series: [] };
      return { breed, ...trendOf(pricesOf.get(breed) ?? new Map(), newest.day, days, asked) };
    },

    /** Prices of a breed as CSV (UTF-8 with a byte order mark), newest day first. */
    async csv(breed: PriceBreed, days: number, language: Language): Promise<string> {
      // Forgets the files when what they were made of is too old.
      await current();
      const key = `${breed} ${days} ${language}`;
      const kept = files.get(key);
      if (kept) return kept;
      const text = write(breed, days, language);
      files.set(key, text);
      text.catch(() => files.delete(key));
      return text;
    },
  };
}
export type QuotationService = ReturnType<typeof createQuotations>;
