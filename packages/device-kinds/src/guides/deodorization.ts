/** Explanations of the alarms of scrubbers. */
import type { AlarmGuide } from "../device-kind.ts";
import { command } from "./acts.ts";
import { guide, sharedGuides, supplyGuides, unknownGuide } from "./shared.ts";

const foul = ["removal_low", "outlet_high", "outlet_very_high"] as const;

export const deodorizationGuides: readonly AlarmGuide[] = [
  unknownGuide("pressure_unknown", {
    part: ["压差传感器和取压管", "Pressure sensor and its tubes"],
    consequence: [
      "填料堵了也看不出来，排风会被憋住",
      "A clogged pad would not show and could hold the air of the house back",
    ],
    byHand: ["到除臭墙看出风是否正常", "Go and see whether air leaves the scrubber as it should"],
  }),
  ...sharedGuides,
  ...supplyGuides,
  guide("pump_off", {
    cause: ["循环泵跳闸、缺水保护或被手动关掉", "The circulation pump tripped, has no water, or was switched off"],
    part: ["循环泵与配电箱", "Circulation pump and its switch box"],
    consequence: ["废气没有洗就排出去，算不达标", "Air leaves unwashed; these hours don't comply"],
    steps: [
      ["看液位，合上空开重启泵", "Look at the level, close the breaker, restart the pump", command("start")],
      ["再停就查泵的电流和叶轮", "If it stops again, check its current and impeller"],
    ],
    leadsTo: [...foul],
  }),
  guide("level_low", {
    cause: ["补水阀没有开，或池子漏", "The filling valve does not open, or the sump leaks"],
    part: ["补水阀与水池", "Filling valve and sump"],
    consequence: ["泵会干转", "The pump will run dry"],
    steps: [
      ["手动补水", "Fill it by hand", command("refill")],
      ["查补水阀和浮球", "Check valve and float"],
    ],
    leadsTo: ["pump_off", ...foul],
  }),
  guide("level_high", {
    cause: ["补水阀关不上，或排液不畅", "The filling valve does not close, or the drain is blocked"],
    part: ["补水阀与排液阀", "Filling and drain valves"],
    consequence: ["溢出，药液被冲稀", "It overflows, and the agent is diluted"],
    steps: [["关总水阀，查浮球", "Shut the water and check the float"]],
  }),
  guide("acid_low", {
    cause: ["酸液没有补", "The acid was not filled up"],
    part: ["酸罐", "Acid tank"],
    consequence: ["pH 升高，氨洗不掉", "The pH rises and ammonia is not taken out"],
    steps: [
      ["戴护具补酸", "Fill up acid, with protection"],
      ["核对用量是否正常", "See whether the use is as usual"],
    ],
    leadsTo: ["ph_off", ...foul],
  }),
  guide("ph_off", {
    cause: ["加酸不够或过量，或 pH 探头不准", "Too little or too much acid, or the probe is off"],
    part: ["加酸泵与 pH 探头", "Acid pump and pH probe"],
    consequence: ["去除率下降，记录不达标", "Removal falls and the record does not comply"],
    steps: [
      ["用试纸复测", "Check with a test strip"],
      ["查加酸泵，校准探头", "Check the acid pump, calibrate the probe"],
    ],
    leadsTo: [...foul],
  }),
  guide("conductivity_high", {
    cause: ["该排液没有排", "It was not drained when it should have been"],
    part: ["排液阀", "Drain valve"],
    consequence: ["盐分饱和，洗不下氨，填料结垢", "Saturated with salt: less removal, scale on the pack"],
    steps: [
      ["手动排液并补水", "Drain by hand and fill up", command("drain")],
      ["查排液阀", "Check the drain valve"],
    ],
    leadsTo: ["no_discharge", ...foul],
    danger: 300,
  }),
  guide("no_discharge", {
    cause: ["排液阀不开，或流量计坏", "The drain does not open, or its meter is broken"],
    part: ["排液阀与流量计", "Drain valve and meter"],
    consequence: ["法定记录缺排液量", "The legal record has no discharge"],
    steps: [["手动排一次，看流量计走不走", "Drain once by hand and watch the meter", command("drain")]],
  }),
  guide("clogged", {
    cause: ["填料积灰、结垢", "Dust or scale in the pack"],
    part: ["填料", "Pack"],
    consequence: ["风阻大，舍内通风不足", "Resistance grows, and the house gets too little air"],
    steps: [
      ["冲洗喷嘴和填料", "Flush nozzles and pack"],
      ["排期停机清洗", "Plan a stop for cleaning"],
    ],
    danger: 250,
  }),
  guide("bypassed", {
    cause: ["填料塌陷、密封条掉了，或没有喷水", "The pack has sunk, a seal is off, or nothing is sprayed"],
    part: ["填料与密封", "Pack and seals"],
    consequence: ["废气绕过填料直接排出", "Air leaves past the pack"],
    steps: [
      ["打开检修门看填料和喷淋", "Open the door and look at pack and spray"],
      ["补密封条", "Put the seals back"],
    ],
    leadsTo: [...foul],
  }),
  guide("removal_low", {
    cause: ["洗涤液失效，或喷淋不匀", "The wash water is spent, or the spray is uneven"],
    part: ["pH、喷嘴、填料", "pH, nozzles, pack"],
    consequence: ["不达标，周边会投诉", "It does not comply; neighbours complain"],
    steps: [
      ["看 pH 和电导率", "Look at pH and conductivity"],
      ["冲洗喷嘴", "Flush the nozzles"],
    ],
    leadsTo: ["outlet_high", "outlet_very_high"],
    danger: 40,
  }),
  guide("outlet_high", {
    cause: ["去除不够，或进口氨太高", "Too little is taken out, or too much comes in"],
    part: ["洗涤液与舍内通风", "Wash water, ventilation of the house"],
    consequence: ["周边臭味加重", "More odour around the farm"],
    steps: [
      ["看 pH 和循环泵", "Look at pH and pump"],
      ["清粪沟，降低进口浓度", "Drain the pit so that less comes in"],
    ],
    leadsTo: ["outlet_very_high"],
    danger: 30,
  }),
  guide("outlet_very_high", {
    cause: ["几乎没有去除", "Hardly anything is taken out"],
    part: ["循环泵、填料、洗涤液", "Pump, pack, wash water"],
    consequence: ["排放超标", "Emissions beyond the limit"],
    steps: [
      ["确认泵在转、有喷水", "Make sure that the pump runs and water is sprayed"],
      ["加酸、换液", "Add acid, change the water"],
    ],
  }),
  guide("record_missing", {
    cause: [
      "控制器没有写小时记录：停过机或存储故障",
      "The controller wrote no hourly record: it was off, or its store failed",
    ],
    part: ["控制器", "Controller"],
    consequence: ["法定记录有缺口，检查时要说明", "The legal record has a gap that has to be explained"],
    steps: [
      ["看停机时段，写明原因", "See when it was off and note why"],
      ["反复缺就更换存储卡", "If it happens again, replace the card"],
    ],
  }),
];
