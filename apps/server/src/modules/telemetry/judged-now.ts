import type { DeviceDetail, DeviceKindId, JudgedNow, KindDevice } from "@herdwise/contract";
import {
  byWorst,
  climateJudge,
  deviceKinds,
  type Judgeable,
  type JudgedDevice,
  judgeDevice,
  type KindJudge,
  problemName,
} from "@herdwise/device-kinds";
import type { UnitRow } from "../farms/index.ts";

type DeviceRow = Omit<KindDevice, "reportedAtMs"> & { reportedAtMs: number | null };
type JudgedUnitRow = Pick<UnitRow, "pigstyType" | "mode" | "headCount" | "averageWeightGrams" | "targetTemperature">;

const judgeOf = (kind: DeviceKindId): KindJudge =>
  kind === climateJudge.kind.kind ? climateJudge : { kind: deviceKinds[kind] };

/** What a judgement needs to know of a stored unit. */
export const judgeableOf = (unit: JudgedUnitRow): Judgeable => {
  const { averageWeightGrams, targetTemperature, pigstyType, mode, headCount } = unit;
  return {
    pigstyType,
    mode,
    headCount,
    ...(averageWeightGrams !== null && { averageWeightGrams }),
    ...(targetTemperature !== null && { targetTemperature }),
  };
};

/** Devices of a place judged by the rules of their kind as its pages judge them, the worst first. */
export const judgedDevices = (
  kind: DeviceKindId,
  place: Judgeable,
  devices: readonly (DeviceRow & Partial<Pick<DeviceDetail, "rejected">>)[],
  nowMs: number,
): JudgedDevice[] =>
  devices
    .map(({ reportedAtMs, ...device }) =>
      judgeDevice(judgeOf(kind), place, { ...device, ...(reportedAtMs !== null && { reportedAtMs }) }, nowMs, true),
    )
    .toSorted(byWorst);

/** The verdict of a kind's rules on a unit now. */
export function judgedNow(kind: DeviceKindId, unit: JudgedUnitRow, devices: readonly DeviceRow[]): JudgedNow | null {
  const [worst] = judgedDevices(kind, judgeableOf(unit), devices, Date.now());
  if (worst === undefined) return null;
  const { state, problems, urgency } = worst;
  const [problem] = ["critical", "major", "minor", "notice"].includes(state) ? problems : [];
  return { state, urgency, ...(problem && { problem: problemName(problem) }) };
}
