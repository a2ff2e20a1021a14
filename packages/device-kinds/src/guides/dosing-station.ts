/** Explanations of the alarms of dosing stations. */
import type { AlarmGuide } from "../device-kind.ts";
import { command } from "./acts.ts";
import { guide, sharedGuides, supplyGuides } from "./shared.ts";

const tankGuides = (number: number): readonly AlarmGuide[] => [
  guide(`tank_${number}_low`, {
    cause: [`${number} 号罐药液快用完`, `Tank ${number} is almost used up`],
    part: [`${number} 号罐`, `Tank ${number}`],
    consequence: ["下一批可能配不完", "The next batch may not be finished"],
    steps: [["补药，在设备页确认", "Fill it up and confirm that on the device page", command("acknowledgeRefill")]],
    leadsTo: [`tank_${number}_empty`],
  }),
  guide(`tank_${number}_empty`, {
    cause: [`${number} 号罐见底`, `Tank ${number} is empty`],
    part: [`${number} 号罐与泵`, `Tank ${number} and its pump`],
    consequence: ["泵吸空，配出来的药不够浓", "The pump draws air; what comes out is too thin"],
    steps: [
      ["停止批次", "Stop the batch", command("stop")],
      ["补药后灌泵再启动", "Fill up, prime the pump, then start again", command("prime")],
    ],
    leadsTo: ["no_flow", "dose_off", "dose_far_off", "concentration_off"],
  }),
  guide(`tank_${number}_expired`, {
    cause: [`${number} 号罐药剂过期`, `The agent in tank ${number} is over its date`],
    part: [`${number} 号罐`, `Tank ${number}`],
    consequence: ["消毒效果没有保证", "Disinfection can't be relied on"],
    steps: [
      ["停用这罐", "Don't use this tank"],
      ["按规定处理后换新药", "Dispose of it as required and fill a new lot"],
    ],
  }),
];

export const dosingStationGuides: readonly AlarmGuide[] = [
  ...sharedGuides,
  ...supplyGuides,
  ...[1, 2, 3].flatMap(tankGuides),
  guide("valve_not_in_place", {
    cause: ["阀门卡住、执行器坏或气源不足", "A valve is stuck, its actuator is broken, or air is missing"],
    part: ["它的执行器、反馈开关和气源", "Its actuator, its feedback switch, its air"],
    consequence: ["药送不出去，或送错地方", "The mix does not get out, or goes elsewhere"],
    steps: [
      ["停止批次", "Stop the batch", command("stop")],
      ["手动开关几次，看反馈", "Move it by hand a few times and watch the feedback", command("setValve")],
      ["换执行器", "Replace the actuator"],
    ],
    leadsTo: ["no_flow", "dose_off", "dose_far_off", "concentration_off", "batch_timeout"],
  }),
  guide("no_flow", {
    cause: ["管路堵、泵吸空或流量计坏", "A blocked pipe, an empty pump, or a broken meter"],
    part: ["泵、滤网、流量计", "Pump, strainer, meter"],
    consequence: ["批次完不成，泵会过热", "The batch is not finished; the pump overheats"],
    steps: [
      ["停泵", "Stop the pump", command("stop")],
      ["洗滤网，灌泵", "Clean the strainer and prime the pump"],
    ],
    leadsTo: ["dose_off", "dose_far_off", "batch_timeout"],
  }),
  guide("flow_with_valves_closed", {
    cause: ["阀门内漏，或管路破了", "A valve leaks, or a pipe is broken"],
    part: ["阀门与管路", "Valves and pipes"],
    consequence: ["药液流到不该去的地方", "The agent runs where it should not"],
    steps: [
      ["关手动总阀", "Shut the main valve by hand"],
      ["沿管路找漏点，冲洗地面", "Follow the pipe to the leak and rinse the floor"],
    ],
    leadsTo: ["mass_balance"],
  }),
  guide("dose_off", {
    cause: ["流量系数不准，或泵打滑", "The K factor is off, or the pump slips"],
    part: ["流量计与泵", "Meter and pump"],
    consequence: ["药量偏多或偏少", "Too much or too little agent"],
    steps: [["用量筒校准流量系数", "Calibrate the K factor with a measuring vessel"]],
  }),
  guide("dose_far_off", {
    cause: ["流量计失准、阀门漏或管里有气", "The meter is wrong, a valve leaks, or there is air in the pipe"],
    part: ["流量计、阀门、管路", "Meter, valves, pipes"],
    consequence: ["消毒不合格，或药残超标", "Poor disinfection, or too much of the agent left"],
    steps: [
      ["这批不要用", "Don't use this batch"],
      ["校准流量系数，重配一批", "Calibrate and mix another one", command("calibrate")],
    ],
    leadsTo: ["dose_off", "concentration_off"],
  }),
  guide("concentration_off", {
    cause: ["原液浓度变了，或配比设错", "The stock has another strength, or the ratio is wrong"],
    part: ["原液与配方", "Stock and recipe"],
    consequence: ["消毒不合格，或伤人伤猪", "Poor disinfection, or harm to people and pigs"],
    steps: [
      ["这批不要用", "Don't use this batch"],
      ["测原液浓度，核对配方", "Measure the stock and check the recipe"],
    ],
  }),
  guide("batch_timeout", {
    cause: ["流量小、阀门没有到位或管路堵", "Little flow, a valve out of place, or a blocked pipe"],
    part: ["泵、阀、管路", "Pump, valves, pipes"],
    consequence: ["药没有按时送到", "The agent is late"],
    steps: [
      ["看流量和压力", "Look at flow and pressure"],
      ["查滤网和阀门", "Check strainer and valves"],
    ],
  }),
  guide("overfill", {
    cause: ["进料阀关不上，或液位计坏", "The inlet valve does not close, or the level gauge failed"],
    part: ["进料阀与液位计", "Inlet valve and gauge"],
    consequence: ["药液溢出，伤人、污染", "The agent spills: danger to people, pollution"],
    steps: [
      ["关进料阀，戴护具处理溢液", "Shut the inlet and clear the spill, with protection"],
      ["查液位计", "Check the gauge"],
    ],
    leadsTo: ["emergency_stop"],
  }),
  guide("mass_balance", {
    cause: ["罐或管路渗漏，或流量计不准", "Tank or pipe leaks, or a meter is off"],
    part: ["罐体、管路、流量计", "Tank, pipes, meters"],
    consequence: ["药液流失，用量算不准", "Agent is lost, and use can't be told"],
    steps: [
      ["看罐底和接头", "Look at tank and joints"],
      ["校准流量系数", "Calibrate the K factor", command("calibrate")],
    ],
  }),
  guide("emergency_stop", {
    cause: ["有人按了急停", "Somebody pressed the emergency stop"],
    part: ["站点现场", "At the station"],
    consequence: ["全部停止，等人复位", "All stands still until it is reset"],
    steps: [
      ["先问现场出了什么事", "Ask at the station what happened"],
      ["确认安全后复位", "Reset it when it is safe"],
    ],
  }),
];
