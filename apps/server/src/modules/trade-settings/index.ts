import {
  bandsOf,
  type LoadingSlot,
  loadingSlots,
  modelOf,
  type SaleCategory,
  type SaleMode,
  salesModels,
  slotsOf,
  weightBands,
} from "@herdwise/contract";
import type { ServerModule } from "../../module.ts";
import { type DatabaseHandle, type ResourceContext, resourceModule } from "../../resources/index.ts";
import {
  type StoredBand,
  type StoredModel,
  type StoredSlot,
  tradeSettingsRepository,
} from "./trade-settings.repository.ts";
import { bandHooks, modelHooks, type Settings, slotHooks } from "./trade-settings.service.ts";

/** Slots that hold at a field on a day, earliest first; see `slotsOf`. @param db a pool or an open transaction */
export const slotsOn = async (db: DatabaseHandle, fieldId: string, day: string): Promise<LoadingSlot[]> =>
  slotsOf(day, await tradeSettingsRepository(db).slots([fieldId]));

/** Slots of several fields as they are stored, in one statement; `slotsOf` says which of a field's hold on a day. */
export const storedSlots = async (db: DatabaseHandle, fieldIds: readonly string[]): Promise<StoredSlot[]> =>
  fieldIds.length === 0 ? [] : tradeSettingsRepository(db).slots(fieldIds);

/** Bands of several categories as they are stored; `bandsOf` says which hold. */
export const storedBands = async (db: DatabaseHandle, categories: readonly SaleCategory[]): Promise<StoredBand[]> =>
  categories.length === 0 ? [] : tradeSettingsRepository(db).bands(categories);

/** Bands that hold for a region on a day; see `bandsOf`. @param region id of the sale region; empty for none */
export const bandsOn = async (
  db: DatabaseHandle,
  region: string,
  category: SaleCategory,
  day: string,
): Promise<StoredBand[]> => bandsOf(day, region, category, await tradeSettingsRepository(db).bands([category]));

/** Models of a category and way of selling as they are stored; `modelOf` says which holds. */
export const storedModels = async (
  db: DatabaseHandle,
  category: SaleCategory,
  mode: SaleMode,
): Promise<StoredModel[]> => tradeSettingsRepository(db).models(category, mode);

/** The model that holds for a region on a day; see `modelOf`. @param region id of the sale region; empty for none */
export const modelOn = async (
  db: DatabaseHandle,
  region: string,
  category: SaleCategory,
  mode: SaleMode,
  day: string,
): Promise<StoredModel | undefined> =>
  modelOf(day, region, category, mode, await tradeSettingsRepository(db).models(category, mode));

/** Serves what trade is set up with: times of loading, weight bands, ways of selling. */
export function createTradeSettingsModules(context: ResourceContext): ServerModule[] {
  const extra = (db: DatabaseHandle): Settings => ({ stored: tradeSettingsRepository(db), added: new Map() });
  return [
    resourceModule(context, loadingSlots, { extra, hooks: slotHooks }),
    resourceModule(context, weightBands, { extra, hooks: bandHooks(context.platform.now) }),
    resourceModule(context, salesModels, { extra, hooks: modelHooks }),
  ];
}
