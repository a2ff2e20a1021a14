/**
 * The scenarios: what goes wrong in a device or around it over time, and exactly which alarms that must raise. One list, read by
 * the command line, by the administrator's screen and by the tests.
 */
import {
  type DeviceKindId,
  deviceKindIds,
  fanNumbers,
  type LocalText,
  type ReportedValue,
  type Severity,
} from "@herdwise/device-kinds";
import { type Effects, noEffects } from "./effects.ts";

/** An alarm that a scenario must raise. */
type ExpectedAlarm = {
  readonly rule: string;
  /** Severity; absent where it is that of the kind, in scenarios of several kinds. */
  readonly severity?: Severity;
  /** Follows from the alarm of this rule, by the cause graph of the kind. */
  readonly under?: string;
  /** Raised as a record only, as the mode of the unit masks it. */
  readonly suppressed?: true;
};

export type Scenario = {
  readonly name: string;
  readonly title: LocalText;
  /** What happens, in a sentence. */
  readonly summary: LocalText;
  readonly kinds: readonly DeviceKindId[];
  /** Hours of the device's time after which it ends by itself. */
  readonly lastsH: number;
  /** What it changes at a moment, by the hours since its begin and until its end (infinite without one). */
  readonly effects: (intoH: number, leftH: number) => Effects;
  /** All alarms that it raises, each of them once. */
  readonly alarms: readonly ExpectedAlarm[];
  /** It may unfold faster, and then raises the same alarms sooner; others depend on the physics of the house or on durations. */
  readonly hastens?: true;
  /** Days of usual running that its rules compare with. */
  readonly learnsDays?: number;
  /** Hours after its end until its alarms are over; half an hour where it is absent. */
  readonly clearsH?: number;
  /** Alarms that a person has to end by mending something, so that they stay. */
  readonly stays?: readonly string[];
};

/** 0 at begin and end, 1 in between. */
const ramp = (intoH: number, leftH: number, upH: number, downH = upH): number =>
  Math.max(0, Math.min(1, intoH / upH, leftH / downH));

const text = (zh: string, en: string): LocalText => ({ zh, en });

/** [rule, severity, cause] */
type AlarmRow = readonly [rule: string, severity?: Severity, under?: string];

/** What a house without any air comes to within forty minutes. @param cause why there is none */
const airless = (cause: string): readonly AlarmRow[] => [
  ["temperature_high", "MAJOR", cause],
  ["temperature_very_high", "CRITICAL", cause],
  ["temperature_rising_fast", "CRITICAL", cause],
  ["ammonia_high", "MINOR", cause],
  ["ammonia_very_high", "MAJOR", cause],
  ["carbon_dioxide_high", "MINOR", cause],
];

const raises = (...rows: readonly AlarmRow[]): readonly ExpectedAlarm[] =>
  rows.map(([rule, severity, under]) => ({
    rule,
    ...(severity !== undefined && { severity }),
    ...(under !== undefined && { under }),
  }));

const fansStill = Object.fromEntries(fanNumbers.map((number) => [`fan_${number}`, false]));

const ofEnvironment: readonly Scenario[] = [
  {
    name: "heat-wave",
    title: text("热浪", "Heat wave"),
    summary: text("舍外升到 38 ℃，湿帘也压不住", "38 °C outside; even the cooling pads can't keep up"),
    kinds: ["environment"],
    lastsH: 20,
    effects: (into, left) => ({ hotSpell: ramp(into, left, 6) }),
    alarms: raises(["heat_stress", "WARN"], ["heat_emergency", "MAJOR", "heat_stress"]),
  },
  {
    name: "blocked-inlets",
    title: text("进风口堵塞", "Blocked inlets"),
    summary: text(
      "进风口打不开，风机抽不进风，舍内升温",
      "The inlets hardly open: little air comes in and the house heats up",
    ),
    kinds: ["environment"],
    lastsH: 6,
    effects: () => ({ inletsBlocked: true }),
    alarms: raises(
      ["pressure_high", "MINOR"],
      ["temperature_high", "MAJOR", "pressure_high"],
      ["temperature_very_high", "CRITICAL", "pressure_high"],
    ),
  },
  {
    name: "fan-trip",
    title: text("风机跳闸", "Fan trip"),
    summary: text("风机全部跳闸，四十分钟后恢复", "All fans trip and are back after forty minutes"),
    kinds: ["environment"],
    lastsH: 2 / 3,
    effects: () => ({ fansTripped: true }),
    alarms: raises(
      ["all_fans_off", "CRITICAL"],
      ["gear_not_reached", "MAJOR", "all_fans_off"],
      ...airless("all_fans_off"),
    ),
  },
  {
    name: "fan-worn",
    title: text("风机磨损", "Worn fan"),
    summary: text("1 号风机电流比正常高三分之一", "Fan 1 draws a third more current than usual"),
    kinds: ["environment"],
    lastsH: 6,
    effects: () => ({ fanDrag: 1.36 }),
    alarms: raises(["fan_current", "MAJOR"]),
  },
  {
    name: "mains-loss",
    title: text("市电中断", "Mains loss"),
    summary: text(
      "市电中断四十分钟，发电机没有启动",
      "The mains fail for forty minutes and the generator does not start",
    ),
    kinds: ["environment"],
    lastsH: 2 / 3,
    effects: () => ({ mainsLost: true }),
    alarms: raises(
      ["mains_loss", "CRITICAL"],
      ["gear_not_reached", "MAJOR", "mains_loss"],
      ["all_fans_off", "CRITICAL", "mains_loss"],
      ...airless("mains_loss"),
    ),
  },
  {
    name: "ammonia",
    title: text("氨气升高", "Ammonia"),
    summary: text("粪沟积存，氨气在 27 ppm 左右", "The pit is full; ammonia stays at about 27 ppm"),
    kinds: ["environment"],
    lastsH: 6,
    effects: () => ({ pitAmmonia: 27 }),
    alarms: raises(["ammonia_high", "MINOR"]),
  },
  {
    name: "pit-gas",
    title: text("搅粪放气", "Stirred pit"),
    summary: text("搅动粪沟，硫化氢和氨气大量放出", "The pit is stirred and gives off hydrogen sulfide and ammonia"),
    kinds: ["environment"],
    lastsH: 2,
    effects: () => ({ pitAmmonia: 46, pitSulfide: 12 }),
    alarms: raises(
      ["hydrogen_sulfide_high", "MAJOR"],
      ["hydrogen_sulfide_danger", "CRITICAL", "hydrogen_sulfide_high"],
      ["ammonia_high", "MINOR"],
      ["ammonia_very_high", "MAJOR", "ammonia_high"],
    ),
  },
  {
    name: "cold-snap",
    title: text("寒潮与加热故障", "Cold snap without heating"),
    summary: text("夜里零下二十度，加热不工作", "Twenty degrees below zero at night, and the heating does not work"),
    kinds: ["environment"],
    lastsH: 14,
    hastens: true,
    effects: (into, left) => ({ colder: 30 * ramp(into, left, 3), heating: 0 }),
    alarms: raises(["temperature_low", "MAJOR"], ["humidity_high", "MINOR"]),
    clearsH: 6,
  },
  {
    name: "door-open",
    title: text("门没关", "Door left open"),
    summary: text("舍门敞开，负压建立不起来", "A door stands open and no static pressure builds up"),
    kinds: ["environment"],
    lastsH: 1,
    effects: () => ({ doorOpen: true }),
    alarms: raises(["pressure_low", "MINOR"]),
  },
  {
    name: "probe-off",
    title: text("探头偏差", "Probe off"),
    summary: text("1 号探头偏高 6 ℃", "Probe 1 shows 6 °C too much"),
    kinds: ["environment"],
    lastsH: 2,
    effects: () => ({ probeOff: 6 }),
    alarms: raises(["probe_spread", "MINOR"]),
  },
  {
    name: "cycle-fan-dead",
    title: text("循环风机不转", "Cycling fan dead"),
    summary: text("最小通风档里 1 号风机不启动", "Fan 1 does not start in the gears of minimum ventilation"),
    kinds: ["environment"],
    lastsH: 0.5,
    effects: () => ({ reports: { ...fansStill, gear: 2, gear_cmd: 2 } }),
    alarms: raises(["cycle_fan_off", "CRITICAL"]),
  },
  {
    name: "heater-fumes",
    title: text("燃气加热排气不畅", "Heater without exhaust"),
    summary: text(
      "燃气加热器排气堵住，二氧化碳超过 5000 ppm",
      "The exhaust of the gas heater is shut; carbon dioxide passes 5000 ppm",
    ),
    kinds: ["environment"],
    lastsH: 1.5,
    hastens: true,
    effects: (into, left) => ({ reports: { co2: 1200 + 4500 * ramp(into, left, 0.4) } }),
    alarms: raises(["carbon_dioxide_high", "MINOR"], ["carbon_dioxide_very_high", "MAJOR", "carbon_dioxide_high"]),
  },
  {
    name: "wet-house",
    title: text("舍内潮湿", "Wet house"),
    summary: text("漏水，湿度 92% 两小时", "Water leaks; the humidity is at 92 % for two hours"),
    kinds: ["environment"],
    lastsH: 2,
    effects: (into) => ({ reports: { rh: 92 + Math.round(Math.sin(9 * into)) } }),
    alarms: raises(["humidity_high", "MINOR"]),
  },
  {
    name: "dry-house",
    title: text("舍内干燥", "Dry house"),
    summary: text("湿度 38% 两小时", "The humidity is at 38 % for two hours"),
    kinds: ["environment"],
    lastsH: 2,
    effects: (into) => ({ reports: { rh: 38 + Math.round(Math.sin(9 * into)) } }),
    alarms: raises(["humidity_low", "MINOR"]),
  },
  {
    name: "water-cut",
    title: text("停水", "No water"),
    summary: text("白天停水六小时", "No water for six hours of the day"),
    kinds: ["environment"],
    lastsH: 6,
    effects: () => ({ drinking: 0 }),
    alarms: raises(["water_stopped", "MAJOR"]),
    clearsH: 2.5,
  },
  {
    name: "water-leak",
    title: text("夜间漏水", "Leak at night"),
    summary: text("饮水线漏水，夜间用水翻倍以上", "A drinking line leaks; the use at night more than doubles"),
    kinds: ["environment"],
    lastsH: 20,
    effects: () => ({ leakLh: 160 }),
    alarms: raises(["water_at_night", "WARN"]),
    learnsDays: 8,
    clearsH: 10,
  },
  {
    name: "wrong-mode",
    title: text("误设空栏", "Set to empty by mistake"),
    summary: text("有猪的单元被设为空栏，风机停转", "A unit with pigs is set to empty, and its fans stop"),
    kinds: ["environment"],
    lastsH: 2 / 3,
    effects: () => ({ setEmpty: true }),
    // Masked first, and alarms as soon as the mode is set right again.
    alarms: [
      ...raises(["empty_with_pigs", "CRITICAL"], ...airless("empty_with_pigs")),
      ...airless("").map(([rule, severity]) => ({ rule, ...(severity && { severity }), suppressed: true as const })),
    ],
  },
  {
    name: "gas-at-limit",
    title: text("氨气在限值上下", "Ammonia at its limit"),
    summary: text(
      "氨气在限值附近摆动，只应告警一次",
      "Ammonia swings about its limit, which must be one alarm and not many",
    ),
    kinds: ["environment"],
    lastsH: 6,
    // After half an hour above the limit, between 19 and 22 ppm every ten minutes.
    effects: (into) => ({ reports: { nh3: into < 0.5 ? 23 : 20.5 + 1.5 * Math.sin(2 * Math.PI * 6 * into) } }),
    alarms: raises(["ammonia_high", "MINOR"]),
  },
];

const ofCough: readonly Scenario[] = [
  {
    name: "cough-episode",
    title: text("咳嗽过程", "Cough episode"),
    summary: text("四天里咳嗽增到三倍", "Coughing rises to three times the usual over four days"),
    kinds: ["cough"],
    lastsH: 96,
    effects: (into, left) => ({ coughing: 1 + 2 * ramp(into, left, 12), ...(left <= 1 && { episodeEnds: true }) }),
    alarms: raises(
      ["index_above_baseline", "MINOR"],
      ["index_doubled", "MAJOR", "index_above_baseline"],
      ["episode", "WARN", "index_above_baseline"],
    ),
    learnsDays: 14,
    clearsH: 72,
  },
  {
    name: "respiratory-outbreak",
    title: text("呼吸道暴发", "Respiratory outbreak"),
    summary: text(
      "咳嗽增到十五倍，呼吸评分跌破 40",
      "Fifteen times the usual coughing; the respiratory score falls below 40",
    ),
    kinds: ["cough"],
    lastsH: 96,
    effects: (into, left) => ({ coughing: 1 + 14 * ramp(into, left, 12) }),
    alarms: raises(
      ["index_above_baseline", "MINOR"],
      ["index_doubled", "MAJOR", "index_above_baseline"],
      ["index_fourfold", "CRITICAL", "index_above_baseline"],
      ["health_score_low", "MINOR", "index_above_baseline"],
      ["health_score_very_low", "CRITICAL", "index_above_baseline"],
    ),
    learnsDays: 14,
    clearsH: 120,
  },
  {
    name: "microphone-dead",
    title: text("拾音头失灵", "Dead microphone"),
    summary: text("拾音头没有声音，自检不通过", "The microphone hears nothing and fails its own test"),
    kinds: ["cough"],
    lastsH: 2,
    effects: (into) => ({ reports: { mic_ok: false, laeq: 31 + 0.4 * Math.sin(40 * into) } }),
    alarms: raises(["microphone_fault", "MAJOR"], ["microphone_silent", "MAJOR", "microphone_fault"]),
  },
  {
    name: "loud-fans",
    title: text("噪声过大", "Loud fans"),
    summary: text("风机异响，声级 90 分贝", "Fans rattle at 90 dB"),
    kinds: ["cough"],
    lastsH: 3,
    effects: (into) => ({ reports: { laeq: 90 + Math.sin(30 * into) } }),
    alarms: raises(["noise", "MINOR"]),
  },
  {
    name: "counts-missing",
    title: text("咳嗽数据缺失", "Counts missing"),
    summary: text("八小时没有咳嗽计数", "No cough counts for eight hours"),
    kinds: ["cough"],
    lastsH: 8,
    effects: () => ({ missing: ["coughs"] }),
    alarms: raises(["coverage_low", "WARN"]),
    learnsDays: 2,
    clearsH: 26,
  },
];

const ofTemperature: readonly Scenario[] = [
  {
    name: "fever-spread",
    title: text("发热扩散", "Fever spread"),
    summary: text("三天内发热从零星几头到两成", "Fever spreads from a few pigs to a fifth of the herd in three days"),
    kinds: ["temperature"],
    lastsH: 96,
    hastens: true,
    effects: (into, left) => ({ fever: 20 * ramp(into, left, 60, 24) }),
    alarms: raises(
      ["fever_share", "MINOR"],
      ["fever_share_high", "MAJOR", "fever_share"],
      ["fever_share_outbreak", "CRITICAL", "fever_share"],
      ["mean_above_week", "MINOR", "fever_share"],
      ["individual_fever", "MINOR", "fever_share"],
    ),
    learnsDays: 8,
    clearsH: 24,
  },
  {
    name: "rail-jam",
    title: text("轨道卡滞", "Rail jam"),
    summary: text(
      "巡检车卡在轨道上两天，覆盖率下降",
      "The scanner is stuck on its rail for two days; pens are not scanned",
    ),
    kinds: ["temperature"],
    lastsH: 40,
    effects: () => ({ jammed: true }),
    alarms: raises(["rail_jam", "MAJOR"], ["scan_coverage", "WARN", "rail_jam"]),
    clearsH: 40,
  },
  {
    name: "blackbody-drift",
    title: text("黑体漂移", "Blackbody drift"),
    summary: text("测温基准漂移 0.8 K", "The reference of the thermometer drifts by 0.8 K"),
    kinds: ["temperature"],
    lastsH: 6,
    effects: () => ({ reports: { bb_drift: 0.8 } }),
    alarms: raises(["blackbody_drift", "MAJOR"]),
    clearsH: 2,
  },
  {
    name: "chilled-pigs",
    title: text("个体受凉", "Chilled pigs"),
    summary: text("头几栏有猪体温低于 37.5 ℃", "Pigs of the first pens are below 37.5 °C"),
    kinds: ["temperature"],
    lastsH: 24,
    effects: () => ({ chilled: true }),
    alarms: raises(["chill", "MINOR"]),
  },
];

const ofNeedleless: readonly Scenario[] = [
  {
    name: "wrong-lot",
    title: text("疫苗过期", "Expired vaccine"),
    summary: text("用了过期批号的疫苗", "Vaccine of an expired lot is used"),
    kinds: ["needleless"],
    lastsH: 0.5,
    effects: () => ({ session: true, expiredLot: true }),
    alarms: raises(["wrong_lot", "CRITICAL"]),
  },
  {
    name: "warm-vaccine",
    title: text("疫苗脱冷", "Warm vaccine"),
    summary: text("疫苗升到 13 ℃ 一个多小时", "The vaccine is at 13 °C for more than an hour"),
    kinds: ["needleless"],
    lastsH: 1.5,
    effects: (into) => ({ reports: { vaccine_t: 13 + Math.sin(9 * into) } }),
    alarms: raises(["vaccine_warm", "MAJOR"]),
  },
  {
    name: "worn-nozzle",
    title: text("喷嘴磨损", "Worn nozzle"),
    summary: text(
      "喷嘴超过两万针，压力不足，湿针多，剂量偏少",
      "Beyond 20,000 shots: low pressure, wet shots, doses too small",
    ),
    kinds: ["needleless"],
    lastsH: 1.5,
    effects: () => ({
      session: true,
      pressure: 0.72,
      badShots: 0.16,
      doseOff: -7,
      reports: { shots_total: 20_480 },
    }),
    alarms: raises(
      ["nozzle_worn", "WARN"],
      ["pressure_off", "MINOR", "nozzle_worn"],
      ["bad_shots", "MINOR", "nozzle_worn"],
      ["bad_shots_many", "MAJOR", "nozzle_worn"],
      ["dose_mean", "MINOR", "nozzle_worn"],
    ),
    stays: ["bad_shots", "bad_shots_many", "dose_mean"],
  },
  {
    name: "dose-far-off",
    title: text("剂量失准", "Doses far off"),
    summary: text("每针多出一成二", "Each dose is twelve percent too large"),
    kinds: ["needleless"],
    lastsH: 0.5,
    effects: () => ({ session: true, doseOff: 14 }),
    alarms: raises(["dose_single", "MAJOR"], ["dose_mean", "MINOR", "dose_single"]),
    stays: ["dose_mean"],
  },
  {
    name: "skipped-shots",
    title: text("漏打漏记", "Shots left out"),
    summary: text("每二十针缺一条记录，覆盖率不足", "One shot in twenty is not in the log, and coverage is too low"),
    kinds: ["needleless"],
    lastsH: 1,
    effects: () => ({ session: true, skipsEvery: 20 }),
    alarms: raises(["gap_in_log", "WARN"], ["coverage_low", "MAJOR"]),
  },
  {
    name: "double-shots",
    title: text("重复注射", "Injected twice"),
    summary: text("同一耳标连打两针", "The same pig is injected twice"),
    kinds: ["needleless"],
    lastsH: 0.25,
    effects: () => ({ session: true, twice: true }),
    alarms: raises(["repeat_ear_tag", "MAJOR"]),
  },
];

const ofBathroom: readonly Scenario[] = [
  {
    name: "shower-bypass",
    title: text("绕过淋浴", "Shower bypassed"),
    summary: text("有人不洗澡直接进净区，两道门同开", "Somebody walks past the shower; both doors stand open"),
    kinds: ["bathroom"],
    lastsH: 0.6,
    effects: () => ({ bypass: true }),
    alarms: raises(["bypass", "CRITICAL"], ["both_doors", "CRITICAL"]),
  },
  {
    name: "short-showers",
    title: text("淋浴时间不足", "Showers too short"),
    summary: text("淋浴只有三分钟", "Showers of three minutes only"),
    kinds: ["bathroom"],
    lastsH: 1,
    effects: () => ({ showerS: 180 }),
    alarms: raises(["under_time", "MAJOR"]),
  },
  {
    name: "scalding-water",
    title: text("水温过高", "Scalding water"),
    summary: text("恒温阀失灵，水温 51 ℃", "The mixing valve fails; the water is at 51 °C"),
    kinds: ["bathroom"],
    lastsH: 1,
    effects: () => ({ waterC: 51 }),
    alarms: raises(["scald", "CRITICAL"], ["water_temperature", "MAJOR", "scald"]),
  },
  {
    name: "inside-too-long",
    title: text("在内过久", "Inside too long"),
    summary: text("有人进去一个小时没有出来", "Somebody went in an hour ago and did not come out"),
    kinds: ["bathroom"],
    lastsH: 1,
    hastens: true,
    effects: (into) => ({ insideS: Math.round(into * 3600) }),
    alarms: raises(["too_long", "CRITICAL"]),
  },
  {
    name: "stranger",
    title: text("未登记人员", "Stranger"),
    summary: text("未登记的卡和隔离期未满的人", "An unknown card, and a person whose quarantine is not over"),
    kinds: ["bathroom"],
    lastsH: 0.6,
    effects: () => ({ stranger: true }),
    alarms: raises(["unknown_person", "MAJOR"], ["quarantine_breach", "MAJOR"]),
  },
  {
    name: "gate-dead",
    title: text("门禁失联", "Gate silent"),
    summary: text("门禁不再上报", "The gates report nothing any more"),
    kinds: ["bathroom"],
    lastsH: 1,
    effects: () => ({ missing: ["door_a", "door_b"] }),
    alarms: raises(["gate_silent", "MAJOR"]),
  },
  {
    name: "bath-tank-empty",
    title: text("水箱缺水", "Tank empty"),
    summary: text("水箱只剩 8%", "The tank is down to 8 %"),
    kinds: ["bathroom"],
    lastsH: 2,
    effects: (into) => ({ tank: 8 + (Math.round(into * 4) % 2) }),
    alarms: raises(["tank_low", "MINOR"]),
  },
];

const ofDisinfect: readonly Scenario[] = [
  {
    name: "stock-runs-out",
    title: text("药液用尽", "Stock runs out"),
    summary: text(
      "药液没人补，用尽后余氯降到零",
      "Nobody fills up the stock; when it is empty the residual falls to nothing",
    ),
    kinds: ["disinfect"],
    lastsH: 8,
    hastens: true,
    effects: (into, left) => ({ tank: left < 0.2 ? 90 : Math.max(0, 14 - 5 * into) }),
    alarms: raises(
      ["stock_low", "MINOR"],
      ["stock_empty", "MAJOR", "stock_low"],
      ["no_dosing", "MAJOR", "stock_low"],
      ["residual_low", "MAJOR", "stock_low"],
      ["orp_low", "MINOR", "stock_low"],
      ["orp_very_low", "MAJOR", "stock_low"],
    ),
    clearsH: 3,
  },
  {
    name: "pump-stuck",
    title: text("加药泵卡死", "Dosing pump stuck"),
    summary: text("有流量而加药泵不转", "Water flows and the dosing pump stands still"),
    kinds: ["disinfect"],
    lastsH: 3,
    effects: () => ({ pumpStuck: true }),
    alarms: raises(
      ["no_dosing", "MAJOR"],
      ["residual_low", "MAJOR", "no_dosing"],
      ["orp_low", "MINOR", "no_dosing"],
      ["orp_very_low", "MAJOR", "no_dosing"],
    ),
    clearsH: 3,
  },
  {
    name: "overdosing",
    title: text("投加过量", "Overdosing"),
    summary: text("余氯升到 8 mg/L", "The residual rises to 8 mg/L"),
    kinds: ["disinfect"],
    lastsH: 2,
    effects: () => ({ chlorine: 8 }),
    alarms: raises(
      ["residual_high", "MINOR"],
      ["residual_danger", "CRITICAL", "residual_high"],
      ["orp_high", "MAJOR", "residual_high"],
      ["pump_stopped", "MAJOR", "residual_high"],
    ),
    clearsH: 3,
  },
  {
    name: "dosing-without-flow",
    title: text("无水仍加药", "Dosing without flow"),
    summary: text("水停了，加药泵还在转", "The water has stopped and the dosing pump runs on"),
    kinds: ["disinfect"],
    lastsH: 0.5,
    effects: () => ({ pumpRuns: true }),
    alarms: raises(["dosing_without_flow", "CRITICAL"]),
  },
  {
    name: "line-leak",
    title: text("管路漏水", "Leaking line"),
    summary: text("每小时漏水 0.3 立方米，夜间流量翻倍", "0.3 m³ run away each hour; the flow at night doubles"),
    kinds: ["disinfect"],
    lastsH: 20,
    effects: () => ({ leakM3h: 0.3 }),
    alarms: raises(["night_flow", "WARN"]),
    learnsDays: 8,
    clearsH: 10,
  },
  {
    name: "drinking-less",
    title: text("用水下降", "Drinking less"),
    summary: text("猪群喝水减半，往往是发病的先兆", "The herd drinks half as much, often the first sign of an illness"),
    kinds: ["disinfect"],
    lastsH: 36,
    effects: () => ({ drinking: 0.5 }),
    alarms: raises(["use_dropped", "MAJOR"]),
    learnsDays: 8,
    clearsH: 26,
  },
  {
    name: "acid-water",
    title: text("酸过量与浑水", "Acid and turbid water"),
    summary: text("加酸过多，pH 4.9，水变浑", "Too much acid: pH 4.9, and the water is turbid"),
    kinds: ["disinfect"],
    lastsH: 2,
    effects: (into) => ({ acidity: 4.9 + 0.1 * Math.sin(9 * into), reports: { turb: 8 + Math.sin(7 * into) } }),
    alarms: raises(["ph_off", "MAJOR"], ["turbidity", "MINOR"]),
  },
];

const ofDeodorization: readonly Scenario[] = [
  {
    name: "scrubber-pump-off",
    title: text("循环泵停", "Circulation pump off"),
    summary: text("风机在转，循环泵停了", "The fans run and the circulation pump stands still"),
    kinds: ["deodorization"],
    lastsH: 3,
    effects: () => ({ pumpOff: true }),
    alarms: raises(
      ["pump_off", "CRITICAL"],
      ["outlet_high", "MINOR", "pump_off"],
      ["outlet_very_high", "MAJOR", "pump_off"],
    ),
  },
  {
    name: "acid-runs-out",
    title: text("酸液用尽", "Acid runs out"),
    summary: text("酸液不足，pH 升到 7，去除率减半", "Too little acid: pH 7, and removal is halved"),
    kinds: ["deodorization"],
    lastsH: 5,
    effects: (into) => ({ reports: { acid: 7 }, acidity: 7 + 0.1 * Math.sin(9 * into), removal: 0.55 }),
    alarms: raises(["acid_low", "MINOR"], ["ph_off", "MAJOR", "acid_low"], ["removal_low", "MAJOR", "acid_low"]),
  },
  {
    name: "clogged-pack",
    title: text("填料堵塞", "Clogged pack"),
    summary: text("填料压降升到 180 Pa", "The pressure drop of the pack rises to 180 Pa"),
    kinds: ["deodorization"],
    lastsH: 3,
    effects: (into) => ({ packPa: 180 + 4 * Math.sin(9 * into) }),
    alarms: raises(["clogged", "MAJOR"]),
  },
  {
    name: "pack-bypassed",
    title: text("填料短路", "Pack bypassed"),
    summary: text("风绕过填料，去除率跌到三成", "Air runs past the pack; removal falls to a third"),
    kinds: ["deodorization"],
    lastsH: 4,
    effects: (into) => ({ packPa: 6 + Math.sin(9 * into), removal: 0.45 }),
    alarms: raises(["bypassed", "MAJOR"], ["removal_low", "MAJOR", "bypassed"]),
  },
  {
    name: "drain-shut",
    title: text("排液阀不开", "Drain shut"),
    summary: text(
      "排液阀打不开，电导率超限，七天没有排液",
      "The drain does not open: conductivity beyond its limit, no discharge in a week",
    ),
    kinds: ["deodorization"],
    lastsH: 24 * 8,
    effects: () => ({ drainShut: true }),
    alarms: raises(["conductivity_high", "MINOR"], ["no_discharge", "MINOR", "conductivity_high"]),
    clearsH: 3,
  },
  {
    name: "records-lost",
    title: text("缺小时记录", "Records lost"),
    summary: text("法定小时记录四小时没有写", "The legal hourly record is not written for four hours"),
    kinds: ["deodorization"],
    lastsH: 4,
    effects: () => ({ unrecorded: true }),
    alarms: raises(["record_missing", "MINOR"]),
    clearsH: 2,
  },
  {
    name: "scrubber-off",
    title: text("除臭机停电", "Scrubber off"),
    summary: text(
      "控制器断电三小时，小时记录有缺口",
      "The controller is off for three hours, and hourly records are missing",
    ),
    kinds: ["deodorization"],
    lastsH: 3,
    effects: () => ({ silent: true }),
    alarms: raises(["offline", "MAJOR"], ["record_missing", "MINOR"]),
    clearsH: 2,
  },
  {
    name: "sump-empty",
    title: text("液位低", "Sump low"),
    summary: text("补水阀坏，液位 12%", "The filling valve fails; the level is at 12 %"),
    kinds: ["deodorization"],
    lastsH: 2,
    effects: () => ({ tank: 12 }),
    alarms: raises(["level_low", "MAJOR"]),
  },
  {
    name: "sump-overflow",
    title: text("液位高", "Sump overflow"),
    summary: text("补水阀关不上，液位 98%", "The filling valve does not close; the level is at 98 %"),
    kinds: ["deodorization"],
    lastsH: 2,
    effects: () => ({ tank: 98 }),
    alarms: raises(["level_high", "MINOR"]),
  },
];

const ofBungalow: readonly Scenario[] = [
  {
    name: "odour-at-boundary",
    title: text("场界臭气", "Odour at the boundary"),
    summary: text(
      "无风，场界氨、硫化氢、臭气都超限",
      "No wind: ammonia, hydrogen sulfide and odour are beyond the limits",
    ),
    kinds: ["bungalow-deodorization"],
    lastsH: 3,
    effects: () => ({ boundary: 5 }),
    alarms: raises(["boundary_ammonia", "MAJOR"], ["boundary_sulfide", "MAJOR"], ["boundary_odour", "MAJOR"]),
  },
  {
    name: "spray-dry",
    title: text("喷淋无水", "Spray runs dry"),
    summary: text("泵在转，喷不出水", "The pump runs and no water comes"),
    kinds: ["bungalow-deodorization"],
    lastsH: 2,
    effects: () => ({ dry: true }),
    alarms: raises(["no_flow", "MAJOR"], ["pressure_off", "MINOR", "no_flow"]),
  },
  {
    name: "weak-agent",
    title: text("药剂失效", "Weak agent"),
    summary: text("药剂失效，去除率不到三成", "The agent has lost its strength; removal is below 30 %"),
    kinds: ["bungalow-deodorization"],
    lastsH: 6,
    effects: () => ({ removal: 0.45 }),
    alarms: raises(["removal_low", "MINOR"]),
  },
  {
    name: "frozen-line",
    title: text("管路结冰", "Frozen line"),
    summary: text("管路零下一度，没有排空", "The line is at −1 °C and was not drained"),
    kinds: ["bungalow-deodorization"],
    lastsH: 2,
    effects: (into) => ({ reports: { t_water: -1 + 0.2 * Math.sin(9 * into), state: "idle" } }),
    alarms: raises(["frost", "MAJOR"]),
  },
  {
    name: "agent-runs-out",
    title: text("药箱将空", "Agent runs out"),
    summary: text("药箱只剩 9%，幕布破了", "The tank is down to 9 %, and the curtain is torn"),
    kinds: ["bungalow-deodorization"],
    lastsH: 2,
    effects: () => ({ tank: 9, reports: { curtain_ok: false } }),
    alarms: raises(["tank_low", "MINOR"], ["curtain_torn", "MINOR"]),
  },
];

const ofDosing: readonly Scenario[] = [
  {
    name: "valve-stuck",
    title: text("阀门卡死", "Valve stuck"),
    summary: text("1 号阀打不开，泵空转", "Valve 1 does not open and the pump runs against it"),
    kinds: ["dosing-station"],
    lastsH: 1,
    effects: () => ({ batch: true, valveStuck: true }),
    alarms: raises(["valve_not_in_place", "MAJOR"], ["no_flow", "MAJOR", "valve_not_in_place"]),
  },
  {
    name: "valve-leak",
    title: text("阀门内漏", "Leaking valve"),
    summary: text("阀全关，仍有流量", "All valves are closed and something flows"),
    kinds: ["dosing-station"],
    lastsH: 1,
    effects: () => ({ valveLeakLh: 20 }),
    alarms: raises(["flow_with_valves_closed", "CRITICAL"]),
    clearsH: 1,
  },
  {
    name: "tank-runs-out",
    title: text("药罐用尽", "Tank runs out"),
    summary: text("1 号罐见底", "Tank 1 is used up"),
    kinds: ["dosing-station"],
    lastsH: 4,
    hastens: true,
    effects: (into) => ({ reports: { tank_1: Math.max(2, 22 - 8 * into) } }),
    alarms: raises(["tank_1_low", "WARN"], ["tank_1_empty", "CRITICAL", "tank_1_low"]),
  },
  {
    name: "bad-batch",
    title: text("配药失准", "Bad batch"),
    summary: text(
      "批次量和浓度都偏高一成以上，且超时",
      "A batch is more than ten percent off in volume and strength, and late",
    ),
    kinds: ["dosing-station"],
    lastsH: 1.2,
    effects: () => ({ batch: true, batchOff: 17, batchSlow: true }),
    alarms: raises(
      ["dose_off", "MINOR", "dose_far_off"],
      ["dose_far_off", "MAJOR"],
      ["concentration_off", "MAJOR", "dose_far_off"],
      ["batch_timeout", "MAJOR"],
    ),
  },
  {
    name: "agent-expired",
    title: text("药剂过期", "Agent expired"),
    summary: text("1 号罐药剂过期三天", "The agent in tank 1 is three days over its date"),
    kinds: ["dosing-station"],
    lastsH: 1,
    effects: () => ({ reports: { tank_1_days_left: -3 } }),
    alarms: raises(["tank_1_expired", "MAJOR"]),
  },
  {
    name: "tank-leak",
    title: text("药罐渗漏", "Leaking tank"),
    summary: text("罐里少的比流量计走的多", "More is missing from the tank than has passed the meters"),
    kinds: ["dosing-station"],
    lastsH: 12,
    effects: () => ({ tankLeakLh: 8 }),
    alarms: raises(["mass_balance", "WARN"]),
    learnsDays: 2,
    clearsH: 26,
  },
  {
    name: "station-stopped",
    title: text("急停与溢液", "Overfill and emergency stop"),
    summary: text("2 号罐溢液，有人按了急停", "Tank 2 overflows and somebody presses the emergency stop"),
    kinds: ["dosing-station"],
    lastsH: 1.1,
    effects: () => ({ overfilled: true, stopped: true }),
    alarms: raises(["overfill", "CRITICAL"], ["emergency_stop", "CRITICAL", "overfill"]),
  },
];

/** Seconds that the clock of a device is ahead in its scenario. */
const clockAheadS = 90;

const ofAll: readonly Scenario[] = [
  {
    name: "silent-device",
    title: text("设备断电", "Device off"),
    summary: text("设备断电，三小时没有声音，一小时后又断", "A device is off for three hours of every four"),
    // An injector is off most of the day, and a scrubber that is off lacks its legal records as well.
    kinds: deviceKindIds.filter((kind) => kind !== "needleless" && kind !== "deodorization"),
    lastsH: 4,
    effects: (into) => (into % 4 < 3 ? { silent: true } : noEffects),
    alarms: raises(["offline"]),
  },
  {
    name: "injector-lost",
    title: text("注射器失联", "Injector lost"),
    summary: text("注射器一天多没有消息", "Nothing was heard of the injector for more than a day"),
    kinds: ["needleless"],
    lastsH: 26,
    effects: () => ({ silent: true }),
    alarms: raises(["offline", "WARN"]),
  },
  {
    name: "gateway-outage",
    title: text("网关断网", "Gateway outage"),
    summary: text("断网两小时，恢复后补传", "No connection for two hours; what was kept is sent afterwards"),
    kinds: deviceKindIds.filter((kind) => kind !== "needleless"),
    lastsH: 2,
    effects: () => ({ cutOff: true }),
    alarms: raises(["offline"]),
  },
  {
    name: "flapping",
    title: text("连接反复断开", "Flapping connection"),
    summary: text("每五分钟断两分钟，不应告警", "Two minutes of every five are lost, which is no alarm"),
    kinds: deviceKindIds,
    lastsH: 2,
    effects: (into) => ((into * 12) % 1 < 0.4 ? { cutOff: true } : noEffects),
    alarms: [],
  },
  {
    name: "clock-skew",
    title: text("时钟偏差", "Clock skew"),
    summary: text("设备时钟快 90 秒", "The clock of the device is 90 seconds ahead"),
    kinds: deviceKindIds,
    lastsH: 2,
    effects: () => ({ clockS: clockAheadS, reports: { clock_offset: clockAheadS } }),
    alarms: raises(["clock_skew", "WARN"]),
  },
  {
    name: "weak-signal",
    title: text("信号弱", "Weak signal"),
    summary: text("信号强度低于 −100 dBm", "The signal is below −100 dBm"),
    kinds: deviceKindIds,
    lastsH: 1,
    effects: () => ({ reports: { rssi: -108 } }),
    alarms: raises(["signal_weak", "WARN"]),
  },
  {
    name: "supply-lost",
    title: text("设备市电中断", "Supply lost"),
    summary: text("设备靠缓冲电池运行", "The device runs on its buffer battery"),
    kinds: [
      "cough",
      "bathroom",
      "disinfect",
      "deodorization",
      "bungalow-deodorization",
      "dosing-station",
      "weighbridge",
    ],
    lastsH: 0.5,
    effects: () => ({ reports: { supply_v: 12.1 } }),
    alarms: raises(["mains_loss", "MAJOR"]),
  },
  {
    name: "battery-empty",
    title: text("电池将尽", "Battery almost empty"),
    summary: text("电量降到 6%", "The battery falls to 6 %"),
    kinds: ["needleless", "temperature"],
    lastsH: 2,
    hastens: true,
    effects: (into) => ({ reports: { batt: Math.max(6, 24 - 18 * into) } }),
    alarms: raises(["battery_low", "WARN"], ["battery_empty", "MINOR", "battery_low"]),
  },
  {
    name: "sensor-broken",
    title: text("探头断线", "Broken probe"),
    summary: text("一只探头报出量程外的值", "A probe reports a value beyond its range"),
    kinds: deviceKindIds,
    lastsH: 0.5,
    // Each kind takes what it has.
    effects: () => ({
      reports: {
        rh: 104,
        room_t: 99,
        h2s_in: 70,
        clo2: 25,
        t_amb: 99,
        vaccine_t: -30,
        wind: 99,
        mix_ph: 15,
        t_box: 120,
      },
    }),
    alarms: raises(["sensor_range", "MINOR"]),
  },
  {
    name: "sensor-stuck",
    title: text("探头卡死", "Sensor stuck"),
    summary: text("一只探头八小时数值不变", "The value of a probe does not change for eight hours"),
    kinds: deviceKindIds,
    lastsH: 8,
    effects: () => ({
      reports: {
        rh: 64,
        room_t: 24.5,
        h2s_in: 0.4,
        turb: 0.4,
        t_amb: 20,
        vaccine_t: 5,
        wind: 2.2,
        mix_ph: 7.2,
        t_box: 18,
      },
    }),
    alarms: raises(["sensor_stuck", "WARN"]),
  },
];

const ofWeighbridge: readonly Scenario[] = [
  {
    name: "lorry-too-heavy",
    title: text("车辆超载", "Lorry too heavy"),
    summary: text("一辆 128 吨的车上了最大 120 吨的秤", "A lorry of 128 t drives onto a scale for 120 t"),
    kinds: ["weighbridge"],
    lastsH: 0.25,
    effects: () => ({ onPlatformKg: 128_000 }),
    alarms: raises(["overload", "MAJOR"]),
  },
  {
    name: "mud-on-platform",
    title: text("秤台积泥", "Mud on the platform"),
    summary: text("空秤显示 64 kg，每一车都多称", "The empty scale shows 64 kg; every lorry weighs too much"),
    kinds: ["weighbridge"],
    lastsH: 2,
    effects: () => ({ zeroKg: 64 }),
    alarms: raises(["not_zeroed", "MAJOR"]),
  },
  {
    name: "calibration-over",
    title: text("检定过期", "Calibration over"),
    summary: text("三天前检定过期，磅单不能结算", "The calibration ended three days ago; no ticket can be settled by"),
    kinds: ["weighbridge"],
    lastsH: 1,
    effects: () => ({ calDays: -3 }),
    alarms: raises(["calibration_expired", "MAJOR"], ["calibration_soon", "WARN", "calibration_expired"]),
  },
  {
    name: "restless-lorry",
    title: text("称不稳", "Weight does not settle"),
    summary: text("车在秤上晃，没稳定就出单", "A lorry shakes on the scale, and tickets are issued all the same"),
    kinds: ["weighbridge"],
    lastsH: 0.4,
    effects: () => ({ onPlatformKg: 38_000, restless: true }),
    alarms: raises(["unstable", "MINOR"], ["weighed_unstable", "MAJOR", "unstable"]),
  },
  {
    name: "dead-load-cell",
    title: text("传感器失效", "Dead load cell"),
    summary: text("一只称重传感器不受力", "One load cell carries nothing"),
    kinds: ["weighbridge"],
    lastsH: 0.4,
    effects: () => ({ onPlatformKg: 32_000, cellDead: true }),
    alarms: raises(["cells_uneven", "MINOR"]),
  },
  {
    name: "parked-on-scale",
    title: text("车停在秤上", "Parked on the scale"),
    summary: text("司机去吃饭，车在秤上停了一小时", "A driver has lunch and leaves the lorry on the scale for an hour"),
    kinds: ["weighbridge"],
    lastsH: 1,
    effects: () => ({ onPlatformKg: 27_000 }),
    alarms: raises(["left_on_scale", "WARN"]),
  },
  {
    name: "plates-unread",
    title: text("车牌没有识别", "Plates not read"),
    summary: text("摄像头被挡，磅单上没有车牌", "The camera is covered; tickets have no plate"),
    kinds: ["weighbridge"],
    lastsH: 2,
    effects: () => ({ plateless: true }),
    alarms: raises(["plate_missing", "WARN"]),
  },
];

const fanKeys = fanNumbers.map((number) => `fan_${number}`);
const each = (keys: readonly string[], value: ReportedValue): Record<string, ReportedValue> =>
  Object.fromEntries(keys.map((key) => [key, value]));

/** What devices send that cannot be true, or cannot be read. */
const unbelievable: readonly Scenario[] = [
  {
    name: "probes-unplugged",
    title: text("温度探头全部断线", "All temperature probes unplugged"),
    summary: text("五只探头都报 −127，没人知道舍里多热", "All five probes say −127; nobody knows how warm it is"),
    kinds: ["environment"],
    lastsH: 0.5,
    effects: () => ({ reports: each(["t_in", "t1", "t2", "t3", "t4"], -127) }),
    alarms: raises(["temperature_unknown", "CRITICAL"]),
  },
  {
    name: "firmware-commas",
    title: text("固件把小数点写成逗号", "Firmware that writes commas"),
    summary: text("升级后的读数是“36,5”，不是数字", "After an update readings come as “36,5”, which is no number"),
    kinds: ["environment"],
    lastsH: 0.5,
    effects: () => ({ reports: each(["t_in", "t1", "t2", "t3", "t4"], "36,5") }),
    alarms: raises(["temperature_unknown", "CRITICAL"]),
  },
  {
    name: "signals-unreadable",
    title: text("风机、市电和水表信号无法识别", "Signals of fans, mains and meter unreadable"),
    summary: text("控制器的输入模块坏了，只报 ERR", "The input module of the controller is broken and says ERR"),
    kinds: ["environment"],
    lastsH: 0.5,
    effects: () => ({ reports: each(["gear", "mains", "water", ...fanKeys], "ERR") }),
    alarms: raises(["ventilation_unknown", "MAJOR"], ["mains_unknown", "MAJOR"], ["water_unknown", "MINOR"]),
  },
  {
    name: "line-unreadable",
    title: text("水线探头无法识别", "Probes of the water line unreadable"),
    summary: text("流量计和余氯探头只报 ERR", "Flow meter and chlorine probes say ERR"),
    kinds: ["disinfect"],
    lastsH: 0.5,
    effects: () => ({ reports: each(["flow", "total", "free_cl", "clo2", "orp"], "ERR") }),
    alarms: raises(["flow_unknown", "MAJOR"], ["residual_unknown", "MAJOR"]),
  },
  {
    name: "pressure-unreadable",
    title: text("压差传感器无法识别", "Pressure sensor unreadable"),
    summary: text("压差传感器断线，报 65535", "The pressure sensor is cut off and says 65535"),
    kinds: ["deodorization"],
    lastsH: 0.5,
    effects: () => ({ reports: { dp: 65535 } }),
    alarms: raises(["pressure_unknown", "MAJOR"]),
  },
];

export const scenarios: readonly Scenario[] = [
  ...ofEnvironment,
  ...ofCough,
  ...ofTemperature,
  ...ofNeedleless,
  ...ofBathroom,
  ...ofDisinfect,
  ...ofDeodorization,
  ...ofBungalow,
  ...ofDosing,
  ...ofWeighbridge,
  ...unbelievable,
  ...ofAll,
];

const byName: ReadonlyMap<string, Scenario> = new Map(scenarios.map((scenario) => [scenario.name, scenario]));
export const scenarioOf = (name: string): Scenario | undefined => byName.get(name);

/** A scenario on a device. Plain data, so that it can be saved. Times are the device's, ms since 1970. */
export type ScenarioRun = {
  readonly name: string;
  readonly fromMs: number;
  /** Null runs until it is stopped. */
  readonly untilMs: number | null;
  /** How many times as fast as declared it unfolds; once where it is absent. It lasts as long all the same. */
  readonly speed?: number;
};

const hourMs = 3_600_000;

/** What all scenarios of a device change at a moment; of two that change the same thing the later one counts. */
export function effectsAt(runs: readonly ScenarioRun[], atMs: number): Effects {
  let effects = noEffects;
  for (const { name, fromMs, untilMs, speed = 1 } of runs) {
    if (atMs < fromMs || (untilMs !== null && atMs >= untilMs)) continue;
    const scenario = byName.get(name);
    if (scenario === undefined) continue;
    const leftH = untilMs === null ? Number.POSITIVE_INFINITY : (untilMs - atMs) / hourMs;
    const intoH = (atMs - fromMs) / hourMs;
    const own = scenario.effects(speed === 1 ? intoH : Math.min(intoH * speed, scenario.lastsH), leftH);
    effects = { ...effects, ...own, ...(own.reports && { reports: { ...effects.reports, ...own.reports } }) };
  }
  return effects;
}
