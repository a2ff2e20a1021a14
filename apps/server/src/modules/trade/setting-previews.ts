import {
  bandPreview,
  bandsOf,
  modelPreview,
  previewBands,
  previewModel,
  regionVersionOn,
  type Versioned,
} from "@herdwise/contract";
import { isDay } from "@herdwise/contract/real-name-checks";
import { refuse } from "../../http/errors.ts";
import type { ServerModule } from "../../module.ts";
import { storedBands, storedModels } from "../trade-settings/index.ts";
import { type TradeContext, tradeSystem } from "./context.ts";
import { settingPreviewRepository } from "./setting-preview.repository.ts";

interface Regional extends Versioned {
  id: string;
  saleRegion?: string | null;
}

/** Stored rows as they would be with the draft. */
const withDraft = <Row extends Regional>(rows: readonly Row[], draft: Row): Row[] => [
  ...rows.filter(({ id }) => id !== draft.id),
  draft,
];

/** Regions whose own rows would hold on a day, so that rows for all regions are not theirs. */
const regionsWithOwn = (day: string, rows: readonly Regional[]): string[] => {
  const regions = new Set(rows.flatMap(({ saleRegion }) => (saleRegion ? [saleRegion] : [])));
  return [...regions].filter((region) => regionVersionOn(day, region, rows)[0]?.saleRegion === region);
};

/** Previews of sales models and weight bands on past sales. */
export function settingPreviewModule({ platform }: TradeContext): ServerModule {
  const { kysely } = platform;
  const past = settingPreviewRepository(kysely);
  const requireDay = (day: string): void => {
    if (!isDay(day)) throw refuse("parameter.invalid", { field: "validFrom", values: { field: "validFrom" } });
  };
  return {
    routes(router) {
      router.on(modelPreview, async ({ body }) => {
        const {
          id = "",
          saleRegion,
          category,
          mode,
          leastHeads,
          mostHeads,
          depositFen,
          validFrom,
          status,
          last,
        } = body;
        requireDay(validFrom);
        if (leastHeads > mostHeads) throw refuse("trade.heads_order", { field: "mostHeads" });
        const rows = withDraft<Regional>(await storedModels(kysely, category, mode), {
          id,
          saleRegion: saleRegion || null,
          validFrom,
          status,
        });
        const of = { category, region: saleRegion, without: regionsWithOwn(validFrom, rows), last };
        const sales =
          mode === "bidding" ? await past.lots(tradeSystem, of) : await past.orders(tradeSystem, { ...of, mode });
        return previewModel({ leastHeads, mostHeads, depositFen }, sales);
      });
      router.on(bandPreview, async ({ body }) => {
        const { id = "", saleRegion, category, fromGrams, toGrams, adjustmentFen, validFrom, status, last } = body;
        requireDay(validFrom);
        if (fromGrams >= toGrams) throw refuse("trade.band_order", { field: "toGrams" });
        const rows = withDraft(await storedBands(kysely, [category]), {
          id,
          title: "",
          saleRegion: saleRegion || null,
          category,
          fromGrams,
          toGrams,
          adjustmentFen,
          validFrom,
          status,
        });
        const of = { category, region: saleRegion, without: regionsWithOwn(validFrom, rows), last };
        return previewBands(
          ({ region }) => bandsOf(validFrom, region, category, rows),
          await past.settled(tradeSystem, of),
        );
      });
    },
  };
}
