import { createHash } from "node:crypto";
import type { CommissioningRow, ItemRow } from "./commissioning.repository.ts";

/** Form of the record; another one gets another number. */
const form = 1;

/** What is signed: everything that the list says, in a fixed order of fields. Times are ISO 8601 in UTC. */
export function recordOf(
  list: CommissioningRow,
  items: readonly ItemRow[],
  by: { name: string; atMs: number },
): string {
  const time = (at: Date | number | null): string => (at === null ? "" : new Date(at).toISOString());
  return JSON.stringify({
    form,
    list: list.id,
    tenant: list.tenantId,
    farm: list.farmName,
    house: list.houseName,
    unit: { id: list.unitId, name: list.unitName },
    startedBy: list.startedBy,
    startedAt: time(list.createTime),
    checks: items.map((item) => ({
      check: item.check,
      device: item.deviceId ?? "",
      deviceName: item.deviceName,
      serialNumber: item.serialNumber,
      kind: item.kind ?? "",
      part: item.part,
      result: item.result,
      reason: item.reason,
      said: item.said,
      readings: item.readings.map(({ deviceId, key, before, after, atMs, currentA, reason, faulty = false }) => ({
        device: deviceId,
        key,
        before: before ?? null,
        after: after ?? null,
        at: time(atMs ?? null),
        currentA: currentA ?? null,
        verdict: reason?.zh ?? "",
        faulty,
      })),
      startedAt: time(item.startMs),
      receiver: item.receiverName,
      note: item.note,
      photo: item.photo,
      answeredBy: item.answeredBy,
      answeredAt: time(item.answerTime),
    })),
    signedBy: by.name,
    signedAt: time(by.atMs),
  });
}

/** What names people and places in a record. */
export interface SignedRecord {
  farm: string;
  house: string;
  unit: { id: string; name: string };
  startedBy: string;
  checks: { deviceName: string; serialNumber: string; answeredBy: string; receiver: string }[];
}

export const hashOf = (body: string): Buffer => createHash("sha256").update(body).digest();

/** Whether what is kept is what was signed. */
export const isIntact = ({ body, hash }: Pick<CommissioningRow, "body" | "hash">): boolean =>
  body !== null && hash !== null && hashOf(body).equals(hash);
