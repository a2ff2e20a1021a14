/** Explanations of the alarms of spray curtains. */
import type { AlarmGuide } from "../device-kind.ts";
import { command } from "./acts.ts";
import { guide, sharedGuides, supplyGuides } from "./shared.ts";

const boundary = ["boundary_ammonia", "boundary_sulfide", "boundary_odour"] as const;

export const bungalowDeodorizationGuides: readonly AlarmGuide[] = [
  ...sharedGuides,
  ...supplyGuides,
  guide("no_flow", {
    cause: ["水源断了、滤网堵死或泵进空气", "No water, a blocked strainer, or air in the pump"],
    part: ["水源、滤网、泵", "Water, strainer, pump"],
    consequence: ["没有除臭，泵会烧坏", "Nothing is washed, and the pump burns out"],
    steps: [
      ["先停泵", "Stop the pump first", command("setPump")],
      ["开水阀、洗滤网、排气", "Open the water, clean the strainer, drive out air"],
    ],
    leadsTo: ["pressure_off", "removal_low", ...boundary],
  }),
  guide("pressure_off", {
    cause: ["喷嘴堵或破，泵磨损", "Nozzles are blocked or broken, or the pump is worn"],
    part: ["喷嘴与泵", "Nozzles and pump"],
    consequence: ["雾化不好，除臭差", "Poor mist takes out little"],
    steps: [
      ["看哪些喷嘴不出雾", "See which nozzles give no mist"],
      ["清洗或更换喷嘴", "Clean or replace them"],
    ],
    leadsTo: ["removal_low"],
  }),
  guide("tank_low", {
    cause: ["药箱没有补", "The tank was not filled up"],
    part: ["药箱", "Tank"],
    consequence: ["用完后只喷清水", "When it is empty only water is sprayed"],
    steps: [["补药", "Fill up the agent"]],
    leadsTo: ["removal_low"],
  }),
  guide("curtain_torn", {
    cause: ["大风或磨损", "Wind or wear"],
    part: ["幕布", "Curtain"],
    consequence: ["废气从破口直接出去", "Air leaves through the hole"],
    steps: [
      ["用扎带先补上", "Close it with ties for now"],
      ["换幕布", "Replace the curtain"],
    ],
    leadsTo: ["removal_low", ...boundary],
  }),
  guide("removal_low", {
    cause: ["药剂失效、浓度低或喷淋不匀", "A spent or thin agent, or an uneven spray"],
    part: ["药剂与喷嘴", "Agent and nozzles"],
    consequence: ["场界臭味加重", "More odour at the boundary"],
    steps: [
      ["核对药剂日期和比例", "Check date and ratio of the agent"],
      ["看喷雾是否盖满", "See whether the mist covers all of it"],
    ],
    leadsTo: [...boundary],
    danger: 15,
  }),
  guide("frost", {
    cause: ["气温低，管路没有排空", "It is cold and the line was not drained"],
    part: ["喷淋管路", "Spray line"],
    consequence: ["管子和喷嘴冻裂", "Pipes and nozzles burst"],
    steps: [
      ["立即排空管路", "Drain the line now"],
      ["查自动排空和伴热", "Check automatic drain and heat tracing"],
    ],
    danger: -2,
  }),
  guide("boundary_ammonia", {
    cause: ["除臭不够，或无风积聚", "Too little is taken out, or no wind carries it away"],
    part: ["下风向场界", "Boundary downwind"],
    consequence: ["超过排放标准，周边投诉", "Beyond the standard; neighbours complain"],
    steps: [
      ["开足喷淋，加药", "Spray fully, with more agent"],
      ["暂停清粪和翻堆", "Stop moving manure for now"],
    ],
    danger: 3,
  }),
  guide("boundary_sulfide", {
    cause: ["粪污厌氧或正在清粪", "Manure without air, or being moved"],
    part: ["粪沟与储粪池", "Pits and manure store"],
    consequence: ["超过排放标准，人员不适", "Beyond the standard; people feel unwell"],
    steps: [
      ["暂停清粪，盖好储粪池", "Stop moving manure and cover the store"],
      ["开足喷淋", "Spray fully"],
    ],
    danger: 0.2,
  }),
  guide("boundary_odour", {
    cause: ["除臭不够，或无风积聚", "Too little is taken out, or no wind carries it away"],
    part: ["下风向场界", "Boundary downwind"],
    consequence: ["超过排放标准，周边投诉", "Beyond the standard; neighbours complain"],
    steps: [
      ["开足喷淋，加药", "Spray fully, with more agent"],
      ["告诉附近的人已经在处理", "Tell the neighbours that it is being mended"],
    ],
  }),
];
