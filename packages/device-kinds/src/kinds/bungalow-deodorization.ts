/** Bungalow deodorization: a spray curtain at the fan end of a single-storey house. */
import {
  allOf,
  analytic,
  channelsOf,
  command,
  derivedFromReading,
  derivedOverWindow,
  event,
  flagField,
  flagParameter,
  hours,
  maintenance,
  minutes,
  named,
  numberField,
  numberParameter,
  reference,
  rule,
  section,
  text,
  when,
} from "../declare.ts";
import type { DeviceKind } from "../device-kind.ts";
import { bungalowDeodorizationGuides } from "../guides/bungalow-deodorization.ts";
import {
  ammoniaRemoval,
  dailyPeriods,
  pumpChannels,
  sharedAnalytics,
  sharedChannels,
  sharedRules,
  tankLevel,
  tankLow,
} from "../shared-parts.ts";
import { maxGroups } from "../validation.ts";

const spray = channelsOf(section("spray", "喷淋", "Spray"), 60);
const gas = channelsOf(section("gas", "气体", "Gas"), 60);
const boundary = channelsOf(section("boundary", "场界", "Boundary"), 60);

const states = [
  ["idle", "待机", "Idle"],
  ["running", "喷淋", "Spraying"],
  ["drained", "冬季排空", "Drained for winter"],
  ["fault", "故障", "Fault"],
] as const;

export const bungalowDeodorization: DeviceKind = {
  kind: "bungalow-deodorization",
  name: text("平房除臭", "Bungalow deodorization"),
  sort: 8,
  pages: {
    path: "clean/bungalowDeodorization",
    code: "bungalow",
    icon: "environment",
    title: text("平房除臭总览", "Bungalow deodorization overview"),
    ofFarm: true,
    figures: ["removal", "nh3_boundary", "h2s_boundary", "odour", "p", "flow", "tank"],
    summary: { removal: "lowest", nh3_boundary: "highest", h2s_boundary: "highest", odour: "highest", tank: "lowest" },
    keyAnalytics: ["removal", "boundary_compliance", "spray_hours"],
    parts: [
      { type: "strip", title: text("一天的状态", "States of the day"), of: "state", bad: ["fault"] },
      {
        type: "tanks",
        title: text("药剂余量", "Agents left"),
        tanks: [{ name: text("药箱", "Tank"), level: "tank" }],
      },
      {
        type: "records",
        title: text("喷淋记录", "Spray runs"),
        event: "spray_run",
        columns: ["duration_s", "litres", "trigger"],
      },
    ],
  },
  group: "clean",
  reportIntervalS: 60,
  offlineAfterS: minutes(15),
  states: named(...states),
  channels: [
    spray.words("state", "状态", "State", states),
    ...pumpChannels(spray, "喷淋泵", "Spray pump", 8),
    // Fog nozzles work at up to 6 MPa, fans with coarse drops at 0.3 MPa.
    spray.number("p", "管压", "Line pressure", "MPa", { valid: [0, 10], normal: [0.3, 6], decimals: 2 }),
    spray.number("flow", "流量", "Flow", "L/h", { valid: [0, 5000] }),
    spray.number("conc", "药剂浓度", "Agent concentration", "%", { valid: [0, 20], normal: [0.1, 2], decimals: 2 }),
    tankLevel(spray, "tank", "药箱", "Tank"),
    spray.flag("curtain_ok", "幕布完好", "Curtain intact"),
    spray.number("t_water", "管路温度", "Line temperature", "°C", { valid: [-40, 60], normal: [2, 35], decimals: 1 }),
    gas.number("nh3_before", "幕前氨气", "Ammonia before", "ppm", { valid: [0, 100], normal: [0, 20], decimals: 1 }),
    gas.number("nh3_after", "幕后氨气", "Ammonia after", "ppm", { valid: [0, 100], normal: [0, 10], decimals: 1 }),
    gas.number("h2s_before", "幕前硫化氢", "Hydrogen sulfide before", "ppm", {
      valid: [0, 50],
      normal: [0, 1],
      decimals: 2,
    }),
    gas.number("h2s_after", "幕后硫化氢", "Hydrogen sulfide after", "ppm", {
      valid: [0, 50],
      normal: [0, 0.5],
      decimals: 2,
    }),
    gas.number("gear", "风机档位", "Fan gear", "", { valid: [0, 18] }),
    boundary.number("wind", "风速", "Wind speed", "m/s", { valid: [0, 60], normal: [0, 8], decimals: 1 }),
    boundary.number("wind_dir", "风向", "Wind direction", "°", { valid: [0, 360] }),
    boundary.number("nh3_boundary", "场界氨", "Ammonia at boundary", "mg/m³", {
      valid: [0, 50],
      normal: [0, 1.5],
      decimals: 2,
    }),
    boundary.number("h2s_boundary", "场界硫化氢", "Hydrogen sulfide at boundary", "mg/m³", {
      valid: [0, 10],
      normal: [0, 0.06],
      decimals: 3,
    }),
    // How many times the air is diluted until nobody smells it (GB/T 14675).
    boundary.number("odour", "臭气浓度", "Odour", "倍", { valid: [0, 5000], normal: [0, 70] }),
    ...sharedChannels,
  ],
  derived: [
    ammoniaRemoval("nh3_before", "nh3_after", text("1 − 幕后 ÷ 幕前", "1 − after ÷ before")),
    derivedFromReading(
      "pressure_deviation",
      text("管压偏差", "Pressure deviation"),
      "%",
      0,
      ["p", "pump"],
      text("|管压 ÷ 额定 − 1|，泵运行时", "|Pressure ÷ rated − 1| while the pump runs"),
      (value, context) => {
        const pressure = value("p");
        const rated = context.parameters?.p_rated ?? 2;
        return value("pump") === true && typeof pressure === "number" && typeof rated === "number" && rated > 0
          ? Math.abs(pressure / rated - 1) * 100
          : undefined;
      },
    ),
    derivedOverWindow(
      "flow_30min",
      text("30 分钟平均流量", "Mean flow of 30 min"),
      "L/h",
      0,
      "flow",
      minutes(30),
      "mean",
      text("30 分钟内流量的均值", "Mean of the flow over 30 min"),
    ),
  ],
  events: [
    event(
      "spray_run",
      "喷淋",
      "Spray run",
      ["duration_s", "时长", "Duration", "s"],
      ["litres", "用量", "Amount", "L"],
      [
        "trigger",
        "触发",
        "Trigger",
        "",
        "text",
        [
          ["timer", "定时", "Timer"],
          ["nh3", "氨气", "Ammonia"],
          ["gear", "档位", "Gear"],
          ["manual", "手动", "By hand"],
        ],
      ],
    ),
    maintenance("winter_drain", "冬季排空", "Winter drain", ["t", "管路温度", "Line temperature", "°C"]),
    event("curtain_torn", "幕布破损", "Curtain torn"),
  ],
  commands: [
    command("setPump", "喷淋泵开关", "Switch the pump", false, flagField("on", "开", "On")),
    command(
      "winterDrain",
      "冬季排空",
      "Drain for winter",
      text(
        "喷淋停止，管路排空；重新注水前不再除臭",
        "Spraying stops and the lines are drained: no deodorization until they are filled again",
      ),
    ),
    command("setRatio", "设药剂比例", "Set agent ratio", false, numberField("ratio", "比例", "Ratio", "%", [0, 20])),
  ],
  parameters: [
    dailyPeriods("timers", text("定时", "Timers"), "timers", maxGroups, { on: "06:00", off: "22:00" }),
    numberParameter("trigger_nh3", "触发氨气", "Trigger ammonia", "ppm", [1, 50], 8),
    numberParameter("trigger_gear", "触发档位", "Trigger gear", "", [1, 18], 4),
    numberParameter("on_s", "喷淋开", "Spray on", "s", [5, 3600], 60),
    numberParameter("off_s", "喷淋停", "Spray off", "s", [5, 3600], 240),
    numberParameter("ratio", "药剂比例", "Agent ratio", "%", [0, 20], 0.5),
    numberParameter("fan_capacity", "单台风机风量", "Air of one fan", "m³/h", [1000, 80000], 36000),
    numberParameter("p_rated", "额定管压", "Rated pressure", "MPa", [0.1, 8], 2),
    flagParameter("winter_drain", "冬季自动排空", "Drain in frost", true),
  ],
  alarmRules: [
    rule("boundary_ammonia", "场界氨超限", "Ammonia at boundary", "MAJOR", when("nh3_boundary", "gt", 1.5), {
      after: minutes(30),
      source: reference("GB 14554 1.5 mg/m³"),
    }),
    rule(
      "boundary_sulfide",
      "场界硫化氢超限",
      "Hydrogen sulfide at boundary",
      "MAJOR",
      when("h2s_boundary", "gt", 0.06),
      {
        after: minutes(30),
        source: reference("GB 14554 0.06 mg/m³"),
      },
    ),
    rule("boundary_odour", "场界臭气超限", "Odour at boundary", "MAJOR", when("odour", "gt", 70), {
      after: minutes(30),
      source: reference("GB 18596: 70"),
    }),
    rule("no_flow", "泵开无流量", "Pump on, no flow", "MAJOR", allOf(when("pump", "eq", true), when("flow", "le", 0)), {
      after: 60,
    }),
    // The pump runs one minute in five, so a single report of a run must be enough.
    rule("pressure_off", "管压偏差", "Pressure off", "MINOR", when("pressure_deviation", "gt", 30)),
    tankLow("tank_low", "药箱少", "Tank low", "tank"),
    rule("frost", "冰冻危险", "Frost", "MAJOR", allOf(when("t_water", "lt", 2), when("state", "ne", "drained")), {
      after: minutes(5),
      hysteresis: { absolute: 0.5 },
    }),
    rule(
      "removal_low",
      "去除率低",
      "Removal low",
      "MINOR",
      // The curtain stays wet between two sprays, so the flow over half an hour tells whether it is in use.
      allOf(when("removal", "lt", 40), when("flow_30min", "gt", 0)),
      {
        after: hours(4),
        hysteresis: { absolute: 3 },
      },
    ),
    rule("curtain_torn", "幕布破损", "Curtain torn", "MINOR", when("curtain_ok", "eq", false), { after: minutes(5) }),
    ...sharedRules({
      offlineSeverity: "MINOR",
      offlineAfterS: minutes(15),
      supply: true,
      sensors: ["nh3_before", "nh3_after", "wind", "nh3_boundary"],
    }),
  ],
  guides: bungalowDeodorizationGuides,
  analytics: [
    analytic(
      "removal",
      "喷淋时氨去除率",
      "Ammonia removal while spraying",
      "%",
      "喷淋时和停喷后 30 分钟内的 1 − Σ幕后 ÷ Σ幕前",
      "1 − Σafter ÷ Σbefore, while spraying and for 30 min after",
      { least: 40 },
    ),
    analytic(
      "boundary_compliance",
      "场界达标率",
      "Boundary compliance",
      "%",
      "场界各项都在限内的小时占比",
      "Share of hours with all boundary figures inside the limits",
    ),
    analytic(
      "agent_per_air",
      "单位风量药剂",
      "Agent per 1000 m³",
      "L",
      "喷淋量 × 浓度 ÷ 千立方米风量，风量按档位与单台风机风量折算",
      "Sprayed × concentration ÷ 1000 m³ of air, which follows from the gear and the air of one fan",
    ),
    analytic("spray_hours", "喷淋时数", "Spray hours", "h", "各次喷淋时长之和", "Sum of the lengths of all runs"),
    analytic(
      "spray_share",
      "喷淋占风机时数",
      "Spray against fan hours",
      "%",
      "喷淋分钟 ÷ 风机运行分钟",
      "Minutes of spray ÷ minutes with fans",
    ),
    analytic("spray_litres", "喷淋用量", "Sprayed", "L", "各次喷淋用量之和", "Sum of the amounts of all runs"),
    ...sharedAnalytics,
  ],
  judging: {
    parameters: ["p_rated"],
    onlyWhile: { p: when("pump", "eq", true), flow: when("pump", "eq", true), removal: when("pump", "eq", true) },
  },
};
