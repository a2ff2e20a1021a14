/** Weighbridges: lorries on a scale at the gate of a farm, with a ticket for each weighing. */
import {
  allOf,
  analytic,
  anyOf,
  channelsOf,
  choiceField,
  command,
  derivedFromReading,
  event,
  flagField,
  flagParameter,
  maintenance,
  minutes,
  named,
  numberParameter,
  onEvent,
  parameterLimit,
  rule,
  section,
  text,
  textField,
  when,
} from "../declare.ts";
import type { DeviceKind } from "../device-kind.ts";
import { weighbridgeGuides } from "../guides/weighbridge.ts";
import { sharedAnalytics, sharedChannels, sharedRules } from "../shared-parts.ts";

const scale = channelsOf(section("scale", "称重", "Weighing"), 60);
const cells = channelsOf(section("cells", "传感器", "Load cells"), 60);

/** Load cells under the platform, one at each corner. */
export const weighbridgeCells = [1, 2, 3, 4] as const;

const states = [
  ["idle", "空秤", "Empty"],
  ["weighing", "称重中", "Weighing"],
  ["overload", "超载", "Overloaded"],
  ["fault", "故障", "Fault"],
] as const;

const stabilities = [
  ["stable", "稳定", "Stable"],
  ["unstable", "未稳定", "Not stable"],
] as const;

/** A lorry comes in and goes out; which of the two is the loaded one depends on whether it is loaded or unloaded here. */
const phases = [
  ["in", "进场", "In"],
  ["out", "出场", "Out"],
] as const;

export const weighbridge: DeviceKind = {
  kind: "weighbridge",
  name: text("地磅", "Weighbridge"),
  sort: 10,
  pages: {
    path: "biosafety/weighbridge",
    code: "scale",
    icon: "scale",
    title: text("地磅总览", "Weighbridge overview"),
    ofFarm: true,
    figures: ["weight", "zero_kg", "cell_spread", "cal_days", "load"],
    summary: { cell_spread: "highest", cal_days: "lowest" },
    keyAnalytics: ["weighings", "net_total", "turnaround"],
    parts: [
      { type: "strip", title: text("一天的状态", "States of the day"), of: "state", bad: ["overload", "fault"] },
      {
        type: "records",
        title: text("磅单", "Tickets"),
        event: "weighed",
        onOverview: true,
        columns: ["plate", "phase", "weight_g", "ticket", "zero_kg", "calibrated_until"],
        good: { field: "stability", words: ["stable"] },
      },
    ],
  },
  group: "biosafety",
  // 10 s while a vehicle is on the platform.
  reportIntervalS: 60,
  offlineAfterS: minutes(15),
  states: named(...states),
  channels: [
    scale.words("state", "状态", "State", states),
    scale.number("weight", "当前重量", "Weight", "kg", { valid: [-500, 150_000], step: true }),
    scale.words("stable", "稳定", "Stability", stabilities),
    scale.number("zero_kg", "零点偏移", "Zero offset", "kg", { valid: [-2000, 2000], normal: [-20, 20], decimals: 1 }),
    scale.number("on_scale_s", "在秤时长", "On the scale for", "s", { valid: [0, 86_400] }),
    scale.words("ticket", "最近磅单号", "Last ticket"),
    scale.words("plate", "最近车牌", "Last plate"),
    scale.number("tickets", "累计磅单", "Tickets, total", "次", { valid: [0, 1e8], cumulative: true, intervalS: 300 }),
    scale.number("cal_days", "检定剩余", "Calibration valid for", "d", {
      valid: [-3650, 3650],
      normal: [30, 730],
      intervalS: 300,
    }),
    ...weighbridgeCells.map((cell) =>
      cells.number(`cell_${cell}`, `${cell} 号传感器`, `Load cell ${cell}`, "kg", {
        valid: [-500, 60_000],
        decimals: 1,
      }),
    ),
    cells.number("cell_spread", "传感器偏差", "Spread of load cells", "%", {
      valid: [0, 100],
      normal: [0, 15],
      decimals: 1,
    }),
    cells.number("t_box", "接线盒温度", "Junction box temperature", "°C", {
      valid: [-39, 80],
      normal: [-20, 60],
      decimals: 1,
    }),
    ...sharedChannels,
  ],
  derived: [
    derivedFromReading(
      "load",
      text("量程占用", "Share of capacity"),
      "%",
      0,
      ["weight"],
      text("当前重量 ÷ 最大秤量", "Weight ÷ capacity"),
      (value, { parameters }) => {
        const [weight, capacity] = [value("weight"), Number(parameters?.capacity_kg ?? 120_000)];
        return typeof weight === "number" && capacity > 0 ? (100 * weight) / capacity : undefined;
      },
    ),
  ],
  events: [
    event(
      "weighed",
      "称重",
      "Weighed",
      ["ticket", "磅单号", "Ticket"],
      ["plate", "车牌", "Plate"],
      ["phase", "进出", "In or out", "", "text", phases],
      ["weight_g", "重量", "Weight", "g"],
      ["zero_kg", "零点偏移", "Zero offset", "kg"],
      ["stability", "稳定", "Stability", "", "text", stabilities],
      ["calibrated_until", "检定有效到", "Calibrated until", "", "time"],
    ),
    event("overload", "超载", "Overload", ["plate", "车牌", "Plate"], ["weight_kg", "重量", "Weight", "kg"]),
    maintenance("zeroed", "置零", "Zeroed", ["before_kg", "置零前偏移", "Offset before", "kg"]),
    maintenance(
      "calibrated",
      "检定",
      "Calibrated",
      ["operator", "检定人", "By"],
      ["reference_kg", "标准砝码", "Reference weight", "kg"],
      ["error_kg", "示值误差", "Error", "kg"],
      ["until", "有效到", "Valid until", "", "time"],
    ),
  ],
  commands: [
    command(
      "zero",
      "置零",
      "Set to zero",
      text(
        "空秤的读数归零，之后的每一张磅单都按新零点；秤台上有东西时会被拒绝",
        "The empty scale reads zero, and every later ticket follows it; refused while something is on the platform",
      ),
    ),
    command(
      "weigh",
      "称重出单",
      "Weigh now",
      text(
        "按秤台上的重量出一张磅单，磅单会用于订单结算",
        "Issues a ticket with the weight that is on the platform, which orders are settled by",
      ),
      textField("plate", "车牌", "Plate"),
      choiceField("phase", "进出", "In or out", phases),
    ),
    command(
      "setGate",
      "道闸",
      "Gate",
      text("道闸会动，杆下不能有人和车", "The gate moves; nobody and nothing may be under it"),
      flagField("open", "打开", "Open"),
    ),
  ],
  parameters: [
    numberParameter("capacity_kg", "最大秤量", "Capacity", "kg", [10_000, 150_000], 120_000),
    numberParameter("division_kg", "分度值", "Division", "kg", [1, 100], 20),
    numberParameter("zero_limit_kg", "零点允许偏移", "Largest zero offset", "kg", [1, 200], 20),
    numberParameter("stable_s", "稳定时长", "Time to be stable", "s", [1, 30], 3),
    flagParameter("plate_camera", "车牌识别", "Plate recognition", true),
  ],
  alarmRules: [
    rule("overload", "超载", "Overloaded", "MAJOR", when("weight", "gt", parameterLimit("capacity_kg")), {
      hysteresis: { percent: 2 },
    }),
    rule(
      "not_zeroed",
      "没有归零",
      "Not at zero",
      "MAJOR",
      anyOf(
        when("zero_kg", "gt", parameterLimit("zero_limit_kg")),
        when("zero_kg", "lt", parameterLimit("zero_limit_kg", -1)),
      ),
      { after: minutes(5) },
    ),
    rule("calibration_soon", "检定快到期", "Calibration ends soon", "WARN", when("cal_days", "lt", 30), {
      hysteresis: { absolute: 1 },
    }),
    rule("calibration_expired", "检定过期", "Calibration expired", "MAJOR", when("cal_days", "lt", 0), {
      hysteresis: { absolute: 1 },
    }),
    rule(
      "unstable",
      "称不稳",
      "Does not settle",
      "MINOR",
      allOf(when("state", "eq", "weighing"), when("stable", "eq", "unstable")),
      { after: minutes(5) },
    ),
    rule(
      "weighed_unstable",
      "未稳定就出单",
      "Ticket of an unstable weight",
      "MAJOR",
      onEvent("weighed", ["stability", "eq", "unstable"]),
    ),
    rule(
      "cells_uneven",
      "传感器受力不匀",
      "Load cells differ",
      "MINOR",
      allOf(when("cell_spread", "gt", 30), when("state", "eq", "weighing")),
      { after: minutes(3) },
    ),
    rule("left_on_scale", "车停在秤上", "Vehicle left on the scale", "WARN", when("on_scale_s", "gt", 1800), {
      hysteresis: { absolute: 600 },
    }),
    rule("plate_missing", "车牌没有识别", "Plate not read", "WARN", onEvent("weighed", ["plate", "eq", ""])),
    ...sharedRules({ offlineSeverity: "MINOR", offlineAfterS: minutes(15), supply: true, sensors: ["t_box"] }),
  ],
  guides: weighbridgeGuides,
  analytics: [
    analytic("weighings", "称重次数", "Weighings", "次", "磅单数，按进出", "Number of tickets, in and out", {
      labels: { event: "weighed", field: "phase" },
    }),
    analytic(
      "net_total",
      "净重合计",
      "Net weight",
      "kg",
      "同一车牌一进一出两张磅单之差的绝对值之和",
      "Sum of the differences between the tickets in and out of a plate",
    ),
    analytic(
      "turnaround",
      "在场时长",
      "Turnaround",
      "min",
      "同一车牌从进场到出场磅单的时间，中位数",
      "Median of the time from the ticket in to the ticket out of a plate",
    ),
    analytic(
      "stable_share",
      "稳定占比",
      "Stable tickets",
      "%",
      "稳定的磅单 ÷ 全部磅单",
      "Stable tickets ÷ all tickets",
      {
        least: 98,
      },
    ),
    analytic("peak_load", "高峰负荷", "Peak load", "次/h", "最忙一小时的磅单数", "Tickets of the busiest hour"),
    analytic(
      "zero_worst",
      "零点最大偏移",
      "Largest zero offset",
      "kg",
      "每分钟零点偏移绝对值的最大值",
      "Largest absolute zero offset of all minutes",
    ),
    ...sharedAnalytics,
  ],
};
