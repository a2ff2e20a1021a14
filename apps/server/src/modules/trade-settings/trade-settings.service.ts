import { isBlank, shownNumber, timeRangesOf, weightBands } from "@herdwise/contract";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { refuse } from "../../http/errors.ts";
import type { ResourceHooks } from "../../resources/index.ts";
import type { StoredBand, StoredSlot, TradeSettingsRepository } from "./trade-settings.repository.ts";

/** What hooks read: stored rows, and those that this transaction adds, which a sheet stores only at its end. */
export interface Settings {
  stored: TradeSettingsRepository;
  added: Map<string, (StoredSlot | StoredBand)[]>;
}

const text = (value: unknown): string => (isBlank(value) ? "" : String(value));

/** Rows that a row must fit: stored ones but itself, and those added before it. Rows out of use fit everything. */
async function neighbours<Row extends StoredSlot | StoredBand>(
  added: Settings["added"],
  row: Row,
  isNew: boolean,
  key: (row: Row) => string,
  stored: readonly Row[],
): Promise<Row[]> {
  const place = key(row);
  const earlier = (added.get(place) ?? []) as Row[];
  if (isNew) added.set(place, [...earlier, row]);
  if (row.status !== "1") return [];
  return [...stored.filter((other) => other.id !== row.id && key(other) === place), ...earlier].filter(
    ({ status }) => status === "1",
  );
}

const slotPlace = ({ weekday, onDay, validFrom }: StoredSlot): string => `${weekday} ${onDay ?? ""} ${validFrom}`;

/** Whether two rows of one field and day say something of the same time; a closed day is all of it. */
function isSameTime(one: StoredSlot, other: StoredSlot): boolean {
  if (one.kind === "closed" || other.kind === "closed") return true;
  const others = timeRangesOf(other.times) ?? [];
  return (timeRangesOf(one.times) ?? []).some(({ from, to }) =>
    others.some((held) => from < held.to && held.from < to),
  );
}

/** Rules of the loading slots across fields and rows. */
export const slotHooks: ResourceHooks<Settings> = {
  async beforeSave({ held, values, extra: { stored, added } }) {
    if (values.weekday === "date" && isBlank(values.onDay)) throw refuse("trade.slot_day_missing", { field: "onDay" });
    if (values.weekday !== "date" && !isBlank(values.onDay)) throw refuse("trade.slot_day_unused", { field: "onDay" });
    // The form offers times before somebody says that the day is closed.
    if (values.kind === "closed") values.times = "";
    else if (isBlank(values.times)) throw refuse("trade.slot_times_missing", { field: "times" });
    await stored.hold("loading_slots");
    const fieldId = text(values.fieldId);
    const row: StoredSlot = {
      id: held?.id ?? "",
      fieldId,
      title: text(values.slotName),
      weekday: text(values.weekday),
      onDay: text(values.onDay),
      kind: text(values.kind),
      times: text(values.times),
      mostVehicles: Number(values.mostVehicles),
      headsPerVehicle: Number(values.headsPerVehicle),
      validFrom: text(values.validFrom),
      status: text(values.status),
    };
    const others = await neighbours(
      added,
      row,
      held === undefined,
      (slot) => slotPlace(slot),
      await stored.slots([fieldId]),
    );
    const clash = others.find((other) => isSameTime(row, other));
    if (clash) throw refuse("trade.slots_overlap", { field: "times", values: { title: clash.title } });
  },
};

/** What of a band may change while it holds. */
const freeBandFields = ["bandName", "status", "remark"];

/** Rules of the weight bands across fields and rows. @param now epoch milliseconds */
export const bandHooks = (now: () => number): ResourceHooks<Settings> => ({
  async beforeSave({ held, values, extra: { stored, added } }) {
    const today = shanghaiDay(now());
    if (Number(values.fromGrams) >= Number(values.toGrams)) throw refuse("trade.band_order", { field: "toGrams" });
    if (held !== undefined && text(held.validFrom) <= today) {
      const changed = Object.keys(weightBands.fields).find(
        (name) => !freeBandFields.includes(name) && text(values[name]) !== text(held[name]),
      );
      if (changed !== undefined)
        throw refuse("trade.in_force", { field: changed, values: { day: text(held.validFrom) } });
    }
    await stored.hold("weight_bands");
    const row: StoredBand = {
      id: held?.id ?? "",
      title: text(values.bandName),
      saleRegion: text(values.saleRegion),
      category: text(values.category),
      fromGrams: Number(values.fromGrams),
      toGrams: Number(values.toGrams),
      adjustmentFen: Number(values.adjustmentFen),
      validFrom: text(values.validFrom),
      status: text(values.status),
    };
    const ofRegion = (await stored.bands([row.category])).filter(
      ({ saleRegion }) => text(saleRegion) === row.saleRegion,
    );
    // A gap of a version that holds may be filled, but no version begins in the past of another one.
    const earlier = ofRegion.find(({ validFrom }) => validFrom < row.validFrom);
    if (
      text(held?.validFrom) !== row.validFrom &&
      row.validFrom < today &&
      earlier !== undefined &&
      !ofRegion.some(({ validFrom }) => validFrom === row.validFrom)
    )
      throw refuse("trade.past_version", { field: "validFrom", values: { day: earlier.validFrom } });
    const others = await neighbours(
      added,
      row,
      held === undefined,
      ({ saleRegion, category, validFrom }) => `${text(saleRegion)} ${category} ${validFrom}`,
      ofRegion,
    );
    const clash = others.find(({ fromGrams, toGrams }) => row.fromGrams < toGrams && fromGrams < row.toGrams);
    if (clash)
      throw refuse("trade.bands_overlap", {
        field: "fromGrams",
        values: {
          title: clash.title,
          from: shownNumber(clash.fromGrams, 3),
          to: shownNumber(clash.toGrams, 3),
        },
      });
  },

  async beforeRemove({ rows }) {
    const today = shanghaiDay(now());
    for (const { bandName, validFrom } of rows)
      if (text(validFrom) <= today)
        throw refuse("trade.in_force_kept", { values: { title: text(bandName), day: text(validFrom) } });
  },
});

/** Rules of the sales models across fields and rows. */
export const modelHooks: ResourceHooks<Settings> = {
  async beforeSave({ held, values, extra: { stored } }) {
    if (Number(values.leastHeads) > Number(values.mostHeads)) throw refuse("trade.heads_order", { field: "mostHeads" });
    const missing = ["depositFen", "bidStepFen"].find((name) => isBlank(values[name]));
    if (values.mode === "bidding" && missing !== undefined) throw refuse("trade.bidding_needs", { field: missing });
    // Of two at once the database refuses one by its unique constraint.
    const same = (await stored.models(text(values.category), text(values.mode))).find(
      ({ id, saleRegion, validFrom }) =>
        id !== held?.id && text(saleRegion) === text(values.saleRegion) && validFrom === text(values.validFrom),
    );
    if (same) throw refuse("trade.model_taken", { field: "validFrom", values: { title: same.title } });
  },
};
