/** Herd temperature: infrared rounds on a rail, or tags. */
import {
  analytic,
  channelsOf,
  command,
  derivedOverWindow,
  detect,
  event,
  flagField,
  hours,
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
import type { DeviceKind } from "../device-kind.ts";
import { temperatureGuides } from "../guides/temperature.ts";
import { portableChannels, sharedAnalytics, sharedRules } from "../shared-parts.ts";
import { checkRecord, checkTable } from "../validation.ts";

const herd = channelsOf(section("herd", "群体体温", "Herd temperature"), 3600);
const scan = channelsOf(section("scan", "巡测", "Rounds"), 60);

const roundColumns = [textField("at", "开始时间", "Start"), numberField("pens", "栏数", "Pens", "", [1, 200])];
const routeColumns = [
  numberField("pen", "栏", "Pen", "", [1, 200]),
  numberField("position_m", "位置", "Position", "m", [0, 200]),
];
const regionColumns = [
  numberField("x", "横向", "Left", "%", [0, 100]),
  numberField("y", "纵向", "Top", "%", [0, 100]),
  numberField("width", "宽", "Width", "%", [1, 100]),
  numberField("height", "高", "Height", "%", [1, 100]),
];

export const temperature: DeviceKind = {
  kind: "temperature",
  name: text("群体测温", "Herd temperature"),
  sort: 4,
  pages: {
    path: "vet/temperature",
    code: "temp",
    icon: "thermometer",
    title: text("群体测温总览", "Herd temperature overview"),
    figures: ["fever_share", "mean", "p95", "scanned", "t_amb", "bb_drift"],
    summary: { fever_share: "highest", mean: "highest", p95: "highest", scanned: "lowest", bb_drift: "highest" },
    keyAnalytics: ["fever_curve", "scan_coverage", "growth"],
    parts: [
      { type: "strip", title: text("一天的状态", "States of the day"), of: "state", bad: ["jam", "fault"] },
      { type: "grid", title: text("怎么扩开", "How it spreads"), analytic: "pen_map", as: "pens" },
      {
        type: "records",
        title: text("巡测轮次", "Round records"),
        event: "round_end",
        columns: ["n", "fever", "scanned"],
        least: { field: "scanned", value: 80 },
      },
      {
        type: "records",
        title: text("发热个体", "Fever cases"),
        event: "fever_case",
        columns: ["pen", "pig", "t_core_est", "times_4h"],
      },
    ],
  },
  group: "health",
  reportIntervalS: 60,
  offlineAfterS: minutes(30),
  states: named(
    ["idle", "待机", "Idle"],
    ["round", "巡测中", "On a round"],
    ["charging", "充电", "Charging"],
    ["calibrating", "校准", "Calibrating"],
    ["jam", "轨道卡滞", "Rail jam"],
    ["fault", "故障", "Fault"],
  ),
  channels: [
    herd.number("n", "测得头次", "Readings", "头次", { valid: [0, 100000] }),
    herd.number("t_skin_mean", "耳根体表均温", "Ear-base skin mean", "°C", {
      valid: [20, 45],
      normal: [34, 38],
      decimals: 2,
    }),
    herd.number("mean", "估算体温均值", "Mean core estimate", "°C", {
      valid: [30, 45],
      normal: [38.5, 39.5],
      decimals: 2,
    }),
    herd.number("p50", "体温中位数", "Median", "°C", { valid: [30, 45], normal: [38.5, 39.5], decimals: 2 }),
    herd.number("p95", "体温 95 分位", "95th percentile", "°C", { valid: [30, 45], normal: [38.5, 40], decimals: 2 }),
    herd.number("fever_share", "发热比例", "Share with fever", "%", { valid: [0, 100], normal: [0, 3], decimals: 1 }),
    herd.number("scanned", "覆盖率", "Scanned", "%", { valid: [0, 100], normal: [80, 100] }),
    herd.number("bb_drift", "黑体漂移", "Blackbody drift", "K", { valid: [-5, 5], normal: [-0.5, 0.5], decimals: 2 }),
    scan.number("t_amb", "环境温度", "Ambient temperature", "°C", {
      valid: [-40, 80],
      normal: [10, 32],
      decimals: 1,
    }),
    scan.words("state", "状态", "State", [
      ["idle", "待机", "Idle"],
      ["round", "巡测中", "On a round"],
      ["charging", "充电", "Charging"],
      ["calibrating", "校准", "Calibrating"],
      ["jam", "轨道卡滞", "Rail jam"],
      ["fault", "故障", "Fault"],
    ]),
    scan.number("position", "轨道位置", "Rail position", "m", { valid: [0, 200], decimals: 1 }),
    ...portableChannels,
  ],
  derived: [
    derivedOverWindow(
      "scanned_day",
      text("24 小时巡测率", "Scanned in 24 h"),
      "%",
      0,
      "scanned",
      hours(24),
      "mean",
      text("巡测率的 24 小时均值", "Mean of the share that was scanned"),
    ),
  ],
  events: [
    event(
      "scan",
      "测温",
      "Scan",
      ["pen", "栏", "Pen", "", "number"],
      ["pig", "猪", "Pig"],
      ["t_skin_max", "体表最高", "Skin maximum", "°C"],
      ["t_core_est", "估算体温", "Core estimate", "°C"],
      ["t_amb", "环境温度", "Ambient", "°C"],
      ["emissivity", "发射率", "Emissivity", "", "number"],
      ["distance_m", "距离", "Distance", "m"],
      ["quality", "质量", "Quality", "%"],
      ["n", "头次", "Readings", "", "number"],
      ["fever", "发热", "Fever", "", "number"],
    ),
    event("round_start", "巡测开始", "Round start", ["round", "轮次", "Round", "", "number"]),
    event(
      "round_end",
      "巡测结束",
      "Round end",
      ["round", "轮次", "Round", "", "number"],
      ["n", "头次", "Readings", "", "number"],
      ["fever", "发热", "Fever", "", "number"],
      ["scanned", "覆盖率", "Scanned", "%"],
    ),
    event("rail_jam", "轨道卡滞", "Rail jam", ["position_m", "位置", "Position", "m"]),
    event(
      "fever_case",
      "发热个体",
      "Fever case",
      ["pen", "栏", "Pen", "", "number"],
      ["pig", "猪", "Pig"],
      ["t_core_est", "估算体温", "Core estimate", "°C"],
      ["times_4h", "4 小时内次数", "Times in 4 h", "", "number"],
    ),
  ],
  commands: [
    command("startRound", "开始巡测", "Start a round", false),
    command("stopRound", "停止巡测", "Stop the round", false),
    command(
      "goHome",
      "回充电位",
      "Go to the charger",
      text(
        "巡测中断，轨道车立即开回充电位；轨道上不能有人",
        "The round is broken off and the trolley drives to its charger: nobody may be at the rail",
      ),
    ),
    command(
      "calibrateBlackbody",
      "黑体校准",
      "Calibrate blackbody",
      text(
        "之后的体温都按新基准计算，基准不准会误报或漏报发热",
        "Later temperatures are worked out with the new reference; a wrong one hides or invents fever",
      ),
      numberField("reference", "基准温度", "Reference", "°C", [30, 45]),
    ),
    command("setLamp", "补光灯", "Lamp", false, flagField("on", "开", "On")),
  ],
  parameters: [
    structureParameter("rounds", "巡测计划", "Round schedule", {
      maxRows: 6,
      columns: roundColumns,
      default: [
        { at: "06:00", pens: 20 },
        { at: "14:00", pens: 20 },
        { at: "21:00", pens: 20 },
      ],
      validate: checkTable(roundColumns, 6, "巡测计划", "rounds"),
    }),
    structureParameter("route", "路线", "Route", {
      maxRows: 200,
      columns: routeColumns,
      default: [],
      validate: checkTable(routeColumns, 200, "路线", "route points"),
    }),
    structureParameter("region", "测温区", "Region of interest", {
      columns: regionColumns,
      default: { x: 20, y: 20, width: 60, height: 60 },
      validate: checkRecord(regionColumns, (record) =>
        [
          ["x", "width"],
          ["y", "height"],
        ].flatMap(([start = "", size = ""]) =>
          Number(record[start]) + Number(record[size]) > 100
            ? [{ path: size, zh: "测温区超出画面", en: "The region leaves the picture" }]
            : [],
        ),
      ),
    }),
    numberParameter("emissivity", "发射率", "Emissivity", "", [0.9, 1], 0.98),
    numberParameter("fever_from", "发热阈值", "Fever from", "°C", [39, 42], 40),
    numberParameter("baseline_days", "基线天数", "Baseline days", "d", [3, 30], 7),
    numberParameter("blackbody", "黑体温度", "Blackbody", "°C", [30, 45], 38),
  ],
  alarmRules: [
    rule("fever_share", "发热比例高", "Fever share", "MINOR", when("fever_share", "ge", 3)),
    rule("fever_share_high", "发热比例很高", "Fever share high", "MAJOR", when("fever_share", "ge", 8)),
    rule("fever_share_outbreak", "发热比例过高", "Fever share very high", "CRITICAL", when("fever_share", "ge", 15)),
    rule(
      "mean_above_week",
      "群体体温高于上周同时段",
      "Mean above the same hour of the week",
      "MINOR",
      // Nine hours in a row include two of the usual three rounds per day; between rounds a device repeats its last reading.
      detect("baseline-sigma", ["mean"], { baseline_days: 7, same_hour: "yes", above_k: 0.5, windows: 9 }),
    ),
    rule(
      "individual_fever",
      "个体持续发热",
      "Individual fever",
      "MINOR",
      onEvent("fever_case", ["t_core_est", "ge", 40.5], ["times_4h", "ge", 2]),
    ),
    rule("chill", "个体体温低", "Individual chill", "MINOR", onEvent("scan", ["t_core_est", "lt", 37.5])),
    rule("scan_coverage", "巡测覆盖不足", "Scan coverage low", "WARN", when("scanned_day", "lt", 80)),
    rule(
      "blackbody_drift",
      "黑体漂移",
      "Blackbody drift",
      "MAJOR",
      { type: "any", of: [when("bb_drift", "gt", 0.5), when("bb_drift", "lt", -0.5)] },
      { hysteresis: { absolute: 0.1 } },
    ),
    rule("rail_jam", "轨道卡滞", "Rail jam", "MAJOR", onEvent("rail_jam")),
    ...sharedRules({ offlineSeverity: "MINOR", offlineAfterS: minutes(30), portable: true, sensors: ["t_amb"] }),
  ],
  guides: temperatureGuides,
  analytics: [
    analytic(
      "fever_curve",
      "发热比例曲线",
      "Fever share curve",
      "%",
      "体温不低于阈值的头次 ÷ 测得头次",
      "Readings at or above the threshold ÷ readings",
    ),
    analytic(
      "pen_map",
      "各栏发热",
      "Fever by pen",
      "%",
      "各栏体温不低于阈值的测温 ÷ 该栏测温，取最高的栏",
      "Readings of a pen at or above the threshold ÷ its readings, of the worst pen",
      { part: text("{label} 栏", "Pen {label}") },
    ),
    analytic("attack_rate", "发病率", "Attack rate", "%", "出现过发热的头数 ÷ 存栏", "Pigs that ever had fever ÷ pigs"),
    analytic(
      "growth",
      "增长倍数",
      "Growth",
      "",
      "近 3 天新发 ÷ 前 3 天新发",
      "New cases of 3 days ÷ of the 3 days before",
    ),
    analytic(
      "respiratory_score",
      "综合呼吸评分",
      "Combined respiratory score",
      "",
      "z(咳嗽指数) + z(发热比例) + z(−饮水)：近 24 小时与前 14 天比，三项齐了才算",
      "z(cough index) + z(fever share) + z(−water): the last 24 h against the 14 days before; only with all three",
      {
        words: named(
          ["cough", "咳嗽指数", "Cough index"],
          ["fever", "发热比例", "Fever share"],
          ["water", "少饮水", "Less water"],
        ),
      },
    ),
    analytic(
      "scan_coverage",
      "巡测覆盖",
      "Scan coverage",
      "%",
      "各轮覆盖率的均值",
      "Mean of the share that each round scanned",
      { least: 80 },
    ),
    analytic(
      "rounds_unjudged",
      "不作结论的轮次",
      "Rounds not judged",
      "次",
      "覆盖低于 80 % 的轮次",
      "Rounds that scanned less than 80 %",
    ),
    ...sharedAnalytics,
  ],
  commissioning: { warmed: ["t_amb"], settings: ["rounds", "fever_from"] },
};
