import type { DeviceDetail, JudgedBy, KindDevice, KindFarm, KindHouse, KindUnit, Readings } from "@herdwise/contract";
import { shanghaiMoment, shanghaiMs } from "@herdwise/contract/shanghai";
import { type UnitState, unitStates } from "@herdwise/contract/unit-states";
import { farmRules } from "./changed-rules.ts";
import { readingLookup } from "./conditions.ts";
import { knownForMs } from "./detectors.ts";
import type { AlarmRule, DeviceKind, LocalText, ReportedValue } from "./device-kind.ts";
import {
  type Freshness,
  problemsOf,
  stateOfSeverity,
  type Verdict,
  type VerdictContext,
  verdictOf,
  verdictsOf,
} from "./verdict.ts";

/** What needs somebody. */
export const attentionStates = ["critical", "major", "minor", "offline"] as const satisfies readonly UnitState[];

/** When the newest of some readings came, ms since 1970; readings do not change, new ones come as another object. */
const newestOf = new WeakMap<Readings, number>();
function newestIn(readings: Readings): number {
  let newest = newestOf.get(readings);
  if (newest === undefined) {
    newest = Object.values(readings).reduce((latest, { ts }) => Math.max(latest, ts), 0);
    newestOf.set(readings, newest);
  }
  return newest;
}

/** Whether a reading still tells how it is: it came within three of its intervals before the device was heard last. */
const isKnown = (kind: DeviceKind, key: string, atMs: number, heardMs: number): boolean =>
  heardMs - atMs < knownForMs(kind, key);

/** Whether a device's reading tells how it is now: a value that did not come for three of its intervals while others did is unknown. */
export function isKnownIn(kind: DeviceKind, readings: Readings, key: string): boolean {
  const reading = readings[key];
  return reading !== undefined && isKnown(kind, key, reading.ts, newestIn(readings));
}

/** A number of a device's readings; undefined where it is unknown. */
export function numberIn(kind: DeviceKind, readings: Readings, key: string): number | undefined {
  const value = isKnownIn(kind, readings, key) ? readings[key]?.value : undefined;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

const isReported = (value: unknown): value is ReportedValue =>
  typeof value === "number" || typeof value === "boolean" || typeof value === "string";

/** A number of a device: a channel that it reports, or one that is worked out of them. */
export function figureOf(kind: DeviceKind, readings: Readings, key: string): number | undefined {
  const value = numberIn(kind, readings, key);
  if (value !== undefined || !kind.derived.some((derived) => derived.key === key)) return value;
  const found = readingLookup(kind, reportedValues(kind, readings), {})(key);
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}

/**
 * Readings as the rules of the device kind take them: a value that did not come for three of its intervals, while the device went on
 * sending, is none.
 * @param heardMs when the device was heard last, ms since 1970; by default when its newest reading came
 */
function reportedValues(kind: DeviceKind, readings: Readings, heardMs = 0): Record<string, ReportedValue> {
  const heard = Math.max(newestIn(readings), heardMs);
  return Object.fromEntries(
    Object.entries(readings)
      .filter(([key, { ts }]) => isKnown(kind, key, ts, heard))
      .map(([key, { value }]): [string, unknown] => [key, value])
      .filter((pair): pair is [string, ReportedValue] => isReported(pair[1])),
  );
}

/** How the units of a kind are judged: by its rules, and in which order they are looked at. */
export interface KindJudge {
  readonly kind: DeviceKind;
  /** Among units in the same state the one with the larger number comes first. */
  urgencyOf?(unit: Judgeable, device: KindDevice): number;
}

/** What is wrong in a word or two: the name of the rule that speaks. */
export const problemName = ({ rule, reason, named }: Pick<Verdict, "rule" | "reason" | "named">): LocalText =>
  named ?? rule?.name ?? reason;

/** What stands behind the name: by how much and against what; nothing where the name says it all. */
export const problemDetail = ({ rule, reason, named }: Pick<Verdict, "rule" | "reason" | "named">): LocalText =>
  named || reason.zh === rule?.name.zh ? { zh: "", en: "" } : reason;

/** What is wrong in one sentence: "余氯低，低于下限 0.30 mg/L". */
export function problemSentence(of: Pick<Verdict, "rule" | "reason" | "named">): LocalText {
  const [name, detail] = [problemName(of), problemDetail(of)];
  return detail.zh === "" ? name : { zh: `${name.zh}，${detail.zh}`, en: `${name.en}, ${detail.en}` };
}

/** A unit's device with what its newest values say. */
export interface JudgedDevice {
  device: KindDevice;
  state: UnitState;
  /** Worst first; only what is not good. */
  problems: readonly Verdict[];
  /** The verdict on any of its values. @param change values to be judged instead of those it told */
  verdictOf(key: string, change?: Readonly<Record<string, ReportedValue>>): Verdict;
  freshness: Freshness;
  ageS: number;
  urgency: number;
}

export interface JudgedUnit extends JudgedDevice {
  unit: KindUnit;
  /** All devices of the kind in the unit, worst first; the unit stands as the first of them does. */
  devices: readonly JudgedDevice[];
}

/** What a judgement needs to know of a unit. */
export type Judgeable = Pick<
  KindUnit,
  "pigstyType" | "averageWeightGrams" | "mode" | "targetTemperature" | "headCount"
>;

/** What a device of a whole farm is judged by; nothing of a farm depends on the pigsty. */
export const ofFarm: Judgeable = { pigstyType: "integrated", mode: "normal", headCount: 0 };

/** The weight that limits of the integrated pigsty depend on. */
export const weightKgOf = ({ averageWeightGrams }: Pick<Judgeable, "averageWeightGrams">): number | undefined =>
  averageWeightGrams === undefined ? undefined : averageWeightGrams / 1000;

/** Rules as a farm wants them, made once for each device as it was loaded. */
const rulesMade = new WeakMap<JudgedBy, readonly AlarmRule[]>();

/** What the farm of a device wants otherwise than its kind. */
function contextBy(kind: DeviceKind, by: JudgedBy | undefined, nowMs: number): Partial<VerdictContext> {
  if (by === undefined) return {};
  const rules = rulesMade.get(by) ?? farmRules(kind, by);
  rulesMade.set(by, rules);
  const masked = by.masked.filter(({ startsMs, endsMs }) => startsMs <= nowMs && nowMs < endsMs);
  const isMasked = (ruleId: string): boolean =>
    masked.some(({ ruleIds }) => ruleIds.length === 0 || ruleIds.includes(ruleId));
  const minuteOfDay = Math.floor((nowMs + shanghaiMs) / 60_000) % 1440;
  return { rules, parameters: by.parameters, isMasked, minuteOfDay };
}

/**
 * Judges a device of a unit at a moment, by the rules of its kind.
 * @param following whether this page hears the devices now. When it does not, silence is the page's and not the device's:
 * values then only become stale, and the server's word on being offline stands.
 */
export function judgeDevice(
  { kind, urgencyOf }: KindJudge,
  unit: Judgeable,
  device: KindDevice & Partial<Pick<DeviceDetail, "rejected">>,
  nowMs: number,
  following: boolean,
): JudgedDevice {
  const { reportedAtMs, status, rejected = [] } = device;
  const silentS = reportedAtMs === undefined ? Number.POSITIVE_INFINITY : Math.max(0, (nowMs - reportedAtMs) / 1000);
  const unheard = !following && status !== "offline" && reportedAtMs !== undefined;
  const ageS =
    status === "offline"
      ? Math.max(silentS, kind.offlineAfterS + 1)
      : unheard
        ? Math.min(silentS, kind.offlineAfterS)
        : silentS;
  const values = reportedValues(kind, device.readings, reportedAtMs);
  const heardMs = Math.max(newestIn(device.readings), reportedAtMs ?? 0);
  const context: VerdictContext = {
    ageS,
    pigstyType: unit.pigstyType,
    weightKg: weightKgOf(unit),
    mode: unit.mode,
    headCount: unit.headCount,
    ...contextBy(kind, device.judgedBy, nowMs),
    rejected: Object.fromEntries(
      rejected
        .filter(({ key, lastAt }) => isKnown(kind, key, shanghaiMoment(lastAt), heardMs))
        .map(({ key, lastText }) => [key, { text: lastText }]),
    ),
  };
  const { values: verdicts, freshness } = verdictsOf(kind, values, context);
  const problems = problemsOf(verdicts, kind.guides);
  const worst = problems[0]?.state;
  const state: UnitState = ((): UnitState => {
    if (device.deviceId === "") return "bare";
    if (reportedAtMs === undefined) return "silent";
    if (freshness === "offline") return "offline";
    if (worst && worst !== "unknown" && worst !== "ok") return worst;
    if (status === "fault" && unit.mode === "normal") return "major";
    if (unit.mode !== "normal") return unit.mode;
    return "ok";
  })();
  return {
    device,
    state,
    problems,
    verdictOf: (key, change) =>
      (change ? undefined : verdicts.find((verdict) => verdict.key === key)) ??
      verdictOf(kind, key, { ...values, ...change }, context),
    freshness,
    ageS: silentS,
    urgency: urgencyOf?.(unit, device) ?? 0,
  };
}

/** Worst first; equal states by their urgency. */
export const byWorst = (
  a: Pick<JudgedDevice, "state" | "urgency">,
  b: Pick<JudgedDevice, "state" | "urgency">,
): number => unitStates.indexOf(a.state) - unitStates.indexOf(b.state) || b.urgency - a.urgency;

/** Judges all devices of a unit; the unit stands as the worst of them does. */
export function judgeUnit(judge: KindJudge, unit: KindUnit, nowMs: number, following: boolean): JudgedUnit {
  const first = judgeDevice(judge, unit, unit, nowMs, following);
  const more = unit.more.map((device) => judgeDevice(judge, unit, device, nowMs, following));
  const devices = [first, ...more].toSorted(byWorst);
  return { ...(devices[0] ?? first), unit, devices };
}

export interface PlacedUnit extends JudgedUnit {
  farm: KindFarm;
  house: KindHouse;
}

/** Judges every unit of the farms, in the order of the farms. */
export const judgeFarms = (
  judge: KindJudge,
  farms: readonly KindFarm[],
  nowMs: number,
  following: boolean,
): PlacedUnit[] =>
  farms.flatMap((farm) =>
    farm.houses.flatMap((house) =>
      house.units.map((unit) => ({ ...judgeUnit(judge, unit, nowMs, following), farm, house })),
    ),
  );

/** A device of a kind whose devices serve farms, with where it stands. */
export interface PlacedDevice extends JudgedDevice {
  farm: KindFarm;
  /** Where it stands in a unit all the same. */
  house?: KindHouse;
  unit?: KindUnit;
}

/** Judges every device of the farms, in the order of the farms: those of a farm as a whole first. */
export const judgeFarmDevices = (
  judge: KindJudge,
  farms: readonly KindFarm[],
  nowMs: number,
  following: boolean,
): PlacedDevice[] =>
  farms.flatMap((farm) => [
    ...farm.devices.map((device) => ({ ...judgeDevice(judge, ofFarm, device, nowMs, following), farm })),
    ...farm.houses.flatMap((house) =>
      house.units.flatMap((unit) =>
        [unit, ...unit.more]
          .filter(({ deviceId }) => deviceId !== "")
          .map((device) => ({ ...judgeDevice(judge, unit, device, nowMs, following), farm, house, unit })),
      ),
    ),
  ]);

/** The worst state of some units; of none there is nothing to tell, good or bad. */
export const worstUnitState = (units: readonly { state: UnitState }[]): UnitState =>
  unitStates.find((state) => units.some((unit) => unit.state === state)) ?? "bare";

const severities = Object.keys(stateOfSeverity) as (keyof typeof stateOfSeverity)[];

/** How many alarms are open, by severity. */
export type OpenAlarmCounts = Readonly<Record<keyof typeof stateOfSeverity, number>>;

/**
 * The state of a place: the worst of its units, where those without a device count only if there are no others.
 * @param alarms those open there: the place is no better than the worst of them
 */
export function placeState(units: readonly { state: UnitState }[], alarms?: OpenAlarmCounts): UnitState {
  const equipped = units.filter(({ state }) => state !== "bare");
  const open = alarms ? severities.filter((severity) => alarms[severity] > 0) : [];
  return worstUnitState([
    ...(equipped.length > 0 ? equipped : units),
    ...open.map((severity) => ({ state: stateOfSeverity[severity] })),
  ]);
}

/** What is known of some units or devices. */
export interface Outlook {
  /** They need somebody. */
  attention: number;
  /** Their devices never reported. */
  silent: number;
  /** They have no device. */
  bare: number;
  /** Those that told something, whatever it was. */
  heard: number;
  /** Whether there are any, all of them were heard and none needs anybody: only then may a screen say that all is well. */
  allGood: boolean;
}

/** Counts what is known of some units or devices. Nothing is called good that nobody heard. */
export function outlookOf(units: readonly { state: UnitState }[]): Outlook {
  const count = (...states: readonly UnitState[]): number => units.filter(({ state }) => states.includes(state)).length;
  const [attention, silent, bare] = [count(...attentionStates), count("silent"), count("bare")];
  const heard = units.length - silent - bare;
  return { attention, silent, bare, heard, allGood: units.length > 0 && heard === units.length && attention === 0 };
}
