/** Explanations of the alarms of the herd thermometer. */
import type { AlarmGuide } from "../device-kind.ts";
import { command, people } from "./acts.ts";
import { guide, portableGuides, sharedGuides } from "./shared.ts";

const check = ["用肛温计复核几头", "Check some pigs with a rectal thermometer"] as const;
const vet = ["联系兽医采样", "Ask the vet to take samples"] as const;

export const temperatureGuides: readonly AlarmGuide[] = [
  ...sharedGuides,
  ...portableGuides,
  guide("fever_share", {
    cause: [
      "有猪发热：感染刚开始，或疫苗反应",
      "Some pigs have fever: an infection begins, or they react to a vaccine",
    ],
    part: ["发热集中的栏", "The pens with fever"],
    consequence: ["可能传给全群", "It may spread to the herd"],
    steps: [check, ["看这两天是否打过疫苗", "See whether they were vaccinated in the last two days"], vet],
    leadsTo: ["fever_share_high", "fever_share_outbreak", "mean_above_week", "individual_fever"],
    danger: 8,
  }),
  guide("fever_share_high", {
    cause: ["发热在扩散", "Fever is spreading"],
    part: ["发热的栏和相邻的栏", "The pens with fever and those beside them"],
    consequence: ["采食下降，几天内可能波及全群", "Pigs eat less; the whole herd may have it within days"],
    steps: [vet, ["病猪隔离，停止转群", "Isolate sick pigs and stop moving pigs"], check],
    leadsTo: ["fever_share_outbreak"],
    danger: 15,
  }),
  guide("fever_share_outbreak", {
    cause: ["全群暴发", "An outbreak in the herd"],
    part: ["整个单元", "The whole unit"],
    consequence: [
      "可能出现死亡；疑似重大疫病要上报",
      "Pigs may die; a suspected notifiable disease has to be reported",
    ],
    steps: [
      ["立即叫兽医，封闭单元", "Call the vet now and close the unit", people],
      ["按规定上报，停止人车流动", "Report it as the law asks; stop people and vehicles"],
    ],
    danger: 30,
  }),
  guide("mean_above_week", {
    cause: ["全群体温升高：感染，或舍内过热", "The herd is warmer: an infection, or the house is too hot"],
    part: ["整个单元", "The whole unit"],
    consequence: ["发病的早期信号", "An early sign of illness"],
    steps: [["先看舍温和湿度", "First look at temperature and humidity of the house"], check],
  }),
  guide("individual_fever", {
    cause: ["个体持续发热", "One pig's fever lasts"],
    part: ["报警的栏", "The pen in question"],
    consequence: ["可能是第一头病猪", "It may be the first one that is ill"],
    steps: [check, ["标记并隔离这头猪", "Mark the pig and isolate it"]],
  }),
  guide("chill", {
    cause: ["个体受凉或衰弱", "A pig is cold or weak"],
    part: ["报警的栏", "The pen in question"],
    consequence: ["弱猪容易死亡", "Weak pigs die easily"],
    steps: [
      ["看这栏有没有贼风、湿地", "Look for a draught or a wet floor"],
      ["加保温灯或垫料", "Give a lamp or bedding"],
    ],
  }),
  guide("blackbody_drift", {
    cause: ["测温基准漂移，或镜头脏了", "The reference has drifted, or the lens is dirty"],
    part: ["黑体与镜头", "Blackbody and lens"],
    consequence: ["所有体温都不准", "All temperatures are wrong"],
    steps: [
      ["擦净镜头", "Clean the lens"],
      ["做黑体校准", "Calibrate the blackbody", command("calibrateBlackbody")],
    ],
    leadsTo: ["mean_above_week"],
  }),
  guide("rail_jam", {
    cause: ["轨道有异物，或驱动轮打滑", "Something is on the rail, or the wheel slips"],
    part: ["巡检车停下的位置", "Where the scanner stopped"],
    consequence: ["后面的栏没有巡测", "The pens behind are not scanned"],
    steps: [
      ["到停下的位置清理轨道", "Clear the rail where it stopped"],
      ["发回充电位命令，再启动巡测", "Send it to its charger and start a round again", command("goHome")],
    ],
    leadsTo: ["scan_coverage"],
  }),
  guide("scan_coverage", {
    cause: ["巡测没有走完，或镜头被挡", "Rounds were not finished, or the lens is covered"],
    part: ["轨道与镜头", "Rail and lens"],
    consequence: ["发热会漏报", "Fever may be missed"],
    steps: [
      ["看巡测记录停在哪", "See where the rounds ended"],
      ["擦净镜头", "Clean the lens"],
    ],
  }),
];
