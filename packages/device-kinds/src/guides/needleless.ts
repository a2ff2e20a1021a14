/** Explanations of the alarms of needleless injectors. */
import type { AlarmGuide } from "../device-kind.ts";
import { command } from "./acts.ts";
import { guide, portableGuides, sharedGuides } from "./shared.ts";

const again = [
  "按记录找出这些猪，问兽医是否补针",
  "Find those pigs in the log and ask the vet whether to inject again",
] as const;

export const needlelessGuides: readonly AlarmGuide[] = [
  ...sharedGuides,
  ...portableGuides,
  guide("wrong_lot", {
    cause: ["疫苗过期或拿错批号", "The vaccine is over its date, or of the wrong lot"],
    part: ["疫苗瓶", "Vaccine bottle"],
    consequence: ["免疫无效，注射器已锁定", "The vaccination does not work; the injector is locked"],
    steps: [
      ["立即停打，换对的疫苗", "Stop at once and take the right vaccine"],
      again,
      ["核对冰箱里的批号", "Check the lots in the fridge"],
    ],
  }),
  guide("vaccine_warm", {
    cause: ["疫苗离开冷链太久", "The vaccine was out of the cold for too long"],
    part: ["疫苗瓶与保温箱", "Bottle and cool box"],
    consequence: ["活疫苗失效", "A live vaccine loses its strength"],
    steps: [
      ["放回 2–8 ℃，换新瓶", "Put it back to 2–8 °C and take a new bottle"],
      ["问兽医这瓶还能不能用", "Ask the vet whether the bottle may be used"],
    ],
    danger: 25,
  }),
  guide("dose_single", {
    cause: ["瓶里进了空气，或剂量没有校准", "Air in the bottle, or the dose is not calibrated"],
    part: ["吸液管与剂量校准", "Suction tube and calibration"],
    consequence: ["剂量不对，免疫不稳", "Wrong doses protect badly"],
    steps: [
      ["排空气，再打两针空针看剂量", "Drive out the air and look at the dose of two blank shots"],
      ["做剂量校准", "Calibrate the dose", command("calibrate")],
    ],
    leadsTo: ["dose_mean"],
  }),
  guide("dose_mean", {
    cause: ["剂量校准偏了，或密封圈磨损", "The calibration is off, or a seal is worn"],
    part: ["剂量校准、密封圈", "Calibration, seals"],
    consequence: ["整批猪剂量都偏", "A whole group gets a wrong dose"],
    steps: [
      ["做剂量校准", "Calibrate the dose", command("calibrate")],
      ["换密封圈", "Change the seal"],
    ],
  }),
  guide("bad_shots", {
    cause: ["喷嘴没有贴紧，或喷嘴脏了", "The nozzle was not held tight, or is dirty"],
    part: ["喷嘴与操作手法", "Nozzle, and how it is held"],
    consequence: ["湿针和空针不起保护作用", "Wet shots and misfires protect nobody"],
    steps: [
      ["提醒贴紧皮肤，停半秒再移开", "Hold it tight and wait half a second"],
      ["清洗喷嘴", "Clean the nozzle"],
      again,
    ],
    leadsTo: ["bad_shots_many"],
  }),
  guide("bad_shots_many", {
    cause: ["喷嘴磨损或压力不足", "The nozzle is worn, or the pressure is too low"],
    part: ["喷嘴与气源", "Nozzle and gas"],
    consequence: ["这一批免疫不可靠", "This vaccination can't be trusted"],
    steps: [["停打，换喷嘴，看压力", "Stop, change the nozzle, check the pressure"], again],
  }),
  guide("pressure_off", {
    cause: ["气源不足，或弹簧、密封件磨损", "Too little gas, or springs and seals are worn"],
    part: ["气源与密封件", "Gas and seals"],
    consequence: ["穿透不够，湿针增多", "It does not get through the skin; more wet shots"],
    steps: [
      ["补气或充电", "Fill up gas, or charge"],
      ["还偏就送修", "If it stays off, have it repaired"],
    ],
    leadsTo: ["bad_shots", "bad_shots_many", "dose_mean"],
  }),
  guide("nozzle_worn", {
    cause: ["喷嘴超过两万针", "The nozzle has done more than 20,000 shots"],
    part: ["喷嘴", "Nozzle"],
    consequence: ["压力和剂量会越来越不准", "Pressure and dose get worse and worse"],
    steps: [["换喷嘴，清零针数", "Change the nozzle and reset its count"]],
    leadsTo: ["pressure_off", "bad_shots", "bad_shots_many", "dose_mean"],
  }),
  guide("repeat_ear_tag", {
    cause: ["同一头猪打了两次，或耳标扫错", "A pig was injected twice, or a wrong tag was read"],
    part: ["栏内标记", "Marks in the pen"],
    consequence: ["过量，另一头可能漏打", "Too much for one, and perhaps nothing for another"],
    steps: [
      ["打完就在背上做记号", "Mark each pig after its shot"],
      ["核对这栏的头数", "Count the pen"],
    ],
  }),
  guide("coverage_low", {
    cause: ["有猪漏打，或栏没有打完", "Pigs were left out, or a pen was not finished"],
    part: ["没有记录的栏", "Pens without records"],
    consequence: ["漏打的猪不受保护", "Pigs that were left out are not protected"],
    steps: [["按栏对照头数，当天补打", "Compare each pen with its head count and inject the rest today"]],
  }),
  guide("overdue", {
    cause: ["计划的免疫过了三天还没打", "A planned vaccination is more than three days late"],
    part: ["免疫计划", "Vaccination plan"],
    consequence: ["抗体断档", "Protection has a gap"],
    steps: [
      ["安排人员今天打完", "Have it done today"],
      ["问兽医是否要调整后面的计划", "Ask the vet whether the plan has to change"],
    ],
  }),
  guide("gap_in_log", {
    cause: ["有记录没有上传", "Records were not sent"],
    part: ["注射器存储", "Store of the injector"],
    consequence: ["覆盖率算不准", "Coverage can't be told"],
    steps: [["在设备页补取记录", "Pull the log from the device page", command("pullLog")]],
  }),
];
