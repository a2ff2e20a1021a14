/** Parts that every kind has (channels and alarms of radio, supply and clock), and parts that several kinds share. */
import {
  analytic,
  channelsOf,
  command,
  days,
  derivedFromReading,
  detect,
  hours,
  minutes,
  numberField,
  ownDefault,
  rule,
  section,
  structureParameter,
  text,
  textField,
  when,
} from "./declare.ts";
import type { AlarmRule, Analytic, Channel, Command, DerivedValue, LocalText, Parameter } from "./device-kind.ts";
import { checkTimeSpans } from "./validation.ts";

const deviceSection = section("device", "设备", "Device");
const device = channelsOf(deviceSection, 60);

/** Channels of every mains-powered device. */
export const sharedChannels: readonly Channel[] = [
  device.number("rssi", "信号强度", "Signal strength", "dBm", { valid: [-120, 0], normal: [-110, -50] }),
  device.number("supply_v", "供电电压", "Supply voltage", "V", { valid: [0, 60], normal: [10, 30], decimals: 1 }),
  device.number("uptime", "已运行时间", "Uptime", "s", { valid: [0, 4e9], intervalS: 300 }),
  device.words("fw", "固件版本", "Firmware version", undefined, 300),
  device.number("clock_offset", "时钟偏差", "Clock offset", "s", {
    valid: [-86400, 86400],
    normal: [-60, 60],
    intervalS: 300,
    decimals: 1,
  }),
  device.number("buf_pending", "待补传条数", "Records waiting", "", { valid: [0, 1e6], normal: [0, 100] }),
];

/** Channels of portable devices: the shared ones and the battery. */
export const portableChannels: readonly Channel[] = [
  ...sharedChannels,
  device.number("batt", "电池电量", "Battery", "%", { valid: [0, 100], normal: [20, 100] }),
];

/**
 * Degrees that air moves in a minute at most: WMO, Guidelines on Quality Control Procedures for Data from Automatic Weather Stations (2004,
 * and the Guide to Instruments and Methods of Observation, WMO-No. 8), maximum allowed variability of air temperature between one-minute values.
 */
export const airChangePerMinute = 3;

const batteryRules: readonly AlarmRule[] = [
  rule("battery_low", "电量低", "Battery low", "WARN", when("batt", "lt", 20), { after: minutes(5) }),
  rule("battery_empty", "电量将尽", "Battery almost empty", "MINOR", when("batt", "lt", 10), { after: minutes(5) }),
];

/** A mains-powered device continues on its buffer battery for a while and reports the loss of the mains by its supply voltage. */
const supplyRules: readonly AlarmRule[] = [
  rule("mains_loss", "市电断电", "Mains power lost", "MAJOR", when("supply_v", "lt", 18), {
    after: 30,
    safety: true,
    hysteresis: { absolute: 1 },
  }),
];

type SharedRuleOptions = {
  /** Severity of going offline, which differs by kind because its consequences do. */
  readonly offlineSeverity: AlarmRule["severity"];
  readonly offlineAfterS: number;
  readonly portable?: true;
  /** Runs on 24 V from the mains, and has no channel of its own that reports the mains. */
  readonly supply?: true;
  /** Measured channels for the sensor-fault rules: out of the valid range, or without any change for 6 h. */
  readonly sensors: readonly string[];
  readonly source?: LocalText;
};

/**
 * Alarm for a value that animals depend on and that is unknown: its readings are rejected, or missing while the device sends
 * others.
 * @param keys any one of them is enough to know the value
 * @param always every device of the kind has one of them; otherwise only devices that ever sent one
 */
export const unknownRule = (
  id: string,
  zh: string,
  en: string,
  severity: AlarmRule["severity"],
  keys: readonly string[],
  always = false,
): AlarmRule => rule(id, zh, en, severity, detect("unknown", keys, always ? { always: "yes" } : {}));

/** Alarm rules of every kind. */
export const sharedRules = (options: SharedRuleOptions): readonly AlarmRule[] => [
  rule(
    "offline",
    "设备离线",
    "Device offline",
    options.offlineSeverity,
    detect("silence", [], { after_s: options.offlineAfterS }),
    { source: options.source ?? ownDefault },
  ),
  rule("signal_weak", "信号弱", "Weak signal", "WARN", when("rssi", "lt", -100), {
    after: minutes(10),
    hysteresis: { absolute: 5 },
  }),
  rule(
    "sensor_range",
    "探头读数不可信",
    "Sensor readings rejected",
    "MINOR",
    detect("out-of-range", options.sensors, {}),
    {
      after: minutes(5),
    },
  ),
  rule(
    "sensor_stuck",
    "传感器无变化",
    "Sensor stuck",
    "WARN",
    detect("stuck", options.sensors, { window_s: hours(6), deviation_below: 1e-9 }),
    { clearAfter: minutes(10) },
  ),
  rule(
    "clock_skew",
    "时钟偏差大",
    "Clock skew",
    "WARN",
    { type: "any", of: [when("clock_offset", "gt", 60), when("clock_offset", "lt", -60)] },
    { after: minutes(10) },
  ),
  rule(
    "firmware_mismatch",
    "固件与目标版本不符",
    "Firmware differs from target",
    "WARN",
    detect("firmware-differs", ["fw"], { after_s: days(1) }),
  ),
  ...(options.portable ? batteryRules : []),
  ...(options.supply ? supplyRules : []),
];

/** Channels of one section of a kind, as `channelsOf` makes them. */
type Section = ReturnType<typeof channelsOf>;

/** Level of a tank in percent, with a low level below 15. */
export const tankLevel = (at: Section, key: string, zh: string, en: string, decimals = 1): Channel =>
  at.number(key, zh, en, "%", { valid: [0, 100], normal: [15, 100], decimals });

/** Alarm on a `tankLevel` that runs low. */
export const tankLow = (name: string, zh: string, en: string, key: string): AlarmRule =>
  rule(name, zh, en, "MINOR", when(key, "lt", 15), { after: minutes(5) });

/**
 * Channels of a pump: on or off, and its current.
 * @param ordinaryA highest ordinary current in A
 */
export const pumpChannels = (at: Section, zh: string, en: string, ordinaryA: number): readonly Channel[] => [
  at.flag("pump", zh, en),
  at.number("pump_a", `${zh}电流`, "Pump current", "A", { valid: [0, 50], normal: [0, ordinaryA], decimals: 1 }),
];

/** Share of the ammonia that is removed from the air between two places. */
export const ammoniaRemoval = (before: string, after: string, formula: LocalText): DerivedValue =>
  derivedFromReading("removal", text("氨去除率", "Ammonia removal"), "%", 0, [before, after], formula, (value) => {
    const [into, out] = [value(before), value(after)];
    // With less than 1 ppm at the inlet the ratio is meaningless.
    return typeof into === "number" && typeof out === "number" && into >= 1 ? (1 - out / into) * 100 : undefined;
  });

/** @param highest largest value of a reference solution, in the unit of the probe */
export const calibrateProbe = (highest: number): Command =>
  command(
    "calibrate",
    "校准探头",
    "Calibrate a probe",
    text(
      "之后的读数按新标准值换算，标准液不准会使加药出错",
      "Later values follow the new reference; a wrong standard makes dosing wrong",
    ),
    textField("probe", "探头", "Probe"),
    numberField("reference", "标准值", "Reference", "", [0, highest]),
  );

const periodColumns = [textField("on", "开始", "From"), textField("off", "结束", "To")];

/**
 * Daily periods in which something runs; they must not overlap.
 * @param rows name of the rows in English messages
 */
export const dailyPeriods = (
  key: string,
  name: LocalText,
  rows: string,
  max: number,
  ordinary: { readonly on: string; readonly off: string },
): Parameter =>
  structureParameter(key, name.zh, name.en, {
    maxRows: max,
    columns: periodColumns,
    default: [ordinary],
    validate: checkTimeSpans({
      columns: periodColumns,
      open: "on",
      close: "off",
      max,
      zh: name.zh,
      en: rows,
      overlap: "forbidden",
    }),
  });

/** Analytics of every kind. */
export const sharedAnalytics: readonly Analytic[] = [
  analytic(
    "report_completeness",
    "上报完整率",
    "Report completeness",
    "%",
    "有上报的时间窗 ÷ 应有的时间窗；一个窗是判离线时长的三分之一，不短于 5 分钟",
    "Windows with a report ÷ windows that should have one; a window is a third of the time after which a device counts as offline, at least 5 minutes",
  ),
];
