import type { EnvironmentFarm, EnvironmentHouse, EnvironmentUnit, Readings } from "@herdwise/contract";
import {
  type Assessment,
  assessReading,
  climateTarget,
  environment,
  type Freshness,
  type LocalText,
  type ReadingAssessment,
  type ReportedValue,
  type ValueState,
} from "@herdwise/device-kinds";
import type { MarkName } from "../../shared/icons/mark.tsx";

/** How a unit stands, in the words of a tile. */
export type UnitState = Exclude<ValueState, "unknown"> | "offline" | "empty" | "washing" | "bare" | "silent";

/** Severity first: what needs a person stands above what merely is. */
const order: readonly UnitState[] = [
  "critical",
  "major",
  "minor",
  "offline",
  "notice",
  "silent",
  "bare",
  "ok",
  "washing",
  "empty",
];
export const attentionStates = ["critical", "major", "minor", "offline"] as const satisfies readonly UnitState[];

export const stateNames: Readonly<Record<UnitState, string>> = {
  critical: "紧急",
  major: "严重",
  minor: "一般",
  notice: "提示",
  offline: "离线",
  silent: "无数据",
  bare: "未绑定",
  washing: "冲洗",
  empty: "空栏",
  ok: "正常",
};

/** Mark and colour class of a state. */
export const stateMarks: Readonly<Record<UnitState, { mark: MarkName; tone: string }>> = {
  critical: { mark: "critical", tone: "critical" },
  major: { mark: "major", tone: "major" },
  minor: { mark: "minor", tone: "minor" },
  notice: { mark: "notice", tone: "notice" },
  offline: { mark: "off", tone: "off" },
  silent: { mark: "off", tone: "off" },
  bare: { mark: "empty", tone: "off" },
  washing: { mark: "washing", tone: "off" },
  empty: { mark: "empty", tone: "off" },
  ok: { mark: "ok", tone: "ok" },
};

/** A number out of readings. */
export function numberIn(readings: Readings, key: string): number | undefined {
  const value = readings[key]?.value;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

const isReported = (value: unknown): value is ReportedValue =>
  typeof value === "number" || typeof value === "boolean" || typeof value === "string";

/** Readings as the rules of the device kind take them. */
export const reportedValues = (readings: Readings): Record<string, ReportedValue> =>
  Object.fromEntries(
    Object.entries(readings)
      .map(([key, { value }]): [string, unknown] => [key, value])
      .filter((pair): pair is [string, ReportedValue] => isReported(pair[1])),
  );

/** What is wrong in a word or two: the name of the rule that speaks. */
export const problemName = ({ ruleId, reason }: Assessment): LocalText =>
  environment.alarmRules.find(({ id }) => id === ruleId)?.name ?? reason;

export interface JudgedUnit {
  unit: EnvironmentUnit;
  state: UnitState;
  /** Worst first; only what is not good. */
  problems: readonly Assessment[];
  assessment: ReadingAssessment;
  freshness: Freshness;
  ageS: number;
  temperature: number | undefined;
  target: number | undefined;
  /** Degrees above (+) or below (−) the target. */
  deviation: number | undefined;
  /** Inside the comfort band of the pigsty; undefined where it is not to be told or means nothing (no pigs). */
  comfortable: boolean | undefined;
}

const rank: Readonly<Record<ValueState, number>> = { critical: 5, major: 4, minor: 3, notice: 2, ok: 1, unknown: 0 };

type Judgeable = Pick<
  EnvironmentUnit,
  | "pigstyType"
  | "averageWeightGrams"
  | "mode"
  | "targetTemperature"
  | "headCount"
  | "deviceId"
  | "status"
  | "readings"
  | "reportedAtMs"
>;

/**
 * Judges a unit at a moment, by the rules of the environment kind.
 * @param following whether this page hears the devices now. When it does not, silence is the page's and not the device's:
 * values then only become stale, and the server's word on being offline stands.
 */
export function judgeUnit<Unit extends Judgeable>(
  unit: Unit,
  nowMs: number,
  following: boolean,
): Omit<JudgedUnit, "unit"> & { unit: Unit } {
  const weightKg = unit.averageWeightGrams === undefined ? undefined : unit.averageWeightGrams / 1000;
  const silentS =
    unit.reportedAtMs === undefined ? Number.POSITIVE_INFINITY : Math.max(0, (nowMs - unit.reportedAtMs) / 1000);
  const unheard = !following && unit.status !== "offline" && unit.reportedAtMs !== undefined;
  const ageS =
    unit.status === "offline"
      ? Math.max(silentS, environment.offlineAfterS + 1)
      : unheard
        ? Math.min(silentS, environment.offlineAfterS)
        : silentS;
  const assessment = assessReading(
    { ageS, pigstyType: unit.pigstyType, weightKg, mode: unit.mode },
    reportedValues(unit.readings),
  );
  const temperature = numberIn(unit.readings, "t_in");
  const target = numberIn(unit.readings, "t_target") ?? unit.targetTemperature;
  const [low, high] = climateTarget(unit.pigstyType, weightKg).temperatureComfort;
  const problems = assessment.values
    .filter(({ state, masked }) => !masked && rank[state] > rank.ok)
    .toSorted((a, b) => rank[b.state] - rank[a.state]);

  const worst = problems[0]?.state;
  const state: UnitState = ((): UnitState => {
    if (unit.deviceId === "") return "bare";
    if (unit.reportedAtMs === undefined) return "silent";
    if (assessment.freshness === "offline") return "offline";
    if (worst && worst !== "unknown" && worst !== "ok") return worst;
    if (unit.status === "fault" && unit.mode === "normal") return "major";
    if (unit.mode !== "normal") return unit.mode;
    return "ok";
  })();
  const judgedComfort =
    temperature !== undefined && assessment.freshness !== "offline" && unit.mode === "normal" && unit.headCount > 0;
  return {
    unit,
    state,
    problems,
    assessment,
    freshness: assessment.freshness,
    ageS: silentS,
    temperature,
    target,
    deviation: temperature === undefined || target === undefined ? undefined : temperature - target,
    comfortable: judgedComfort ? temperature >= low && temperature <= high : undefined,
  };
}

export interface PlacedUnit extends JudgedUnit {
  farm: EnvironmentFarm;
  house: EnvironmentHouse;
}

/** Judges every unit of the farms, in the order of the farms. */
export const judgeFarms = (farms: readonly EnvironmentFarm[], nowMs: number, following: boolean): PlacedUnit[] =>
  farms.flatMap((farm) =>
    farm.houses.flatMap((house) => house.units.map((unit) => ({ ...judgeUnit(unit, nowMs, following), farm, house }))),
  );

/** Worst first; equal states by their distance from the target. */
export const byWorst = (a: JudgedUnit, b: JudgedUnit): number =>
  order.indexOf(a.state) - order.indexOf(b.state) || Math.abs(b.deviation ?? 0) - Math.abs(a.deviation ?? 0);

/** The worst state of some units. */
export const worstUnitState = (units: readonly { state: UnitState }[]): UnitState =>
  order.find((state) => units.some((unit) => unit.state === state)) ?? "ok";

/** Tint by distance from the target: c4 … c1 colder, "" on target, w1 … w4 warmer. A channel of its own, not a status. */
export function deviationTint(deviation: number | undefined): string {
  if (deviation === undefined) return "";
  const steps = Math.min(4, Math.round(Math.abs(deviation) / 0.8));
  return steps === 0 ? "" : `${deviation < 0 ? "c" : "w"}${steps}`;
}
