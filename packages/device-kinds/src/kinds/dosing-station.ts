/** Dosing stations: tanks, valves, flow meters and pumps that mix and send out disinfectant. */
import {
  allOf,
  analytic,
  anyOf,
  channelsOf,
  command,
  derivedFromReading,
  detect,
  event,
  flagField,
  maintenance,
  minutes,
  named,
  numberField,
  numberParameter,
  onEvent,
  rule,
  section,
  structureParameter,
  text,
  textField,
  when,
} from "../declare.ts";
import type { AlarmRule, Channel, DeviceKind, ReportedValue } from "../device-kind.ts";
import { dosingStationGuides } from "../guides/dosing-station.ts";
import { sharedAnalytics, sharedChannels, sharedRules } from "../shared-parts.ts";
import { checkTable, checkTimeSpans } from "../validation.ts";

/** A station as delivered: three tanks, four valves, two flow meters, two pumps [A]. */
export const dosingTanks = [1, 2, 3] as const;
export const dosingValves = [1, 2, 3, 4] as const;
export const dosingFlowMeters = [1, 2] as const;
export const dosingPumps = [1, 2] as const;

const station = channelsOf(section("station", "站点", "Station"), 60);
const tanks = channelsOf(section("tanks", "药罐", "Tanks"), 60);
const valves = channelsOf(section("valves", "阀门", "Valves"), 60);
const flow = channelsOf(section("flow", "流量", "Flow"), 60);
const pumps = channelsOf(section("pumps", "泵", "Pumps"), 60);
const percent = [0, 100] as const;

const states = [
  ["idle", "待机", "Idle"],
  ["preparing", "准备", "Preparing"],
  ["mixing", "混合", "Mixing"],
  ["dispensing", "输送", "Dispensing"],
  ["flushing", "冲洗", "Flushing"],
  ["alarm", "报警", "Alarm"],
  ["maint", "维护", "Maintenance"],
  ["estop", "急停", "Emergency stop"],
] as const;

const channels: readonly Channel[] = [
  station.words("state", "状态", "State", states),
  // Ranges of all recipes together: plain water conducts less, and beyond 2 or 12.5 a mix corrodes (GB 5085.1).
  station.number("mix_ec", "混合液电导率", "Mix conductivity", "mS/cm", {
    valid: [0, 200],
    normal: [1, 50],
    decimals: 2,
  }),
  station.number("mix_ph", "混合液 pH", "Mix pH", "", { valid: [0, 14], normal: [2, 12.5], decimals: 2 }),
  station.number("p", "管压", "Line pressure", "MPa", { valid: [0, 1.6], normal: [0, 0.6], decimals: 2 }),
  station.words("batch", "当前批次", "Current batch"),
  ...dosingTanks.flatMap((number) => [
    tanks.number(`tank_${number}`, `${number} 号罐液位`, `Tank ${number} level`, "%", {
      valid: percent,
      normal: [20, 95],
      decimals: 1,
    }),
    tanks.number(`tank_${number}_l`, `${number} 号罐余量`, `Tank ${number} amount`, "L", {
      valid: [0, 5000],
      decimals: 1,
    }),
    tanks.number(`tank_${number}_conc`, `${number} 号罐浓度`, `Tank ${number} concentration`, "%", {
      valid: percent,
      decimals: 2,
    }),
    tanks.number(`tank_${number}_t`, `${number} 号罐温度`, `Tank ${number} temperature`, "°C", {
      valid: [-20, 80],
      normal: [5, 35],
      decimals: 1,
    }),
    tanks.flag(`tank_${number}_agitator`, `${number} 号罐搅拌`, `Tank ${number} agitator`),
    tanks.words(`tank_${number}_batch`, `${number} 号罐批号`, `Tank ${number} lot`, undefined, 300),
    tanks.number(`tank_${number}_days_left`, `${number} 号罐有效期`, `Tank ${number} days to expiry`, "d", {
      valid: [-3650, 3650],
      normal: [7, 365],
      intervalS: 300,
    }),
  ]),
  ...dosingValves.flatMap((number) => [
    valves.flag(`valve_${number}_cmd`, `${number} 号阀指令`, `Valve ${number} wanted`),
    valves.flag(`valve_${number}`, `${number} 号阀`, `Valve ${number} open`),
    valves.number(`valve_${number}_travel`, `${number} 号阀行程时间`, `Valve ${number} travel`, "s", {
      valid: [0, 120],
      normal: [3, 15],
      decimals: 1,
      intervalS: 300,
    }),
    valves.number(`valve_${number}_cycles`, `${number} 号阀次数`, `Valve ${number} cycles`, "", {
      valid: [0, 1e7],
      cumulative: true,
      intervalS: 300,
    }),
  ]),
  ...dosingFlowMeters.flatMap((number) => [
    flow.number(`flow_${number}`, `${number} 号流量计`, `Flow ${number}`, "L/h", {
      valid: [0, 1000],
      normal: [0, 500],
      decimals: 1,
    }),
    flow.number(`flow_${number}_total`, `${number} 号累计`, `Flow ${number}, total`, "L", {
      valid: [0, 1e8],
      decimals: 1,
      cumulative: true,
    }),
    flow.flag(`flow_${number}_empty`, `${number} 号空管`, `Pipe ${number} empty`),
  ]),
  ...dosingPumps.flatMap((number) => [
    pumps.number(`pump_${number}_hz`, `${number} 号泵频率`, `Pump ${number} frequency`, "Hz", {
      valid: [0, 60],
      decimals: 1,
    }),
    pumps.number(`pump_${number}_a`, `${number} 号泵电流`, `Pump ${number} current`, "A", {
      valid: [0, 30],
      decimals: 2,
    }),
    pumps.number(`pump_${number}_h`, `${number} 号泵工时`, `Pump ${number} hours`, "h", {
      valid: [0, 1e6],
      decimals: 1,
      cumulative: true,
      intervalS: 300,
    }),
  ]),
  ...sharedChannels,
];

const recipeColumns = [
  textField("name", "配方", "Recipe"),
  numberField("tank", "药罐", "Tank", "", [1, 3]),
  numberField("ratio", "比例", "Ratio", "%", [0.01, 20]),
];
const scheduleColumns = [
  textField("on", "开始", "From"),
  textField("off", "结束", "To"),
  textField("recipe", "配方", "Recipe"),
  numberField("litres", "目标量", "Target", "L", [1, 5000]),
];
const interlockColumns = [
  numberField("first", "药罐", "Tank", "", [1, 3]),
  numberField("second", "互斥药罐", "Excluded tank", "", [1, 3]),
];

/** Valves whose feedback differs from their command. */
const wrongValves = (value: (key: string) => ReportedValue | undefined): number[] =>
  dosingValves.filter((number) => {
    const [open, wanted] = [value(`valve_${number}`), value(`valve_${number}_cmd`)];
    return open !== undefined && wanted !== undefined && open !== wanted;
  });

const travelLimit = 20;
const perTank = (build: (number: number) => readonly AlarmRule[]): readonly AlarmRule[] => dosingTanks.flatMap(build);

export const dosingStation: DeviceKind = {
  kind: "dosing-station",
  name: text("配药站", "Dosing station"),
  sort: 9,
  pages: {
    path: "clean/dosingStation",
    code: "dosing",
    icon: "flask",
    title: text("配药站总览", "Dosing station overview"),
    ofFarm: true,
    figures: ["tank_1", "tank_2", "tank_3", "flow_sum", "p", "mix_ph", "mix_ec"],
    summary: { tank_1: "lowest", tank_2: "lowest", tank_3: "lowest", flow_sum: "sum" },
    keyAnalytics: ["dose_accuracy", "stock_days", "flush_compliance"],
    parts: [
      { type: "strip", title: text("一天的状态", "States of the day"), of: "state", bad: ["alarm", "estop"] },
      {
        type: "tanks",
        title: text("药罐余量", "Stock"),
        stock: "stock_days",
        tanks: dosingTanks.map((number) => ({
          name: text(`${number} 号罐`, `Tank ${number}`),
          level: `tank_${number}`,
          amount: `tank_${number}_l`,
          daysLeft: `tank_${number}_days_left`,
          lot: `tank_${number}_batch`,
        })),
      },
      {
        type: "records",
        title: text("批次记录", "Batches"),
        event: "batch",
        columns: ["recipe", "dest", "target_l", "actual_l", "deviation"],
        good: { field: "result", words: ["ok"] },
        within: { field: "deviation", percent: 5 },
      },
    ],
  },
  group: "clean",
  // 10 s while running.
  reportIntervalS: 60,
  offlineAfterS: minutes(10),
  states: named(...states),
  channels,
  derived: [
    derivedFromReading(
      "flow_sum",
      text("总流量", "Total flow"),
      "L/h",
      1,
      ["flow_1", "flow_2"],
      text("各流量计之和", "Sum of the meters"),
      (value) => {
        const parts = dosingFlowMeters
          .map((number) => value(`flow_${number}`))
          .filter((part) => typeof part === "number");
        return parts.length === 0 ? undefined : parts.reduce((sum, part) => sum + part, 0);
      },
    ),
    derivedFromReading(
      "valves_open",
      text("打开的阀", "Valves open"),
      "",
      0,
      dosingValves.map((number) => `valve_${number}`),
      text("打开的阀数", "Number of open valves"),
      (value) => {
        const known = dosingValves
          .map((number) => value(`valve_${number}`))
          .filter((open) => typeof open === "boolean");
        return known.length === 0 ? undefined : known.filter(Boolean).length;
      },
    ),
    derivedFromReading(
      "valves_wrong",
      text("未到位的阀", "Valves not in place"),
      "",
      0,
      dosingValves.flatMap((number) => [`valve_${number}`, `valve_${number}_cmd`]),
      text("反馈与指令不同的阀数", "Valves whose feedback differs from the command"),
      (value) => wrongValves(value).length,
    ),
    derivedFromReading(
      "pumps_on",
      text("运行的泵", "Pumps on"),
      "",
      0,
      dosingPumps.map((number) => `pump_${number}_hz`),
      text("频率大于 0 的泵数", "Pumps with a frequency above 0"),
      (value) => {
        const known = dosingPumps.map((number) => value(`pump_${number}_hz`)).filter((hz) => typeof hz === "number");
        return known.length === 0 ? undefined : known.filter((hz) => hz > 0).length;
      },
    ),
  ],
  events: [
    event(
      "batch",
      "配药批次",
      "Batch",
      ["recipe", "配方", "Recipe"],
      ["dest", "去向", "Destination"],
      ["target_l", "目标量", "Target", "L"],
      ["actual_l", "实际量", "Actual", "L"],
      ["deviation", "偏差", "Deviation", "%"],
      ["start", "开始", "Start", "", "time"],
      ["end", "结束", "End", "", "time"],
      ["concentration_deviation", "浓度偏差", "Concentration deviation", "%"],
      [
        "result",
        "结果",
        "Result",
        "",
        "text",
        [
          ["ok", "合格", "Good"],
          ["timeout", "超时", "Timed out"],
          ["aborted", "中止", "Aborted"],
        ],
      ],
    ),
    maintenance(
      "refill",
      "补药",
      "Refill",
      ["tank", "药罐", "Tank", "", "number"],
      ["litres", "加入", "Added", "L"],
      ["lot", "批号", "Lot"],
    ),
    event("overfill", "溢液", "Overfill", ["tank", "药罐", "Tank", "", "number"]),
    event("flush", "冲洗", "Flush", ["duration_s", "时长", "Duration", "s"]),
    event("estop", "急停", "Emergency stop", ["by", "来源", "By"]),
  ],
  commands: [
    command(
      "startBatch",
      "启动批次",
      "Start batch",
      text(
        "阀门按联锁打开，泵启动，按配方取药并送到去向",
        "Valves open by their interlocks, pumps start, and the batch goes to its destination",
      ),
      textField("recipe", "配方", "Recipe"),
      textField("dest", "去向", "Destination"),
      numberField("litres", "目标量", "Target", "L", [1, 5000]),
    ),
    command(
      "stop",
      "停止",
      "Stop",
      text(
        "阀全关，泵停；混合液留在罐里，本批按中止记录",
        "All valves close and pumps stop: the mix stays in the tank and the batch counts as broken off",
      ),
    ),
    command(
      "setValve",
      "阀门开关",
      "Switch a valve",
      text(
        "阀门立即动作，药液可能流出；确认管路已接好",
        "The valve moves at once and liquid may flow: the line must be connected",
      ),
      numberField("valve", "阀", "Valve", "", [1, 4]),
      flagField("open", "开", "Open"),
    ),
    command(
      "setPump",
      "泵频率",
      "Pump frequency",
      text("泵立即以这个频率运行；0 为停泵", "The pump runs at this frequency at once; 0 stops it"),
      numberField("pump", "泵", "Pump", "", [1, 2]),
      numberField("hz", "频率", "Frequency", "Hz", [0, 50]),
    ),
    command(
      "setRatio",
      "设比例",
      "Set ratio",
      text("下一批起按新比例配药", "Batches are mixed at the new ratio from the next one on"),
      numberField("ratio", "比例", "Ratio", "%", [0.01, 20]),
    ),
    command("prime", "灌泵", "Prime", false, numberField("pump", "泵", "Pump", "", [1, 2])),
    command("flush", "冲洗", "Flush", false),
    command(
      "calibrate",
      "校准流量系数",
      "Calibrate the K factor",
      text(
        "流量按新系数计量，之后的批次用量随之改变",
        "Flow is measured with the new factor, and amounts of later batches change with it",
      ),
      numberField("meter", "流量计", "Meter", "", [1, 2]),
      numberField("k", "系数", "K", "", [0.5, 2]),
    ),
    command(
      "acknowledgeRefill",
      "确认补药",
      "Acknowledge refill",
      false,
      numberField("tank", "药罐", "Tank", "", [1, 3]),
    ),
    command(
      "emergencyStop",
      "急停",
      "Emergency stop",
      text(
        "所有泵和阀立即停止；只能在现场确认后复位",
        "All pumps and valves stop at once; to be reset only after a look on site",
      ),
    ),
    command(
      "resetEmergencyStop",
      "急停复位",
      "Reset emergency stop",
      text(
        "设备可以重新启动；确认现场无人操作、故障已排除",
        "Machines may start again: nobody may be at work there, and the fault must be gone",
      ),
    ),
  ],
  parameters: [
    structureParameter("recipes", "配方", "Recipes", {
      maxRows: 20,
      columns: recipeColumns,
      default: [{ name: "洗消", tank: 1, ratio: 1 }],
      validate: checkTable(recipeColumns, 20, "配方", "recipes"),
    }),
    structureParameter("schedule", "配药计划", "Schedule", {
      maxRows: 12,
      columns: scheduleColumns,
      default: [],
      validate: checkTimeSpans({
        columns: scheduleColumns,
        open: "on",
        close: "off",
        max: 12,
        zh: "配药计划",
        en: "schedule rows",
        overlap: "forbidden",
      }),
    }),
    structureParameter("exclusions", "互斥药罐", "Excluded pairs", {
      maxRows: 3,
      columns: interlockColumns,
      default: [{ first: 1, second: 2 }],
      validate: (value) => {
        const problems = checkTable(interlockColumns, 3, "互斥药罐", "pairs")(value);
        if (problems.length > 0 || !Array.isArray(value)) return problems;
        return value.flatMap((row: { first: number; second: number }, index) =>
          row.first === row.second
            ? [{ path: `${index}.second`, zh: "不能与自身互斥", en: "A tank cannot exclude itself" }]
            : [],
        );
      },
    }),
    numberParameter("ratio", "默认比例", "Default ratio", "%", [0.01, 20], 1),
    numberParameter("flush_s", "批后冲洗", "Flush after a batch", "s", [0, 1800], 60),
    numberParameter("batch_timeout_min", "批次超时", "Batch timeout", "min", [1, 600], 60),
    numberParameter("k_1", "1 号流量系数", "K of meter 1", "", [0.5, 2], 1),
    numberParameter("k_2", "2 号流量系数", "K of meter 2", "", [0.5, 2], 1),
  ],
  alarmRules: [
    rule("valve_not_in_place", "阀未到位", "Valve not in place", "MAJOR", when("valves_wrong", "gt", 0), {
      // The longest usual valve travel of 15 s, plus 5 s.
      after: travelLimit,
      named: (value) => {
        const wrong = wrongValves(value);
        return wrong.length === 0
          ? undefined
          : text(
              `${wrong.join("、")} 号阀未到位`,
              wrong.length === 1 ? `Valve ${wrong[0]} not in place` : `Valves ${wrong.join(", ")} not in place`,
            );
      },
    }),
    rule(
      "flow_with_valves_closed",
      "阀全关仍有流量",
      "Flow with all valves closed",
      "CRITICAL",
      allOf(when("flow_sum", "gt", 1), when("valves_open", "eq", 0)),
      { after: 10, safety: true },
    ),
    rule(
      "no_flow",
      "泵开无流量",
      "Pump on, no flow",
      "MAJOR",
      allOf(when("flow_sum", "le", 0), when("pumps_on", "gt", 0), when("valves_open", "gt", 0)),
      { after: 30 },
    ),
    rule(
      "dose_off",
      "配药偏差",
      "Dose off",
      "MINOR",
      anyOf(onEvent("batch", ["deviation", "gt", 5]), onEvent("batch", ["deviation", "lt", -5])),
    ),
    rule(
      "dose_far_off",
      "配药偏差大",
      "Dose far off",
      "MAJOR",
      anyOf(onEvent("batch", ["deviation", "gt", 10]), onEvent("batch", ["deviation", "lt", -10])),
    ),
    ...perTank((number) => [
      rule(`tank_${number}_low`, `${number} 号罐少`, `Tank ${number} low`, "WARN", when(`tank_${number}`, "lt", 20), {
        after: minutes(2),
      }),
      rule(
        `tank_${number}_empty`,
        `${number} 号罐将空`,
        `Tank ${number} almost empty`,
        "CRITICAL",
        when(`tank_${number}`, "lt", 5),
        { after: minutes(2) },
      ),
      rule(
        `tank_${number}_expired`,
        `${number} 号罐药剂过期`,
        `Tank ${number} expired`,
        "MAJOR",
        when(`tank_${number}_days_left`, "lt", 0),
        { hysteresis: { absolute: 0 } },
      ),
    ]),
    rule("overfill", "溢液", "Overfill", "CRITICAL", onEvent("overfill"), { safety: true }),
    rule(
      "concentration_off",
      "浓度偏差",
      "Concentration off",
      "MAJOR",
      anyOf(
        onEvent("batch", ["concentration_deviation", "gt", 10]),
        onEvent("batch", ["concentration_deviation", "lt", -10]),
      ),
    ),
    rule("batch_timeout", "批次超时", "Batch timed out", "MAJOR", onEvent("batch", ["result", "eq", "timeout"])),
    rule(
      "mass_balance",
      "物料不平衡",
      "Mass balance off",
      "WARN",
      detect("mass-balance", ["tank_1_l", "tank_2_l", "tank_3_l", "flow_1_total", "flow_2_total"], {
        window_s: 86400,
        beyond_percent: 3,
      }),
    ),
    rule("emergency_stop", "急停", "Emergency stop", "CRITICAL", when("state", "eq", "estop"), { safety: true }),
    ...sharedRules({
      offlineSeverity: "MAJOR",
      offlineAfterS: minutes(10),
      supply: true,
      sensors: ["p", "mix_ec", "mix_ph"],
    }),
  ],
  guides: dosingStationGuides,
  analytics: [
    analytic(
      "dose_accuracy",
      "配药准确度",
      "Dose accuracy",
      "%",
      "1 − |实际 − 目标| ÷ 目标 的均值",
      "Mean of 1 − |actual − target| ÷ target",
    ),
    analytic(
      "on_schedule",
      "按计划率",
      "On schedule",
      "%",
      "按计划时段启动的批次占比",
      "Share of batches started in their period",
    ),
    analytic(
      "batches_within",
      "偏差 ±5 % 内",
      "Within ±5 %",
      "%",
      "偏差不超过 5 % 的批次占比",
      "Share of batches whose deviation is at most 5 %",
    ),
    analytic("use", "用药", "Use", "L", "实际量之和，按去向", "Sum of the actual amounts, by destination", {
      part: text("去向 {label}", "To {label}"),
    }),
    analytic("use_per_pig", "头均用药", "Use per pig", "L", "实际量之和 ÷ 存栏", "Sum of the actual amounts ÷ pigs"),
    analytic(
      "use_per_volume",
      "单位容积用药",
      "Use per m³",
      "L",
      "实际量之和 ÷ 所服务单元的容积（m³）",
      "Sum of the actual amounts ÷ volume of the units that are served (m³)",
    ),
    analytic(
      "stock_days",
      "可用天数",
      "Days of stock",
      "d",
      "余量 ÷ 所选时段日均用量，取最少的罐",
      "Left ÷ mean daily use of the span, of the tank with the least",
      { part: text("{label} 号罐", "Tank {label}") },
    ),
    analytic(
      "valve_life",
      "阀门寿命",
      "Valve life",
      "次",
      "10 万次更换，减已动作次数",
      "Replace at 100 000 cycles, minus those done",
      { part: text("{label} 号阀", "Valve {label}") },
    ),
    analytic(
      "mass_balance",
      "物料平衡",
      "Mass balance",
      "%",
      "(罐液减少 − 流量累计) ÷ 流量累计",
      "(Tank decrease − flow) ÷ flow",
    ),
    analytic(
      "flush_compliance",
      "冲洗合规",
      "Flush compliance",
      "%",
      "批后按时冲洗的批次占比",
      "Share of batches flushed in time",
    ),
    ...sharedAnalytics,
  ],
  // What stands in the pipes and in the tank between two batches is no mix.
  judging: {
    onlyWhile: Object.fromEntries(["flow_sum", "mix_ph", "mix_ec"].map((key) => [key, when("pumps_on", "gt", 0)])),
  },
};
