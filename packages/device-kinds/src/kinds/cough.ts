/** Cough monitoring: one microphone per 220–240 pigs. */
import {
  allOf,
  analytic,
  channelsOf,
  choiceField,
  command,
  detect,
  event,
  flagParameter,
  hours,
  maintenance,
  minutes,
  named,
  numberField,
  numberParameter,
  onEvent,
  published,
  reference,
  rule,
  section,
  structureParameter,
  text,
  textField,
  when,
} from "../declare.ts";
import type { DeviceKind } from "../device-kind.ts";
import { coughGuides } from "../guides/cough.ts";
import { airChangePerMinute, sharedAnalytics, sharedChannels, sharedRules } from "../shared-parts.ts";
import { checkTimeSpans } from "../validation.ts";

const sound = channelsOf(section("sound", "声音", "Sound"), 60);
const air = channelsOf(section("air", "空气", "Air"), 60);
const index = channelsOf(section("index", "呼吸指数", "Respiratory index"), 3600);

const quietColumns = [textField("on", "开始", "From"), textField("off", "结束", "To")];

export const cough: DeviceKind = {
  kind: "cough",
  name: text("咳嗽监测", "Cough monitoring"),
  sort: 3,
  pages: {
    path: "vet/cough",
    code: "cough",
    icon: "sound",
    title: text("咳嗽监测总览", "Cough monitoring overview"),
    more: { analysis: { at: "butler", title: text("咳嗽管家", "Cough butler") } },
    figures: ["rdi", "rehs", "coughs", "laeq", "t", "rh"],
    summary: { rdi: "highest", rehs: "lowest", coughs: "sum", laeq: "highest" },
    parts: [
      { type: "grid", title: text("什么时候咳", "When they cough"), analytic: "heatmap", as: "hours" },
      { type: "grid", title: text("咳嗽过程", "Cough episodes"), analytic: "episodes", as: "table" },
    ],
  },
  group: "health",
  reportIntervalS: 60,
  offlineAfterS: minutes(15),
  states: named(
    ["learning", "学习中", "Learning"],
    ["normal", "正常", "Normal"],
    ["attention", "关注", "Attention"],
    ["alert", "预警", "Alert"],
    ["mic_fault", "拾音故障", "Microphone fault"],
  ),
  channels: [
    // About 0–2 coughs per 100 pigs and hour are usual [A]; 30 in five minutes is a lot for one covered group.
    sound.number("coughs", "咳嗽次数（5 分钟）", "Coughs (5 min)", "次", {
      valid: [0, 2000],
      normal: [0, 3],
      intervalS: 300,
    }),
    sound.number("laeq", "等效声级", "Sound level", "dBA", { valid: [30, 110], normal: [50, 75], decimals: 1 }),
    sound.flag("mic_ok", "拾音正常", "Microphone good"),
    air.number("t", "温度", "Temperature", "°C", {
      valid: [-40, 80],
      maxChangePerMinute: airChangePerMinute,
      normal: [13, 28],
      decimals: 1,
    }),
    air.number("t2", "温度 2", "Temperature 2", "°C", {
      valid: [-40, 80],
      maxChangePerMinute: airChangePerMinute,
      normal: [13, 28],
      decimals: 1,
    }),
    air.number("rh", "湿度", "Humidity", "%", { valid: [0, 100], normal: [50, 85] }),
    index.number("rehs", "呼吸健康评分", "Respiratory health score", "", { valid: [0, 100], normal: [60, 100] }),
    index.number("rdi", "呼吸窘迫指数", "Respiratory distress index", "次/头·24h", {
      valid: [0, 100],
      decimals: 2,
    }),
    index.words("state", "状态", "State", [
      ["learning", "学习中", "Learning"],
      ["normal", "正常", "Normal"],
      ["attention", "关注", "Attention"],
      ["alert", "预警", "Alert"],
      ["mic_fault", "拾音故障", "Microphone fault"],
    ]),
    index.number("pigs", "覆盖头数", "Pigs covered", "头", { valid: [0, 1000] }),
    ...sharedChannels,
  ],
  derived: [],
  events: [
    event(
      "cough",
      "咳嗽",
      "Cough",
      ["duration_s", "时长", "Duration", "s"],
      ["confidence", "置信度", "Confidence", "", "number"],
      ["zone", "区域", "Zone"],
      ["direction", "方向", "Direction", "°"],
      ["clip", "录音", "Clip"],
    ),
    event(
      "episode",
      "咳嗽过程",
      "Cough episode",
      ["onset", "开始", "Onset"],
      ["peak", "峰值", "Peak", "次/h"],
      ["duration_h", "持续", "Duration", "h"],
    ),
    maintenance("microphone_test", "拾音自检", "Microphone test", ["result", "结果", "Result"]),
    maintenance("baseline_reset", "重置基线", "Baseline reset"),
    event("state_change", "状态变化", "State change", ["from", "原状态", "From"], ["to", "新状态", "To"]),
  ],
  commands: [
    command(
      "resetBaseline",
      "重置基线",
      "Reset baseline",
      text(
        "从现在起重新学习 7–14 天，期间不再与以前比较，也不发指数告警",
        "Learns anew for 7 to 14 days, without comparison to the past and without alarms of the index",
      ),
    ),
    command("requestClip", "上传录音", "Upload a clip", false, numberField("seconds", "时长", "Length", "s", [1, 60])),
    command("setSensitivity", "设灵敏度", "Set sensitivity", false, numberField("level", "级别", "Level", "", [1, 10])),
    command(
      "testMicrophone",
      "拾音自检",
      "Test microphone",
      false,
      choiceField("signal", "信号", "Signal", [
        ["tone", "单音", "Tone"],
        ["noise", "噪声", "Noise"],
      ]),
    ),
  ],
  parameters: [
    numberParameter("pigs_covered", "覆盖头数", "Pigs covered", "头", [1, 500], 230, published("SOMO+: 220–240")),
    numberParameter("sensitivity", "灵敏度", "Sensitivity", "", [1, 10], 5),
    numberParameter("min_confidence", "最低置信度", "Least confidence", "", [0, 1], 0.7),
    numberParameter("window_min", "统计窗口", "Window", "min", [1, 60], 5),
    numberParameter("learning_days", "学习天数", "Learning days", "d", [7, 14], 10),
    flagParameter("clip_upload", "上传录音", "Upload clips", false),
    structureParameter("quiet_hours", "静默时段", "Quiet hours", {
      maxRows: 6,
      columns: quietColumns,
      default: [],
      validate: checkTimeSpans({
        columns: quietColumns,
        open: "on",
        close: "off",
        max: 6,
        zh: "静默时段",
        en: "quiet periods",
        overlap: "forbidden",
      }),
    }),
  ],
  alarmRules: [
    rule(
      "index_above_baseline",
      "咳嗽指数高于基线",
      "Cough index above baseline",
      "MINOR",
      detect("baseline-sigma", ["rdi"], { baseline_days: 14, sigmas: 3, windows: 2, window_s: hours(6) }),
    ),
    rule(
      "index_doubled",
      "咳嗽指数翻倍",
      "Cough index doubled",
      "MAJOR",
      detect("baseline-ratio", ["rdi"], { against: "median", baseline_days: 7, above: 2, window_s: hours(24) }),
    ),
    rule(
      "index_fourfold",
      "咳嗽指数四倍",
      "Cough index fourfold",
      "CRITICAL",
      detect("baseline-ratio", ["rdi"], { against: "median", baseline_days: 7, above: 4, window_s: hours(24) }),
    ),
    rule("health_score_low", "呼吸评分低", "Respiratory score low", "MINOR", when("rehs", "lt", 60), {
      after: hours(12),
      source: reference("ReHS 60 / 40"),
    }),
    rule("health_score_very_low", "呼吸评分过低", "Respiratory score very low", "CRITICAL", when("rehs", "lt", 40), {
      after: hours(12),
      source: reference("ReHS 60 / 40"),
    }),
    rule("noise", "噪声高", "Loud", "MINOR", when("laeq", "gt", 85), {
      after: minutes(30),
      hysteresis: { absolute: 2 },
      source: published("2008/120/EC: 85 dBA"),
    }),
    rule(
      "microphone_silent",
      "拾音无声",
      "Microphone silent",
      "MAJOR",
      allOf(when("laeq", "lt", 35), when("pigs", "gt", 0)),
      { after: minutes(30), hysteresis: { absolute: 2 } },
    ),
    rule("microphone_fault", "拾音故障", "Microphone fault", "MAJOR", when("mic_ok", "eq", false), {
      after: minutes(5),
    }),
    rule(
      "coverage_low",
      "数据覆盖不足",
      "Coverage too low",
      "WARN",
      detect("coverage", ["coughs"], { window_s: hours(24), least_percent: 80 }),
    ),
    rule("episode", "咳嗽过程", "Cough episode", "WARN", onEvent("episode")),
    ...sharedRules({
      offlineSeverity: "MINOR",
      offlineAfterS: minutes(15),
      supply: true,
      sensors: ["laeq", "t", "t2", "rh"],
    }),
  ],
  guides: coughGuides,
  analytics: [
    analytic(
      "index_against_baseline",
      "24 小时咳嗽指数",
      "Cough index, 24 h",
      "次/头·24h",
      "24 小时咳嗽次数 ÷ 覆盖头数，与前 14 天均值比较",
      "Coughs in 24 h ÷ pigs covered, against the mean of the 14 days before",
      {
        words: named(
          ["now", "近 24 小时", "Last 24 h"],
          ["baseline", "基线（前 14 天均值）", "Baseline (mean of 14 days)"],
          ["alert", "基线 + 3σ", "Baseline + 3σ"],
        ),
      },
    ),
    analytic("heatmap", "咳嗽次数", "Coughs", "次", "每日每小时咳嗽次数之和", "Sum of the coughs of each hour and day"),
    analytic(
      "zone_map",
      "咳嗽记录，按区",
      "Cough records by zone",
      "次",
      "逐次记录的咳嗽，按区域计数",
      "Coughs recorded one by one, by zone",
      {
        part: text("{label} 区", "Zone {label}"),
      },
    ),
    analytic(
      "episodes",
      "咳嗽过程",
      "Episodes",
      "次",
      "开始、峰值（次/小时）、持续（小时）、超出基线的曲线下面积（次/头）",
      "Onset, peak (per hour), duration (h), area under the curve above the baseline (coughs per pig)",
      {
        words: named(
          ["peak", "峰值 次/h", "Peak per h"],
          ["duration_h", "持续 h", "Duration h"],
          ["excess", "超出 次/头", "Excess per pig"],
        ),
      },
    ),
    analytic(
      "lag_correlation",
      "滞后相关",
      "Lag correlation",
      "",
      "指数与 1–7 天前氨气、温差的相关系数",
      "Correlation of the index with ammonia and temperature range 1–7 days before; at least 8 pairs of days",
      {
        words: [1, 2, 3, 4, 5, 6, 7].flatMap((day) => [
          { value: `nh3 ${day}`, name: text(`氨气，${day} 天前`, `Ammonia, ${day} d before`) },
          { value: `t_in ${day}`, name: text(`日温差，${day} 天前`, `Temperature range, ${day} d before`) },
        ]),
      },
    ),
    analytic(
      "treatment_response",
      "用药后 3 天的咳嗽",
      "Coughing in the 3 days after treatment",
      "%",
      "用药次日起 3 天指数 ÷ 用药前 3 天指数 − 1",
      "Index in the 3 days after the day of treatment ÷ in the 3 days before − 1",
      {
        counted: {
          rows: text("{count} 次用药", "{count} treatments"),
          of: text("比较了 {count} 天", "{count} days compared"),
        },
      },
    ),
    analytic(
      "lead_time",
      "提前量",
      "Lead time",
      "h",
      "兽医诊断当天 0 时 − 前 14 天内首次预警，取中位数",
      "Midnight of the day of the diagnosis − first alarm of the 14 days before, median",
    ),
    ...sharedAnalytics,
  ],
};
