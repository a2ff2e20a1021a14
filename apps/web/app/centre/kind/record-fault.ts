import type { DeviceEventRecord } from "@herdwise/contract";
import type { KindPart } from "@herdwise/device-kinds";

export type RecordsPart = Extract<KindPart, { type: "records" }>;

/** Why a record is not as it should be: the field that says so. undefined for a good one */
export function faultOf(
  { good, within, least }: RecordsPart,
  { fields }: Pick<DeviceEventRecord, "fields">,
): string | undefined {
  if (good) {
    const word = fields[good.field];
    if (typeof word === "string" && word !== "" && !good.words.includes(word)) return good.field;
  }
  if (within) {
    const value = fields[within.field];
    if (typeof value === "number" && Math.abs(value) > within.percent) return within.field;
  }
  if (least) {
    const value = fields[least.field];
    if (typeof value === "number" && value < least.value) return least.field;
  }
  return undefined;
}
