/** Explanations of the alarms of the cough monitor. */
import type { AlarmGuide } from "../device-kind.ts";
import { command, people } from "./acts.ts";
import { guide, sharedGuides, supplyGuides } from "./shared.ts";

const listen = ["进舍听咳嗽，看是哪几栏", "Go in, listen, and find the pens that cough"] as const;
const air = [
  "看氨气和昼夜温差，先把空气弄好",
  "Look at ammonia and at the swing of temperature, and mend the air first",
] as const;
const vet = ["联系兽医采样", "Ask the vet to take samples"] as const;

export const coughGuides: readonly AlarmGuide[] = [
  ...sharedGuides,
  ...supplyGuides,
  guide("index_above_baseline", {
    cause: [
      "咳嗽比这个单元的平常多：空气差，或呼吸道病刚开始",
      "More coughing than this unit usually has: bad air, or the start of an illness",
    ],
    part: ["咳嗽集中的栏", "The pens with most coughs"],
    consequence: ["不处理，几天内可能传开", "Without action it may spread within days"],
    steps: [listen, air, vet],
    leadsTo: ["index_doubled", "index_fourfold", "health_score_low", "health_score_very_low", "episode"],
  }),
  guide("index_doubled", {
    cause: ["呼吸道病在扩散", "A respiratory illness is spreading"],
    part: ["整个单元", "The whole unit"],
    consequence: ["采食下降，料肉比变差", "Pigs eat less and grow less"],
    steps: [
      vet,
      ["病猪隔离，人员从健康单元走向发病单元", "Isolate sick pigs; walk from healthy to sick units only"],
      air,
    ],
    leadsTo: ["index_fourfold", "health_score_low", "health_score_very_low", "episode"],
  }),
  guide("index_fourfold", {
    cause: ["呼吸道病暴发", "An outbreak of a respiratory illness"],
    part: ["整个单元", "The whole unit"],
    consequence: ["可能出现死亡，波及邻近单元", "Pigs may die, and other units are in danger"],
    steps: [
      ["立即叫兽医，按方案用药", "Call the vet now and treat as planned", people],
      ["停止转群，封闭单元", "Stop moving pigs and close the unit"],
      air,
    ],
    leadsTo: ["health_score_low", "health_score_very_low"],
  }),
  guide("health_score_low", {
    cause: ["咳嗽持续偏多", "There has been much coughing for long"],
    part: ["整个单元", "The whole unit"],
    consequence: ["呼吸道健康在变差", "Respiratory health gets worse"],
    steps: [listen, vet],
    leadsTo: ["health_score_very_low"],
    danger: 40,
  }),
  guide("health_score_very_low", {
    cause: ["严重的呼吸道问题持续半天以上", "A grave respiratory problem for half a day or more"],
    part: ["整个单元", "The whole unit"],
    consequence: ["死亡和用药成本都会上升", "Losses and the cost of treatment rise"],
    steps: [
      ["立即叫兽医", "Call the vet now", people],
      ["封闭单元，停止转群", "Close the unit and stop moving pigs"],
    ],
    danger: 20,
  }),
  guide("noise", {
    cause: ["风机、料线异响，或猪群受惊", "Fans or feeders rattle, or the pigs are frightened"],
    part: ["风机与料线", "Fans and feeders"],
    consequence: ["猪群应激，咳嗽也听不清", "Pigs are stressed, and coughs can't be heard"],
    steps: [
      ["找到声音来源", "Find where the noise comes from"],
      ["紧固或停用异响的设备", "Fasten what rattles, or stop it"],
    ],
    danger: 100,
  }),
  guide("microphone_fault", {
    cause: ["拾音头损坏、受潮或接线断开", "The microphone is broken or wet, or its cable is cut"],
    part: ["拾音头", "Microphone"],
    consequence: ["咳嗽听不到，发病会漏报", "Coughs are not heard, and an illness is missed"],
    steps: [
      ["在设备页做拾音自检", "Run the microphone test from the device page", command("testMicrophone")],
      ["擦干、换防尘网，还不行就更换", "Dry it, change its filter, else replace it"],
    ],
    leadsTo: ["microphone_silent", "coverage_low"],
  }),
  guide("microphone_silent", {
    cause: ["拾音头被堵住或糊住", "The microphone is covered"],
    part: ["拾音头", "Microphone"],
    consequence: ["咳嗽听不到，发病会漏报", "Coughs are not heard, and an illness is missed"],
    steps: [
      ["清洁拾音头和防尘网", "Clean the microphone and its filter"],
      ["做拾音自检", "Run the microphone test"],
    ],
    leadsTo: ["coverage_low"],
  }),
  guide("coverage_low", {
    cause: ["设备断续离线，或拾音中断", "The device was away at times, or did not hear"],
    part: ["设备电源、网络、拾音头", "Power, network, microphone"],
    consequence: ["指数不可信，基线会偏", "The index can't be trusted, and the baseline shifts"],
    steps: [
      ["看设备的离线记录", "Look at when the device was away"],
      ["修好供电和网络", "Mend its power and network"],
    ],
  }),
  guide("episode", {
    cause: ["一次咳嗽过程刚结束", "An episode of coughing has just ended"],
    part: ["整个单元", "The whole unit"],
    consequence: ["对照用药，看是否有效", "Compare it with the treatment to see whether that worked"],
    steps: [["在过程列表里看起止和峰值", "See its onset, peak and end in the list of episodes"]],
  }),
];
