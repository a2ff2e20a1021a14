/** Explanations of the alarms of bathrooms. */
import type { AlarmGuide } from "../device-kind.ts";
import { guide, sharedGuides, supplyGuides } from "./shared.ts";

const back = ["请这个人回到脏区，重新洗澡更衣", "Send the person back to the dirty side to shower and change"] as const;

export const bathroomGuides: readonly AlarmGuide[] = [
  ...sharedGuides,
  ...supplyGuides,
  guide("bypass", {
    cause: ["有人没有洗澡就进了净区", "Somebody entered the clean side without a shower"],
    part: ["净区门与当事人", "Clean door and the person"],
    consequence: ["可能把病原带进猪场", "Germs may have come into the farm"],
    steps: [
      back,
      ["查清走过哪些地方，做消毒", "Find out where the person went and disinfect it"],
      ["检查门锁和互锁", "Check lock and interlock"],
    ],
  }),
  guide("both_doors", {
    cause: ["互锁失灵，或有人顶住了门", "The interlock failed, or somebody held a door"],
    part: ["两道门与互锁", "Both doors and the interlock"],
    consequence: ["脏区和净区连通", "Dirty and clean side are one"],
    steps: [
      ["立即关上一道门", "Shut one door at once"],
      ["试互锁是否还起作用", "Try whether the interlock still works"],
    ],
  }),
  guide("under_time", {
    cause: ["洗澡时间不够", "The shower was too short"],
    part: ["当事人", "The person"],
    consequence: ["没有洗净，病原可能带入", "Not clean: germs may come in"],
    steps: [back, ["班前会上再讲一次要求", "Explain the rule again at the next meeting"]],
  }),
  guide("unknown_person", {
    cause: ["刷了没有登记的卡", "A card that is not on the list was used"],
    part: ["脏区门", "Dirty door"],
    consequence: ["不知道来历的人可能进场", "Somebody unknown may come in"],
    steps: [
      ["到门口核对身份", "Go to the door and check who it is"],
      ["需要进场的先登记", "Put on the list whoever has to come in"],
    ],
  }),
  guide("quarantine_breach", {
    cause: ["隔离期还没有满", "The quarantine is not over"],
    part: ["当事人", "The person"],
    consequence: ["从别的猪场带来病原的风险", "Germs of another farm may come in"],
    steps: [
      ["请回隔离区", "Send the person back to quarantine"],
      ["查最近去过哪里", "Ask where the person has been"],
    ],
  }),
  guide("too_long", {
    cause: ["人在里面超过时限：可能晕倒或被锁住", "A person has been inside too long: fainted, or locked in"],
    part: ["淋浴间", "Shower room"],
    consequence: ["有人身危险", "The person may be in danger"],
    steps: [
      ["立即敲门、喊话", "Knock and call at once"],
      ["没有回应就开门救人", "Without an answer open the door and help"],
    ],
  }),
  guide("scald", {
    cause: ["恒温阀失灵", "The mixing valve has failed"],
    part: ["恒温阀与热水器", "Mixing valve and heater"],
    consequence: ["会烫伤人，水已自动关", "It burns; the water was shut off"],
    steps: [
      ["停用这间，挂牌", "Close this room and put up a sign"],
      ["修恒温阀", "Repair the mixing valve"],
    ],
    leadsTo: ["water_temperature"],
    danger: 55,
  }),
  guide("water_temperature", {
    cause: ["热水不够，或恒温阀不准", "Too little hot water, or the mixing valve is off"],
    part: ["水箱、恒温阀", "Tank, mixing valve"],
    consequence: ["水凉人就洗不够时间", "In cold water nobody showers long enough"],
    steps: [
      ["看水箱温度和液位", "Look at temperature and level of the tank"],
      ["调恒温阀", "Adjust the mixing valve"],
    ],
  }),
  guide("tank_low", {
    cause: ["水箱或消毒液没有补", "Tank or disinfectant was not filled up"],
    part: ["水箱、消毒液桶", "Tank, disinfectant"],
    consequence: ["很快不能洗澡", "Soon nobody can shower"],
    steps: [
      ["补水、补消毒液", "Fill up water and disinfectant"],
      ["查进水阀", "Check the inlet valve"],
    ],
  }),
  guide("gate_silent", {
    cause: ["门禁断线或断电", "The gate is cut off or without power"],
    part: ["门禁控制器", "Gate controller"],
    consequence: ["有人绕行也不会知道", "A bypass would not be noticed"],
    steps: [
      ["派人看门", "Put somebody at the door"],
      ["查门禁电源和接线", "Check power and cables of the gate"],
    ],
  }),
];
