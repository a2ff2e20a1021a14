/** What every kind has: the channels of the radio, the supply and the clock, and the alarms on them. */
import { analytic, channelsOf, days, detect, hours, minutes, ownDefault, rule, section, when } from "./declare.ts";
import type { AlarmRule, Analytic, Channel, LocalText } from "./device-kind.ts";

export const deviceSection = section("device", "设备", "Device");
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

const batteryRules: readonly AlarmRule[] = [
  rule("battery_low", "电量低", "Battery low", "WARN", when("batt", "lt", 20), { after: minutes(5) }),
  rule("battery_empty", "电量将尽", "Battery almost empty", "MINOR", when("batt", "lt", 10), { after: minutes(5) }),
];

type SharedRuleOptions = {
  /** Severity of going offline; the hurt of it differs by kind. */
  readonly offlineSeverity: AlarmRule["severity"];
  readonly offlineAfterS: number;
  readonly portable?: true;
  /** Measured channels for the sensor-fault rules: out of the valid range, or without any change for 6 h. */
  readonly sensors: readonly string[];
  readonly source?: LocalText;
};

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
  rule("sensor_range", "传感器超量程", "Sensor out of range", "MINOR", detect("out-of-range", options.sensors, {}), {
    after: minutes(5),
  }),
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
];

/** Analytics of every kind. */
export const sharedAnalytics: readonly Analytic[] = [
  analytic(
    "report_completeness",
    "上报完整率",
    "Report completeness",
    "%",
    "实收条数 ÷ 按上报间隔应收条数",
    "Reports received ÷ reports due by the interval",
  ),
];
