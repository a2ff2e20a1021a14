import { createHash, timingSafeEqual } from "node:crypto";
import type { CommissioningAct } from "@herdwise/contract";
import { plainText } from "@herdwise/contract";
import { deviceKinds, trialS, warmedS } from "@herdwise/device-kinds";
import type { Reason } from "../../http/reasons.ts";
import { reachOf, type TenantScope } from "../../tenant-scope.ts";
import type { ItemChange, ItemRow } from "./commissioning.repository.ts";

/** Least characters of a serial number's end that name a device. */
const leastEnd = 4;

export const codeHashOf = (code: string): Buffer => createHash("sha256").update(code).digest();

/** The device of the unit that a label names: by the whole serial number, or by an end that only one of them has. */
function labelled(label: string, items: readonly ItemRow[]): ItemRow | undefined {
  const labels = items.filter(({ check }) => check === "label");
  const whole = labels.find(({ serialNumber }) => serialNumber.toUpperCase() === label);
  if (whole !== undefined || label.length < leastEnd) return whole;
  const ends = labels.filter(({ serialNumber }) => serialNumber.toUpperCase().endsWith(label));
  return ends.length === 1 ? ends[0] : undefined;
}

/** What an action changes; a reason where it is refused. */
type Taken = Omit<ItemChange, "id" | "by"> | { refused: Reason };

const checksOf: Readonly<Record<CommissioningAct["type"], readonly ItemRow["check"][]>> = {
  answer: ["fixed"],
  label: ["label"],
  warm: ["probe"],
  code: ["alarm"],
  absent: ["probe", "machines"],
  note: ["label", "fixed", "link", "settings", "probe", "machines", "alarm"],
};

/**
 * What an action of a person does to a check.
 * @param atMs when it was done, by the server's clock
 */
export function takeAct(
  scope: TenantScope,
  act: CommissioningAct,
  item: ItemRow,
  items: readonly ItemRow[],
  atMs: number,
): Taken {
  if (!checksOf[act.type].includes(item.check)) return { refused: "commissioning.act" };
  const said = {
    ...(act.note !== undefined && { note: plainText(act.note, { lines: true }) }),
    ...(act.photo !== undefined && { photo: act.photo }),
  };
  switch (act.type) {
    case "note":
      return said;
    case "answer":
      if (act.passed === undefined) return { refused: "commissioning.act" };
      return act.passed ? { ...said, result: "passed", reason: "" } : { ...said, result: "failed", reason: "answered" };
    case "absent":
      return { ...said, result: "absent", reason: "", readings: [] };
    case "label": {
      const label = (act.text ?? "").trim().toUpperCase();
      const found = labelled(label, items);
      if (found?.id === item.id) return { ...said, result: "passed", reason: "", said: label };
      return found === undefined
        ? { ...said, result: "failed", reason: "unknown_label", said: label }
        : { ...said, result: "failed", reason: "other_device", said: found.deviceName };
    }
    case "warm": {
      if (item.kind === null) return { refused: "commissioning.act" };
      const endMs = atMs + trialS(deviceKinds[item.kind], warmedS) * 1000;
      return {
        ...said,
        result: "running",
        reason: "",
        readings: [],
        trial: { startMs: atMs, endMs, reach: reachOf(scope) },
      };
    }
    case "code": {
      if (item.result !== "running" || item.codeHash === null) return { refused: "commissioning.no_alarm" };
      const isRight = timingSafeEqual(codeHashOf((act.text ?? "").trim()), item.codeHash);
      return isRight ? { ...said, result: "passed", reason: "" } : { refused: "commissioning.code" };
    }
  }
}
