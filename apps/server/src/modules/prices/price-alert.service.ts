import {
  type BodyOf,
  mostPriceAlerts,
  nationCode,
  type PriceAlert,
  type priceAlertSubmit,
  priceBreeds,
  pricedProvinces,
  priceRange,
} from "@herdwise/contract";
import { meanFen } from "@herdwise/contract/price-rules";
import { refuse } from "../../http/errors.ts";
import { readSomeIds } from "../../ids.ts";
import { type AccountScope, accountScope, type SystemScope } from "../../tenant-scope.ts";
import type { MessageRepository } from "../messages/index.ts";
import type { PriceKey, PriceRepository } from "./price.repository.ts";
import type { AreaPrice, PriceAlertRepository } from "./price-alert.repository.ts";

/** Where a message about a price leads. */
const alertsPath = "/selfCenter/priceAlert";

const areaName = (area: string): string =>
  area === nationCode ? "全国" : (pricedProvinces.find(({ code }) => code === area)?.name ?? area);
const breedName = (breed: string): string => priceBreeds.find(([known]) => known === breed)?.[1] ?? breed;
const yuan = (fen: number): string => (fen / 100).toFixed(2);

/** What a message says; a pattern of the translations. */
const wordsOf = (
  direction: "below" | "above",
  values: { area: string; breed: string; day: string; price: string; threshold: string },
): string => {
  const { area, breed, day, price, threshold } = values;
  const side = direction === "below" ? "低于" : "高于";
  return `${area} · ${breed}：${day} 报 ${price} 元/kg，${side}您设的 ${threshold} 元/kg`;
};

/** Newest published prices of all areas, with the nation's mean, by area and breed. */
async function newestPrices(prices: PriceRepository): Promise<{ day: string; areas: AreaPrice[] }> {
  const newest = await prices.newest();
  if (newest === undefined) return { day: "", areas: [] };
  const known = new Set(pricedProvinces.map(({ code }) => code));
  const held = (await prices.published(newest.day, newest.day)).filter(({ regionCode }) => known.has(regionCode));
  const nation = priceBreeds.flatMap(([breed]): AreaPrice[] => {
    const fen = meanFen(held.filter((price) => price.breed === breed).map((price) => price.fen));
    return fen === undefined ? [] : [{ area: nationCode, breed, fen }];
  });
  return {
    day: newest.day,
    areas: [...held.map(({ regionCode, breed, fen }) => ({ area: regionCode, breed, fen })), ...nation],
  };
}

/**
 * Tells whom a publication or a correction concerns, once per crossing; in the transaction that publishes, so that nobody is told
 * of what is not to be read.
 */
export function createAlertTeller({ scope, nextId }: { scope: SystemScope; nextId: () => string }) {
  return async (
    {
      prices,
      alerts,
      messages,
    }: {
      prices: PriceRepository;
      alerts: PriceAlertRepository;
      messages: Pick<MessageRepository, "insert">;
    },
    day: string,
    published: readonly PriceKey[],
  ): Promise<void> => {
    const newest = await newestPrices(prices);
    // What was corrected of an earlier day is no price of now.
    if (newest.day !== day) return;
    const touched = new Set(
      published.flatMap(({ regionCode, breed }) => [`${regionCode}.${breed}`, `${nationCode}.${breed}`]),
    );
    const judged = newest.areas.filter(({ area, breed }) => touched.has(`${area}.${breed}`));
    if (judged.length === 0) return;
    for (const { accountId, area, breed, direction, thresholdFen, fen } of await alerts.judge(scope, judged)) {
      await messages.insert(accountScope(scope, accountId), {
        id: nextId(),
        kind: "price",
        title: "价格提醒",
        content: wordsOf(direction, {
          area: areaName(area),
          breed: breedName(breed),
          day,
          price: yuan(fen),
          threshold: yuan(thresholdFen),
        }),
        link: alertsPath,
      });
    }
  };
}

export interface PriceAlertDependencies {
  prices: PriceRepository;
  repository: PriceAlertRepository;
  inTransaction<T>(work: (alerts: PriceAlertRepository) => Promise<T>): Promise<T>;
  nextId: () => string;
}

type AlertView = Omit<PriceAlert, "firedAt" | "firedFen"> & { firedAt: Date | null; firedFen: number | null };

/** The own alerts of whoever is signed in. */
export function createPriceAlerts({ prices, repository, inTransaction, nextId }: PriceAlertDependencies) {
  const listed = async (owner: AccountScope): Promise<AlertView[]> => {
    const [rows, { areas }] = [await repository.list(owner), await newestPrices(prices)];
    return rows.map((row) => {
      const now = areas.find(({ area, breed }) => area === row.area && breed === row.breed);
      return { ...row, ...(now && { nowFen: now.fen }) };
    });
  };
  return {
    list: listed,

    async submit(owner: AccountScope, alert: BodyOf<typeof priceAlertSubmit>): Promise<AlertView[]> {
      const { area, breed, direction, thresholdFen } = alert;
      if (thresholdFen < priceRange.min || thresholdFen > priceRange.max)
        throw refuse("price.out_of_range", {
          field: "thresholdFen",
          values: { min: yuan(priceRange.min), max: yuan(priceRange.max) },
        });
      const now = (await newestPrices(prices)).areas.find((one) => one.area === area && one.breed === breed);
      const beyond = now !== undefined && (direction === "below" ? now.fen < thresholdFen : now.fen > thresholdFen);
      await inTransaction(async (alerts) => {
        await alerts.lock(owner);
        if ((await alerts.list(owner)).length >= mostPriceAlerts)
          throw refuse("price_alert.full", { values: { most: mostPriceAlerts } });
        const added = await alerts.add(owner, { id: nextId(), area, breed, direction, thresholdFen, armed: !beyond });
        if (!added) throw refuse("price_alert.doubled", { field: "thresholdFen" });
      });
      return listed(owner);
    },

    async remove(owner: AccountScope, ids: string): Promise<AlertView[]> {
      await repository.remove(owner, readSomeIds(ids));
      return listed(owner);
    },
  };
}
export type PriceAlertService = ReturnType<typeof createPriceAlerts>;
