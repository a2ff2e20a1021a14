/** Environment control: one controller per unit, with fans, inlets, cooling, heat, light, gas and water. */
import { thi, thiBands } from "../climate.ts";
import {
  allOf,
  analytic,
  channelsOf,
  choiceField,
  choiceParameter,
  command,
  derivedFromReading,
  derivedOverWindow,
  detect,
  during,
  event,
  flagField,
  flagParameter,
  highestOf,
  hours,
  lowestOf,
  minutes,
  named,
  numberField,
  numberParameter,
  pigstyLimit,
  published,
  reference,
  rule,
  section,
  setPoint,
  structureParameter,
  text,
  textField,
  valueLimit,
  when,
} from "../declare.ts";
import type { AlarmRule, Channel, DerivedValue, DeviceKind, LocalText } from "../device-kind.ts";
import { fanCount, gearTable, maxGears, variableFanCount } from "../gears.ts";
import { environmentGuides } from "../guides/environment.ts";
import { airChangePerMinute, sharedAnalytics, sharedChannels, sharedRules, unknownRule } from "../shared-parts.ts";
import { checkDayCurve, checkFanTable, checkRecord, checkTimeSpans, maxCurvePoints, maxGroups } from "../validation.ts";

/** Rated current of a fan in A [A]; a parameter of the device. */
export const ratedFanCurrentA = 2.6;
/** Rated speed of a fan in rpm [A]. */
export const ratedFanRpm = 560;

/**
 * Share of the rated current that a fan draws at a drive of 0–100 % [A]: a constant part and a part that grows with the square
 * of the speed.
 */
export const drivenCurrentShare = (drivePercent: number): number => 0.3 + 0.7 * (drivePercent / 100) ** 2;

const modeWords = [
  ["normal", "正常饲养", "Normal"],
  ["empty", "空栏", "Empty"],
  ["washing", "冲洗", "Washing"],
] as const;

/** Numbers 1 to 11. */
export const fanNumbers: readonly number[] = Array.from({ length: fanCount }, (_, index) => index + 1);
const probeKeys = ["t1", "t2", "t3", "t4"] as const;
const fanKeys = fanNumbers.map((number) => `fan_${number}`);
/** Fans that are tried together: those with a drive, and the others by three. */
const fanGroups = [
  [1, variableFanCount],
  [3, 5],
  [6, 8],
  [9, fanCount],
] as const;

const air = channelsOf(section("air", "空气", "Air"), 60);
const ventilation = channelsOf(section("ventilation", "通风", "Ventilation"), 60);
const fans = channelsOf(section("fans", "风机", "Fans"), 60);
const cooling = channelsOf(section("heat-and-cooling", "加热与降温", "Heating and cooling"), 60);
const use = channelsOf(section("use", "用水用电", "Water and power"), 60);
const unit = channelsOf(section("unit", "单元", "Unit"), 60);

const celsius = { valid: [-40, 80], maxChangePerMinute: airChangePerMinute, decimals: 1 } as const;
const percent = [0, 100] as const;

const channels: readonly Channel[] = [
  air.number("t_in", "平均温度", "Mean temperature", "°C", {
    ...celsius,
    normal: [13, 28],
    comfort: "temperatureComfort",
    worseBy: 2,
  }),
  ...probeKeys.map((key, index) =>
    air.number(key, `${index + 1} 号探头`, `Probe ${index + 1}`, "°C", { ...celsius, normal: [13, 28] }),
  ),
  air.number("rh", "湿度", "Humidity", "%", { valid: percent, normal: [50, 85], comfort: "humidityComfort" }),
  air.number("t_out", "舍外温度", "Outdoor temperature", "°C", celsius),
  air.number("rh_out", "舍外湿度", "Outdoor humidity", "%", { valid: percent }),
  air.number("nh3", "氨气", "Ammonia", "ppm", { valid: percent, normal: [0, 15], decimals: 1, worseBy: 10 }),
  air.number("co2", "二氧化碳", "Carbon dioxide", "ppm", { valid: [0, 10000], normal: [600, 3000], worseBy: 1000 }),
  air.number("h2s", "硫化氢", "Hydrogen sulfide", "ppm", { valid: [0, 50], normal: [0, 3], decimals: 1, worseBy: 5 }),
  air.number("dp", "负压", "Static pressure", "Pa", { valid: [-100, 100], normal: [10, 30], decimals: 1 }),
  air.number("airspd", "风速", "Air speed", "m/s", { valid: [0, 10], normal: [0.15, 1], decimals: 2 }),
  air.number("lux", "光照", "Light", "lx", { valid: [0, 2000], normal: [30, 150] }),
  ventilation.number("gear_cmd", "目标档位", "Fan stage wanted", "", { valid: [0, maxGears], step: true }),
  ventilation.number("gear", "运行档位", "Fan stage", "", { valid: [0, maxGears], step: true }),
  ventilation.number("vfd", "变频", "Drive", "%", { valid: percent }),
  ventilation.number("damper_cmd", "风门目标", "Inlet wanted", "%", { valid: percent }),
  ...[1, 2, 3, 4].map((number) =>
    ventilation.number(`damper_${number}`, `${number} 号风门`, `Inlet ${number}`, "%", {
      valid: percent,
      intervalS: 300,
    }),
  ),
  ventilation.number("vent", "通风量", "Ventilation", "m³/h", { valid: [0, 1e6] }),
  ...fanNumbers.map((number) => fans.flag(`fan_${number}`, `${number} 号风机`, `Fan ${number}`)),
  ...fanNumbers.map((number) =>
    fans.number(`fan_${number}_a`, `${number} 号风机电流`, `Fan ${number} current`, "A", {
      valid: [0, 20],
      normal: [0, Math.round(ratedFanCurrentA * 1.2 * 10) / 10],
      decimals: 2,
    }),
  ),
  ...fanNumbers.map((number) =>
    fans.number(`fan_${number}_rpm`, `${number} 号风机转速`, `Fan ${number} speed`, "rpm", {
      valid: [0, 3000],
      intervalS: 300,
    }),
  ),
  cooling.flag("spray", "喷淋", "Spray"),
  cooling.flag("pad", "湿帘", "Cooling pad"),
  cooling.number("heater", "加热", "Heater", "%", { valid: percent }),
  use.number("water", "累计用水", "Water, total", "L", { valid: [0, 1e9], cumulative: true }),
  use.number("kwh", "累计用电", "Energy, total", "kWh", {
    valid: [0, 1e9],
    decimals: 1,
    cumulative: true,
    intervalS: 300,
  }),
  use.flag("mains", "市电", "Mains power"),
  unit.words("mode", "单元模式", "Unit mode", modeWords),
  unit.number("t_target", "目标温度", "Target temperature", "°C", { valid: [5, 40], normal: [15, 30], decimals: 1 }),
  unit.number("pigs", "存栏", "Pigs", "头", { valid: [0, 20000], intervalS: 300 }),
  ...sharedChannels,
];

/** Keys of each fan, computed once because the server needs them with every message. */
const fanChannels = fanNumbers.map((number) => ({
  runKey: `fan_${number}`,
  currentKey: `fan_${number}_a`,
  isVariable: number <= variableFanCount,
}));

const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

const derived: readonly DerivedValue[] = [
  derivedFromReading(
    "thi",
    text("温湿指数", "THI"),
    "",
    1,
    ["t_in", "rh"],
    text("(1.8T+32)−(0.55−0.0055RH)(1.8T−26)，参考值", "(1.8T+32)−(0.55−0.0055RH)(1.8T−26), reference value"),
    (value) => {
      const temperature = numberOf(value("t_in"));
      const humidity = numberOf(value("rh"));
      return temperature === undefined || humidity === undefined ? undefined : thi(temperature, humidity);
    },
  ),
  derivedFromReading(
    "probe_spread",
    text("探头温差", "Probe spread"),
    "K",
    1,
    probeKeys,
    text("最热探头减最冷探头", "Warmest probe minus coldest probe"),
    (value) => {
      let [known, warmest, coldest] = [0, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
      for (const key of probeKeys) {
        const probe = value(key);
        if (typeof probe !== "number") continue;
        known += 1;
        warmest = Math.max(warmest, probe);
        coldest = Math.min(coldest, probe);
      }
      return known < 2 ? undefined : warmest - coldest;
    },
  ),
  derivedFromReading(
    "fans_running",
    text("运行风机数", "Fans running"),
    "",
    0,
    fanKeys,
    text("运行中的风机台数", "Number of fans that run"),
    (value) => {
      let [known, running] = [0, 0];
      for (const key of fanKeys) {
        const told = value(key);
        if (typeof told !== "boolean") continue;
        known += 1;
        if (told) running += 1;
      }
      return known === 0 ? undefined : running;
    },
  ),
  derivedFromReading(
    "fan_current_deviation",
    text("风机电流偏差", "Fan current deviation"),
    "%",
    0,
    [...fanKeys, ...fanKeys.map((key) => `${key}_a`), "vfd"],
    text(
      "运行风机的电流与额定电流（变频时按频率折算）之差，取最大者",
      "Current of running fans against the rated current (scaled by the drive), the largest",
    ),
    (value, context) => {
      const rated = numberOf(context.parameters?.fan_rated_a) ?? ratedFanCurrentA;
      const drive = numberOf(value("vfd")) ?? 100;
      let largest: number | undefined;
      for (const { runKey, currentKey, isVariable } of fanChannels) {
        if (value(runKey) !== true) continue;
        const current = numberOf(value(currentKey));
        if (current === undefined || current <= 0) continue;
        const deviation = Math.abs(current / (rated * (isVariable ? drivenCurrentShare(drive) : 1)) - 1) * 100;
        largest = Math.max(largest ?? deviation, deviation);
      }
      return largest;
    },
  ),
  derivedFromReading(
    "gear_gap",
    text("档位偏差", "Gear gap"),
    "",
    0,
    ["gear", "gear_cmd"],
    text("目标档位与运行档位之差", "Wanted gear minus running gear"),
    (value) => {
      const gear = numberOf(value("gear"));
      const wanted = numberOf(value("gear_cmd"));
      return gear === undefined || wanted === undefined ? undefined : Math.abs(wanted - gear);
    },
  ),
  derivedFromReading(
    "vent_per_kg",
    text("单位体重通风量", "Ventilation per kg"),
    "m³/h·kg",
    2,
    ["vent", "pigs"],
    text("通风量 ÷ (存栏 × 均重)", "Ventilation ÷ (pigs × mean weight)"),
    (value, context) => {
      const flow = numberOf(value("vent"));
      const weight = (numberOf(value("pigs")) ?? 0) * (context.weightKg ?? 0);
      return flow === undefined || weight <= 0 ? undefined : flow / weight;
    },
  ),
  derivedOverWindow(
    "t_rise_10min",
    text("10 分钟温度变化", "Temperature change in 10 min"),
    "K",
    1,
    "t_in",
    minutes(10),
    "change",
    text("现在减 10 分钟前", "Now minus 10 min ago"),
  ),
  derivedOverWindow(
    "water_2h",
    text("2 小时用水", "Water in 2 h"),
    "L",
    0,
    "water",
    hours(2),
    "increase",
    text("累计用水 2 小时增量", "Increase of the counter in 2 h"),
  ),
];

const alarmHigh = lowestOf(setPoint("t_target", 3), pigstyLimit("temperatureHigh"));
const alarmVeryHigh = lowestOf(setPoint("t_target", 5), pigstyLimit("temperatureHigh", 2));
const halfDegree = { absolute: 0.5 };
const outdoorNote = text(
  "平台默认值；天热时上限随舍外温度上移（舍外 +6/+8 ℃），因为不降温的猪舍不可能比舍外凉",
  "Default of the portal; in hot weather the limit follows the outdoor temperature (outdoor +6/+8 °C), as a house without cooling cannot be cooler than outside",
);

const alarmRules: readonly AlarmRule[] = [
  rule(
    "temperature_high",
    "温度高",
    "Temperature high",
    "MAJOR",
    when("t_in", "gt", highestOf(alarmHigh, valueLimit("t_out", 1, 6))),
    { after: minutes(5), hysteresis: halfDegree, source: outdoorNote },
  ),
  rule(
    "temperature_very_high",
    "温度过高",
    "Temperature very high",
    "CRITICAL",
    when("t_in", "gt", highestOf(alarmVeryHigh, valueLimit("t_out", 1, 8))),
    { after: minutes(5), hysteresis: halfDegree, source: outdoorNote },
  ),
  rule("temperature_low", "温度低", "Temperature low", "MAJOR", when("t_in", "lt", setPoint("t_target", -3)), {
    after: minutes(10),
    hysteresis: halfDegree,
  }),
  rule(
    "temperature_rising_fast",
    "温度急升",
    "Temperature rising fast",
    "CRITICAL",
    // A quick rise is dangerous only above the set-point; below it, the heater or controller is returning to the set-point.
    allOf(when("t_rise_10min", "gt", 2), when("t_in", "gt", setPoint("t_target", 1))),
    { hysteresis: halfDegree },
  ),
  rule(
    "all_fans_off",
    "风机全停",
    "All fans off",
    "CRITICAL",
    allOf(
      when("fans_running", "eq", 0),
      when("pigs", "gt", 0),
      when("mode", "eq", "normal"),
      when("gear_cmd", "ge", 3),
    ),
    { after: minutes(2) },
  ),
  rule(
    "cycle_fan_off",
    "循环风机未启动",
    "Cycle fan does not start",
    "CRITICAL",
    // In gears 1–2 fan 1 pauses for up to 240 s, which is added to the two minutes.
    allOf(
      when("fans_running", "eq", 0),
      when("pigs", "gt", 0),
      when("mode", "eq", "normal"),
      when("gear_cmd", "le", 2),
    ),
    { after: minutes(6) },
  ),
  rule("mains_loss", "市电断电", "Mains power lost", "CRITICAL", when("mains", "eq", false), {
    after: 30,
    safety: true,
  }),
  rule(
    "empty_with_pigs",
    "有猪却设为空栏",
    "Set to empty with pigs inside",
    "CRITICAL",
    allOf(when("mode", "eq", "empty"), when("pigs", "gt", 0)),
    { after: 60, safety: true, pushedWhenMasked: true },
  ),
  // Washing that was started from the unit's page ends by itself within a day; washing that was started at the controller does
  // not.
  rule("washing_forgotten", "冲洗忘了结束", "Washing was not ended", "MAJOR", when("mode", "eq", "washing"), {
    after: hours(25),
    safety: true,
    pushedWhenMasked: true,
  }),
  rule("ammonia_high", "氨气高", "Ammonia high", "MINOR", when("nh3", "gt", 20), {
    after: minutes(15),
    source: published("Dz.U. 2010 nr 56 poz. 344 §26 (20 ppm)"),
  }),
  rule("ammonia_very_high", "氨气过高", "Ammonia very high", "MAJOR", when("nh3", "gt", 35), { after: minutes(10) }),
  rule("carbon_dioxide_high", "二氧化碳高", "Carbon dioxide high", "MINOR", when("co2", "gt", 3000), {
    after: minutes(15),
    source: published("Dz.U. 2010 nr 56 poz. 344 §26 (3000 ppm)"),
  }),
  rule("carbon_dioxide_very_high", "二氧化碳过高", "Carbon dioxide very high", "MAJOR", when("co2", "gt", 5000), {
    after: minutes(15),
  }),
  rule("hydrogen_sulfide_high", "硫化氢高", "Hydrogen sulfide high", "MAJOR", when("h2s", "gt", 5), {
    after: minutes(5),
    safety: true,
    source: published("Dz.U. 2010 nr 56 poz. 344 §26 (5 ppm)"),
  }),
  rule("hydrogen_sulfide_danger", "硫化氢危险", "Hydrogen sulfide danger", "CRITICAL", when("h2s", "gt", 10), {
    after: minutes(1),
    safety: true,
  }),
  rule("humidity_high", "湿度高", "Humidity high", "MINOR", when("rh", "gt", 85), {
    after: minutes(60),
    hysteresis: { absolute: 3 },
    source: reference("GB/T 17824.3-2008"),
  }),
  rule("humidity_low", "湿度低", "Humidity low", "MINOR", when("rh", "lt", 45), {
    after: minutes(60),
    hysteresis: { absolute: 3 },
  }),
  rule("pressure_low", "负压低", "Static pressure low", "MINOR", allOf(when("dp", "lt", 5), when("gear", "ge", 1)), {
    after: minutes(5),
  }),
  rule("pressure_high", "负压高", "Static pressure high", "MINOR", when("dp", "gt", 40), { after: minutes(5) }),
  rule("gear_not_reached", "档位未到位", "Gear not reached", "MAJOR", when("gear_gap", "gt", 0), { after: 60 }),
  rule("fan_current", "风机电流异常", "Fan current abnormal", "MAJOR", when("fan_current_deviation", "gt", 30), {
    after: minutes(2),
  }),
  rule("probe_spread", "探头温差大", "Probes far apart", "MINOR", when("probe_spread", "gt", 4), {
    after: minutes(5),
    hysteresis: halfDegree,
  }),
  rule(
    "water_stopped",
    "白天无用水",
    "No water in daytime",
    "MAJOR",
    allOf(when("water_2h", "le", 0), when("pigs", "gt", 0), during("08:00", "20:00")),
    { clearAfter: minutes(5) },
  ),
  rule(
    "water_at_night",
    "夜间用水多",
    "Much water at night",
    "WARN",
    detect("baseline-ratio", ["water"], { from: "22:00", to: "05:00", against: "median", baseline_days: 7, above: 2 }),
    { clearAfter: minutes(30) },
  ),
  rule("heat_stress", "热应激", "Heat stress", "WARN", when("thi", "ge", 79), {
    after: hours(1),
    hysteresis: { absolute: 1 },
    source: reference("THI 79"),
  }),
  rule("heat_emergency", "热应激紧急", "Heat emergency", "MAJOR", when("thi", "ge", 84), {
    after: minutes(10),
    hysteresis: { absolute: 1 },
    source: reference("THI 84"),
  }),
  // Animals depend on this value, so not knowing the temperature is as dangerous as heat.
  unknownRule("temperature_unknown", "舍温未知", "House temperature unknown", "CRITICAL", ["t_in", ...probeKeys], true),
  unknownRule("ventilation_unknown", "通风未知", "Ventilation unknown", "MAJOR", ["gear", ...fanKeys]),
  unknownRule("mains_unknown", "市电状态未知", "Mains power unknown", "MAJOR", ["mains"]),
  unknownRule("water_unknown", "用水未知", "Water use unknown", "MINOR", ["water"]),
  ...sharedRules({
    offlineSeverity: "CRITICAL",
    offlineAfterS: minutes(5),
    sensors: ["t_in", "t1", "t2", "t3", "t4", "rh", "nh3", "co2", "h2s", "dp"],
  }),
];

const fanTableColumns = [
  numberField("gear", "档位", "Gear", "", [1, maxGears]),
  numberField("fans", "风机数", "Fans", "", [0, fanCount]),
  numberField("vfd", "变频", "Drive", "%", [0, 100]),
  numberField("t_up", "升档温度", "Up temperature", "°C", [-10, 50]),
  numberField("t_down", "降档温度", "Down temperature", "°C", [-10, 50]),
  numberField("damper", "风门", "Inlet", "%", [0, 100]),
  flagField("spray", "喷淋", "Spray"),
  numberField("spray_on_s", "喷淋开", "Spray on", "s", [0, 3600]),
  numberField("spray_off_s", "喷淋停", "Spray off", "s", [0, 3600]),
  flagField("pad", "湿帘", "Cooling pad"),
  numberField("cycle_on_s", "循环开", "Cycle on", "s", [0, 3600]),
  numberField("cycle_off_s", "循环停", "Cycle off", "s", [0, 3600]),
  numberField("min_run_s", "最小停留", "Least time", "s", [0, 3600]),
];
const lightingColumns = [
  textField("on", "开启时间", "On"),
  textField("off", "关闭时间", "Off"),
  numberField("lux", "照度", "Light", "lx", [0, 500]),
  numberField("channel", "回路", "Circuit", "", [1, 4]),
];
const periodColumns = [
  textField("on", "开始时间", "From"),
  textField("off", "结束时间", "To"),
  numberField("t_offset", "目标温度修正", "Target offset", "°C", [-5, 5]),
];
const curveColumns = [
  numberField("day", "日龄", "Day", "d", [0, 365]),
  numberField("t_target", "目标温度", "Target", "°C", [5, 40]),
  numberField("heat_offset", "加热偏差", "Heat offset", "°C", [-10, 0], false),
  numberField("low_offset", "低温告警偏差", "Low alarm offset", "°C", [-15, 0], false),
  numberField("high_offset", "高温告警偏差", "High alarm offset", "°C", [0, 15], false),
];
const minimumVentilationColumns = [
  choiceField("basis", "方式", "Basis", [
    ["percent", "风机百分比", "% of fans"],
    ["head", "每头", "per head"],
    ["weight", "每公斤体重", "per kg"],
  ]),
  numberField("value", "最小通风", "Minimum ventilation", "", [0, 1000]),
  numberField("on_s", "循环开", "Cycle on", "s", [0, 3600]),
  numberField("off_s", "循环停", "Cycle off", "s", [0, 3600]),
];

/** A band of the index as the name of a row, with the value where it begins. */
const bandWord = (value: string, { zh, en }: LocalText, from: number): { value: string; name: LocalText } => ({
  value,
  name: Number.isFinite(from) ? text(`${zh}（${from} 起）`, `${en} (from ${from})`) : text(zh, en),
});

export const environment: DeviceKind = {
  kind: "environment",
  name: text("环境控制", "Environment control"),
  sort: 1,
  pages: {
    path: "vet/environment",
    code: "env",
    icon: "environment",
    title: text("环境控制总览", "Environment overview"),
    figures: ["t_in", "rh", "nh3", "co2", "gear"],
    settings: [
      {
        id: "fan",
        name: text("风机配置", "Fan configuration"),
        keys: ["fan_table", "fan_capacity", "fan_rated_a", "min_ventilation"],
      },
      {
        id: "setting",
        name: text("参数设置", "Parameters"),
        keys: [
          "t_target",
          "comfort_band",
          "rh_max",
          "alarm_high_offset",
          "alarm_low_offset",
          "alarm_high_limit",
          "alarm_low_limit",
          "alarm_inhibit_min",
          "nh3_boost_gear",
          "co2_boost_gear",
          "sensor_offset",
          "curve_enabled",
          "day_curve",
        ],
      },
      { id: "lighting", name: text("光照参数", "Lighting"), keys: ["lighting"] },
      { id: "periods", name: text("控制时段", "Control periods"), keys: ["control_periods"] },
      { id: "mode", name: text("单元模式", "Unit mode"), keys: ["mode", "wash_fan", "wash_gear"] },
    ],
  },
  group: "environment",
  reportIntervalS: 60,
  offlineAfterS: minutes(5),
  states: named(
    ["normal", "正常饲养", "Normal"],
    ["empty", "空栏", "Empty"],
    ["washing", "冲洗", "Washing"],
    ["manual", "手动", "Manual"],
    ["fault", "故障", "Fault"],
  ),
  channels,
  derived,
  events: [
    event(
      "gear_change",
      "换档",
      "Gear change",
      ["from", "原档位", "From", "", "number"],
      ["to", "新档位", "To", "", "number"],
      ["t_in", "平均温度", "Mean temperature", "°C"],
      ["reason", "原因", "Reason"],
    ),
    event(
      "mode_change",
      "模式切换",
      "Mode change",
      ["from", "原模式", "From"],
      ["to", "新模式", "To"],
      ["by", "来源", "By"],
    ),
    event(
      "param_applied",
      "参数生效",
      "Parameter applied",
      ["key", "参数", "Parameter"],
      ["old", "原值", "Old"],
      ["new", "新值", "New"],
    ),
    event("manual_override_start", "转手动", "Manual override", ["gear", "档位", "Gear", "", "number"]),
    event("manual_override_end", "恢复自动", "Back to automatic", ["lasted_s", "时长", "Lasted", "s"]),
    event("power_fail", "市电断电", "Mains power lost"),
    event("power_restore", "市电恢复", "Mains power back", ["lasted_s", "时长", "Lasted", "s"]),
    event(
      "fan_trip",
      "风机跳闸",
      "Fan tripped",
      ["fan", "风机", "Fan", "", "number"],
      ["current_a", "电流", "Current", "A"],
    ),
    event("door_open", "开门", "Door opened", ["door", "门", "Door"], ["lasted_s", "时长", "Lasted", "s"]),
  ],
  commands: [
    command(
      "setMode",
      "切换单元模式",
      "Set unit mode",
      text(
        "模式切换：空栏和冲洗会屏蔽告警并停喷淋，空栏时风机也停",
        "The mode changes: empty and washing mask alarms and stop the spray, empty stops the fans as well",
      ),
      choiceField("mode", "模式", "Mode", modeWords),
      {
        ...choiceField("washFan", "冲洗风机", "Wash fans", [
          ["manual", "手动档位", "Manual gear"],
          ["outdoor", "按舍外温度", "By outdoor temperature"],
        ]),
        required: false,
      },
      numberField("washGear", "冲洗档位", "Wash gear", "", [0, maxGears], false),
    ),
    command(
      "setTargetTemperature",
      "设目标温度",
      "Set target temperature",
      false,
      numberField("temperature", "目标温度", "Target temperature", "°C", [10, 35]),
    ),
    command(
      "setGear",
      "手动档位",
      "Set gear by hand",
      text(
        "风机立即按这个档位运行，到时间前不再按温度换档",
        "Fans run in this gear at once and don't follow the temperature until the time is over",
      ),
      numberField("gear", "档位", "Gear", "", [0, maxGears]),
      numberField("minutes", "时长", "Duration", "min", [1, 1440], false),
    ),
    command("resumeAutomatic", "恢复自动", "Back to automatic", false),
    command(
      "setFan",
      "单台风机开关",
      "Switch one fan",
      text("这台风机立即启动或停止；停机会减少通风", "This fan starts or stops at once; without it there is less air"),
      numberField("fan", "风机", "Fan", "", [1, fanCount]),
      flagField("on", "开", "On"),
    ),
    command("setLight", "开关灯", "Switch light", false, flagField("on", "开", "On")),
    command("setHeadCount", "设存栏", "Set head count", false, numberField("pigs", "存栏", "Pigs", "头", [0, 20000])),
    command(
      "testAlarm",
      "测试报警",
      "Test the siren",
      text("舍内警报器会响，先告诉现场的人", "The siren sounds in the house: tell those who are there first"),
    ),
    command(
      "restart",
      "重启控制器",
      "Restart controller",
      text(
        "控制器约 1 分钟不控制、不上报，风机保持在应急状态",
        "For about a minute the controller neither controls nor reports; fans stay in their emergency state",
      ),
    ),
  ],
  parameters: [
    choiceParameter("mode", "单元模式", "Unit mode", modeWords, "normal"),
    choiceParameter(
      "wash_fan",
      "冲洗时风机",
      "Fans while washing",
      [
        ["manual", "手动档位", "Manual gear"],
        ["outdoor", "按舍外温度", "By outdoor temperature"],
      ],
      "outdoor",
    ),
    numberParameter("wash_gear", "冲洗档位", "Wash gear", "", [0, maxGears], 3),
    numberParameter("t_target", "目标温度", "Target temperature", "°C", [10, 35], 20),
    numberParameter("rh_max", "湿度上限", "Highest humidity", "%", [40, 100], 85),
    numberParameter("comfort_band", "舒适带宽", "Comfort band", "K", [0.5, 6], 2),
    numberParameter("alarm_high_offset", "高温告警偏差", "High alarm offset", "K", [1, 15], 3),
    numberParameter("alarm_low_offset", "低温告警偏差", "Low alarm offset", "K", [1, 15], 3),
    numberParameter("alarm_high_limit", "高温绝对上限", "Highest temperature", "°C", [15, 45], 27),
    numberParameter("alarm_low_limit", "低温绝对下限", "Lowest temperature", "°C", [-10, 30], 13),
    numberParameter("alarm_inhibit_min", "升温抑制时间", "Alarm inhibit in warm-up", "min", [0, 240], 30),
    numberParameter("fan_rated_a", "风机额定电流", "Rated fan current", "A", [0.5, 20], ratedFanCurrentA),
    numberParameter("fan_capacity", "单台风机风量", "Air of one fan", "m³/h", [1000, 80000], 36000),
    numberParameter("sensor_offset", "温度探头修正", "Probe offset", "K", [-5, 5], 0),
    numberParameter("nh3_boost_gear", "氨气高时加档", "Extra gears on ammonia", "", [0, 6], 1),
    numberParameter("co2_boost_gear", "二氧化碳高时加档", "Extra gears on CO₂", "", [0, 6], 1),
    flagParameter("curve_enabled", "按日龄曲线", "Follow the day curve", false),
    structureParameter("day_curve", "日龄曲线", "Day curve", {
      maxRows: maxCurvePoints,
      columns: curveColumns,
      default: [],
      validate: checkDayCurve(curveColumns),
    }),
    structureParameter("fan_table", "风机配置", "Fan table", {
      maxRows: maxGears,
      columns: fanTableColumns,
      default: gearTable(20),
      validate: checkFanTable(fanTableColumns),
    }),
    structureParameter("min_ventilation", "最小通风", "Minimum ventilation", {
      columns: minimumVentilationColumns,
      default: { basis: "weight", value: 0.35, on_s: 60, off_s: 240 },
      validate: checkRecord(minimumVentilationColumns, (record) =>
        record.basis === "percent" && typeof record.value === "number" && record.value > 100
          ? [{ path: "value", zh: "百分比不能超过 100", en: "The share must not exceed 100 %" }]
          : [],
      ),
    }),
    structureParameter("lighting", "光照参数", "Lighting", {
      maxRows: maxGroups,
      columns: lightingColumns,
      default: [{ on: "07:00", off: "18:00", lux: 60, channel: 1 }],
      validate: checkTimeSpans({
        columns: lightingColumns,
        open: "on",
        close: "off",
        max: maxGroups,
        zh: "光照参数",
        en: "lighting groups",
        overlap: "allowed",
      }),
    }),
    structureParameter("control_periods", "控制时段", "Control periods", {
      maxRows: 12,
      columns: periodColumns,
      default: [],
      validate: checkTimeSpans({
        columns: periodColumns,
        open: "on",
        close: "off",
        max: 12,
        zh: "控制时段",
        en: "control periods",
        overlap: "forbidden",
      }),
    }),
  ],
  alarmRules,
  guides: environmentGuides,
  analytics: [
    analytic(
      "comfort_time",
      "舒适时间",
      "Comfort time",
      "%",
      "温度在舒适带内的分钟 ÷ 有猪且正常模式的分钟",
      "Minutes with the temperature in the comfort band ÷ minutes with pigs in normal mode",
    ),
    analytic(
      "thi_hours",
      "温湿指数时数",
      "THI hours",
      "h",
      "温湿指数不低于 74 的小时，并按区间分开",
      "Hours with a THI of 74 and more, and by its bands",
      { words: thiBands.map(({ band, name, from }) => bandWord(band, name, from)) },
    ),
    analytic(
      "ventilation_compliance",
      "通风达标率",
      "Ventilation compliance",
      "%",
      "档位在 档位表(温度) ±1 内（最小通风要更高档时按它）且通风量不低于最小通风的分钟占比",
      "Share of minutes with the gear within table(temperature) ±1, or of what the minimum needs, and m³/h·kg at least the minimum",
      { least: 80 },
    ),
    analytic(
      "gear_histogram",
      "档位分布",
      "Gear histogram",
      "h",
      "各档位运行小时；数值是最常用的档位",
      "Hours in each gear; the figure is that of the most used one",
      { part: text("{label} 档", "Gear {label}") },
    ),
    analytic(
      "degree_hours",
      "度时",
      "Degree hours",
      "K·h",
      "温度高于或低于目标 3 ℃ 以外部分对时间的积分",
      "Integral over time of what lies beyond 3 °C from the target",
      { words: named(["above", "偏热", "Too warm"], ["below", "偏冷", "Too cold"]) },
    ),
    analytic(
      "daily_range",
      "日最大温差",
      "Largest daily range",
      "K",
      "每日最高减最低温度",
      "Highest minus lowest of each day",
    ),
    analytic("energy_per_pig_day", "头日耗电", "Energy per pig-day", "kWh", "用电 ÷ 头日数", "Energy ÷ pig-days"),
    analytic("water_per_pig_day", "头日用水", "Water per pig-day", "L", "用水 ÷ 头日数", "Water ÷ pig-days"),
    analytic(
      "ammonia_hours",
      "氨气超标时数",
      "Ammonia hours",
      "h",
      "氨气高于 20 ppm 的小时",
      "Hours with ammonia above 20 ppm",
    ),
    analytic("override_hours", "手动时数", "Override hours", "h", "手动控制的小时", "Hours under manual control"),
    analytic(
      "probe_health",
      "探头健康",
      "Probe health",
      "%",
      "探头有效且与均值相差不超过 2 ℃ 的分钟占比，取最差的探头",
      "Share of minutes in which the probe is valid and within 2 °C of the mean; of the worst probe",
      { part: text("{label} 号探头", "Probe {label}") },
    ),
    analytic(
      "light_compliance",
      "光照达标率",
      "Light compliance",
      "%",
      "达到目标照度且时长足够的天数占比",
      "Share of days that reach the wanted light for the wanted hours",
    ),
    ...sharedAnalytics,
  ],
  judging: {
    keys: [
      "t_in",
      "rh",
      "nh3",
      "co2",
      "h2s",
      "thi",
      "dp",
      "gear",
      "fans_running",
      "fan_current_deviation",
      "probe_spread",
      "mains",
    ],
    shownAt: { gear_gap: "gear" },
    // In gears 1–2 fan 1 pauses most of the time, so one reading can't tell a pause from a failure.
    without: ["cycle_fan_off"],
    targets: { t_in: "t_target" },
    parameters: ["fan_rated_a"],
  },
  commissioning: {
    warmed: probeKeys,
    switched: fanGroups.map(([from, to]) => ({
      id: `fans_${from}_${to}`,
      name: text(`${from}–${to} 号风机`, `Fans ${from} to ${to}`),
      machines: fanNumbers
        .filter((number) => number >= from && number <= to)
        .map((fan) => ({
          method: "setFan",
          params: { fan, on: true },
          key: `fan_${fan}`,
          currentKey: `fan_${fan}_a`,
        })),
    })),
    release: "resumeAutomatic",
    settings: ["t_target", "alarm_high_limit", "alarm_low_limit", "fan_table"],
    curve: { flag: "curve_enabled", table: "day_curve" },
  },
};
