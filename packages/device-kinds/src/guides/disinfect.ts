/** Explanations of the alarms of water disinfection. */
import type { AlarmGuide } from "../device-kind.ts";
import { command } from "./acts.ts";
import { guide, sharedGuides, supplyGuides, unknownGuide } from "./shared.ts";

const weak = ["residual_low", "orp_low", "orp_very_low"] as const;
const measure = ["用比色管复测末端水样", "Measure a sample at the last drinker with a test kit"] as const;

export const disinfectGuides: readonly AlarmGuide[] = [
  unknownGuide("flow_unknown", {
    part: ["流量计和脉冲线", "Flow meter and its pulse cable"],
    consequence: ["断水看不出来，加药也没有依据", "No water would not show, and dosing has nothing to go by"],
    byHand: ["打开末端水龙头看有没有水", "Open a tap at the end of the line and see whether water comes"],
  }),
  unknownGuide("residual_unknown", {
    part: ["余氯、二氧化氯和 ORP 探头", "Probes of chlorine, chlorine dioxide and ORP"],
    consequence: [
      "加多加少都看不出来，猪喝的水没人知道",
      "Too much or too little would not show in what the pigs drink",
    ],
    byHand: ["用试纸在末端测一次余量", "Measure the residual at the end of the line with a test strip"],
  }),
  ...sharedGuides,
  ...supplyGuides,
  guide("stock_low", {
    cause: ["药液快用完", "The stock solution is almost used up"],
    part: ["药桶", "Stock tank"],
    consequence: ["用完后水不再消毒", "When it is empty the water is not disinfected"],
    steps: [
      ["今天配药补满", "Mix and fill up today"],
      ["看用量是否突然变大", "See whether it is used faster than usual"],
    ],
    leadsTo: ["stock_empty", "no_dosing", ...weak],
  }),
  guide("stock_empty", {
    cause: ["药液用完", "The stock solution is used up"],
    part: ["药桶", "Stock tank"],
    consequence: ["猪喝的是没有消毒的水", "Pigs drink water that is not disinfected"],
    steps: [["立即补药，排空泵里的空气", "Fill up now and drive the air out of the pump"], measure],
    leadsTo: ["no_dosing", ...weak],
  }),
  guide("no_dosing", {
    cause: ["加药泵卡死、进空气或断电", "The dosing pump is stuck, full of air, or without power"],
    part: ["加药泵与吸液管", "Dosing pump and suction tube"],
    consequence: ["余氯很快降到零", "The residual soon falls to nothing"],
    steps: [
      ["看泵转不转，吸液管有没有气泡", "See whether the pump turns and the tube has bubbles"],
      ["排气、换泵膜", "Drive out air, change the membrane"],
      measure,
    ],
    leadsTo: [...weak],
  }),
  guide("residual_low", {
    cause: ["投加不够，或水里有机物多", "Too little is dosed, or the water is dirty"],
    part: ["加药泵与水源", "Dosing pump and source"],
    consequence: ["病原随饮水传播", "Germs spread with the water"],
    steps: [
      measure,
      ["调高投加，再看 30 分钟", "Dose more and watch for 30 minutes"],
      ["冲洗管路里的生物膜", "Flush the biofilm out of the line"],
    ],
    leadsTo: ["orp_low", "orp_very_low"],
    danger: 0.1,
  }),
  guide("residual_high", {
    cause: ["投加过量，或流量计不准", "Too much is dosed, or the meter is off"],
    part: ["加药泵与流量计", "Dosing pump and meter"],
    consequence: ["水有味，猪少喝", "The water tastes; pigs drink less"],
    steps: [["调低投加", "Dose less"], measure],
    leadsTo: ["residual_danger", "orp_high", "pump_stopped"],
    danger: 5,
  }),
  guide("residual_danger", {
    cause: ["投加失控", "Dosing is out of control"],
    part: ["加药泵与控制器", "Dosing pump and controller"],
    consequence: [
      "伤口腔和胃，猪拒水；泵已停",
      "It hurts mouth and stomach; pigs refuse to drink. The pump was stopped",
    ],
    steps: [
      ["关掉加药，开末端放水", "Stop dosing and let water run at the end of the line"],
      measure,
      ["查清原因再恢复", "Find the cause before you resume"],
    ],
    leadsTo: ["orp_high", "pump_stopped"],
    danger: 10,
  }),
  guide("orp_low", {
    cause: ["消毒力不够，或探头脏了", "Too little power to disinfect, or a dirty probe"],
    part: ["ORP 探头与投加", "ORP probe and dosing"],
    consequence: ["水的杀菌力下降", "The water kills fewer germs"],
    steps: [["擦净探头", "Clean the probe"], measure],
    leadsTo: ["orp_very_low"],
    danger: 600,
  }),
  guide("orp_very_low", {
    cause: ["几乎没有消毒", "Hardly any disinfection"],
    part: ["加药泵与药桶", "Dosing pump and stock tank"],
    consequence: ["病原随饮水传播", "Germs spread with the water"],
    steps: [["看药桶和加药泵", "Look at stock tank and pump"], measure],
  }),
  guide("orp_high", {
    cause: ["投加过量", "Too much is dosed"],
    part: ["加药泵", "Dosing pump"],
    consequence: ["腐蚀管件，猪少喝", "Corrodes the line; pigs drink less"],
    steps: [["调低投加", "Dose less"], measure],
  }),
  guide("ph_off", {
    cause: ["加酸过多或过少", "Too much or too little acid"],
    part: ["加酸泵与 pH 探头", "Acid pump and pH probe"],
    consequence: ["消毒效果差，猪少喝，管件腐蚀", "Poor disinfection, less drinking, corrosion"],
    steps: [
      ["用试纸复测", "Check with a test strip"],
      ["调加酸，校准探头", "Adjust the acid and calibrate the probe"],
    ],
  }),
  guide("dosing_without_flow", {
    cause: ["流量开关失灵，没有水泵还在加药", "The flow switch failed: the pump doses into standing water"],
    part: ["流量开关与加药泵", "Flow switch and dosing pump"],
    consequence: [
      "管里积下高浓度药液，来水时直接进猪嘴",
      "Strong solution gathers in the line and reaches the pigs with the next water",
    ],
    steps: [
      ["立即停加药泵", "Stop the dosing pump at once", command("stopPump")],
      ["放掉这段管里的水", "Let out the water of this part of the line"],
      ["换流量开关", "Replace the flow switch"],
    ],
  }),
  guide("pump_stopped", {
    cause: ["余氯过高，控制器停了加药泵", "The controller stopped dosing as the residual is too high"],
    part: ["加药泵", "Dosing pump"],
    consequence: ["恢复前不再消毒", "Nothing is disinfected until it is resumed"],
    steps: [
      measure,
      ["正常后在设备页恢复加药", "When it is right again, resume dosing from the device page", command("resetPump")],
    ],
  }),
  guide("turbidity", {
    cause: ["水源浑浊，或过滤器失效", "The source is turbid, or the filter has failed"],
    part: ["水源与过滤器", "Source and filter"],
    consequence: ["消毒剂被消耗，管路长生物膜", "Uses up the disinfectant; biofilm grows"],
    steps: [
      ["反冲或更换过滤器", "Backwash or replace the filter"],
      ["雨后先停用这口井", "After rain rest this well"],
    ],
  }),
  guide("night_flow", {
    cause: ["管路或饮水器漏水", "A pipe or a drinker leaks"],
    part: ["饮水线", "Drinking line"],
    consequence: ["浪费水和药", "Water and agent are lost"],
    steps: [["夜里分段关阀找漏点", "Close the line section by section at night"]],
  }),
  guide("use_dropped", {
    cause: [
      "猪群喝水少：发病先兆，或水压不足、水有味",
      "Pigs drink less: first sign of an illness, low pressure, or a taste",
    ],
    part: ["猪群与水压", "Herd and water pressure"],
    consequence: ["不喝水就不吃料", "Pigs that don't drink don't eat"],
    steps: [
      ["看猪的精神和采食", "Look at the pigs and what they eat"],
      ["按几只饮水器看水量", "Press some drinkers and look at the flow"],
      ["对照咳嗽和体温", "Compare coughs and temperatures"],
    ],
  }),
  guide("calibration_due", {
    cause: ["探头三十天没有校准", "The probes were not calibrated for thirty days"],
    part: ["余氯、ORP、pH 探头", "Chlorine, ORP and pH probes"],
    consequence: ["读数会慢慢偏", "Values drift"],
    steps: [["用标准液校准，在设备页记录", "Calibrate with reference solutions and note it on the device page"]],
  }),
];
