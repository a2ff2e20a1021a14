/** Explanations of the alarms of the environment controller, and which alarms cause which. */
import { text } from "../declare.ts";
import type { AlarmGuide } from "../device-kind.ts";
import { command, parameters, people, step } from "./acts.ts";
import { guide, sharedGuides, unknownGuide } from "./shared.ts";

/** Alarms that too little ventilation causes. */
const lessAir = [
  "temperature_high",
  "temperature_very_high",
  "temperature_rising_fast",
  "ammonia_high",
  "ammonia_very_high",
  "carbon_dioxide_high",
  "carbon_dioxide_very_high",
  "hydrogen_sulfide_high",
  "hydrogen_sulfide_danger",
  "humidity_high",
  "pressure_low",
  "heat_stress",
  "heat_emergency",
] as const;
const heat = ["heat_stress", "heat_emergency", "temperature_very_high"] as const;

const openAir = step(
  "把风补上：升档，或手动开其余风机",
  "Get air in: raise the gear, or start other fans by hand",
  command("setGear"),
);
const lookAtInlets = text("看进风口和幕帘开了没有", "See whether inlets and curtains are open");

export const environmentGuides: readonly AlarmGuide[] = [
  unknownGuide("temperature_unknown", {
    part: ["舍温探头、接线和控制器输入", "Temperature probes, their cables, inputs of the controller"],
    consequence: [
      "没人知道舍里多热，过热过冷都不会告警",
      "Nobody knows how warm it is, and no heat or cold raises an alarm",
    ],
    byHand: ["马上到舍里用手持温度计量一次", "Go into the house now and measure with a hand-held thermometer"],
  }),
  unknownGuide("ventilation_unknown", {
    part: ["风机反馈和档位信号", "Feedback of the fans and the gear"],
    consequence: ["风机停了也看不出来", "It would not show that the fans have stopped"],
    byHand: ["到舍里听、看风机是否在转", "Go and see whether the fans are running"],
  }),
  unknownGuide("mains_unknown", {
    part: ["市电检测继电器", "The relay that watches the mains"],
    consequence: ["停电不会告警", "A power failure would raise no alarm"],
    byHand: ["看配电箱和备用电源", "Look at the switchboard and the backup supply"],
  }),
  unknownGuide("water_unknown", {
    part: ["水表和脉冲线", "Water meter and its pulse cable"],
    consequence: ["断水或漏水看不出来", "No water, or a leak, would not show"],
    byHand: ["到舍里看饮水器出不出水", "Go and see whether the drinkers give water"],
  }),
  ...sharedGuides,
  {
    rule: "mains_loss",
    cause: text("市电中断或总闸跳开", "The mains failed, or the main switch has tripped"),
    part: text("配电室总闸与发电机", "Main switch and generator"),
    consequence: text(
      "风机停转，几分钟内升温，猪有窒息危险",
      "Fans stop; within minutes the house heats up and pigs may suffocate",
    ),
    steps: [
      text(
        "立即确认发电机已带载，没有就手动启动",
        "Make sure at once that the generator carries the load; start it by hand if not",
      ),
      text("打开应急幕帘和门窗", "Open emergency curtains, doors and windows"),
      text("联系供电，查总闸", "Call the supplier and check the main switch"),
    ],
    leadsTo: [...lessAir, "all_fans_off", "cycle_fan_off", "gear_not_reached", "fan_current"],
  },
  {
    rule: "all_fans_off",
    cause: text("控制器停机、接触器断开或风机跳闸", "Controller stopped, contactor open, or fans tripped"),
    part: text("风机配电箱", "Switch box of the fans"),
    consequence: text("没有通风，温度和有害气体很快升高", "No ventilation: heat and gases rise fast"),
    steps: [openAir, text("到配电箱查空开和接触器", "Check breakers and contactors in the switch box"), lookAtInlets],
    leadsTo: [...lessAir, "gear_not_reached"],
  },
  {
    rule: "cycle_fan_off",
    cause: text("循环风机没有按周期启动", "The cycling fan does not start in its cycle"),
    part: text("1 号风机与它的接触器", "Fan 1 and its contactor"),
    consequence: text("最小通风没有了，氨气和湿度会升高", "Minimum ventilation is missing; ammonia and humidity rise"),
    steps: [openAir, text("查 1 号风机的空开和热继电器", "Check breaker and thermal relay of fan 1")],
    leadsTo: lessAir,
  },
  {
    rule: "fan_current",
    cause: text("风机皮带、轴承或叶片异常，或缺相", "Belt, bearing or blade of a fan, or a missing phase"),
    part: text("电流偏离最大的风机", "The fan whose current is furthest off"),
    consequence: text("风量不足，风机可能跳闸", "Less air; the fan may trip"),
    steps: [
      text("看哪台风机电流异常，听声音", "See which fan is off, and listen to it"),
      step("停下这台，改用另一台，再检修", "Stop it, run another one, then repair it", command("setFan")),
    ],
    leadsTo: lessAir,
  },
  {
    rule: "gear_not_reached",
    cause: text(
      "风机没有跟上目标档位：跳闸、手动或接触器不吸合",
      "Fans do not follow the wanted gear: tripped, by hand, or a contactor",
    ),
    part: text("应转而没转的风机", "The fans that should run and don't"),
    consequence: text("风量不足，温度继续升高", "Too little air; the temperature keeps rising"),
    steps: [text("看哪几台没转，查空开", "See which ones don't run and check their breakers"), openAir],
    leadsTo: lessAir,
  },
  {
    rule: "temperature_high",
    cause: text("通风或降温不够", "Too little ventilation or cooling"),
    part: text("风机、进风口、湿帘", "Fans, inlets, cooling pads"),
    consequence: text("猪采食下降、喘气", "Pigs eat less and pant"),
    steps: [openAir, lookAtInlets, text("打开湿帘或喷淋，看水", "Turn on pads or spray and check their water")],
    leadsTo: heat,
    danger: 35,
  },
  {
    rule: "temperature_very_high",
    cause: text("通风严重不足，或降温设备停了", "Far too little ventilation, or cooling has stopped"),
    part: text("风机、进风口、湿帘", "Fans, inlets, cooling pads"),
    consequence: text("热应激，大猪和母猪有死亡危险", "Heat stress; heavy pigs and sows may die"),
    steps: [
      openAir,
      step("开应急幕帘和门，叫人", "Open emergency curtains and doors, and call for help", people),
      lookAtInlets,
    ],
    leadsTo: ["heat_stress", "heat_emergency"],
    danger: 35,
  },
  {
    rule: "temperature_rising_fast",
    cause: text("通风突然减少，或加热没有停", "Ventilation has suddenly dropped, or heating does not stop"),
    part: text("风机与加热", "Fans and heating"),
    consequence: text("照这个速度很快到危险温度", "At this rate a dangerous temperature is near"),
    steps: [openAir, text("确认加热已关", "Make sure that heating is off")],
    leadsTo: ["temperature_high", "temperature_very_high", "heat_stress", "heat_emergency"],
  },
  {
    rule: "temperature_low",
    cause: text("加热没起，或通风过大、漏风", "Heating does not run, or there is too much air or a draught"),
    part: text("加热、门窗、进风口", "Heating, doors, inlets"),
    consequence: text("小猪扎堆、拉稀，耗料增加", "Piglets huddle and scour; more feed is used"),
    steps: [
      text("看加热是否工作，查燃料和保险", "See whether heating works; check fuel and fuses"),
      text("关小进风口，堵漏风", "Close inlets further and stop draughts"),
    ],
    danger: 10,
  },
  {
    rule: "ammonia_high",
    cause: text("通风少，或粪污搅动、积存", "Little ventilation, or manure was stirred or is piling up"),
    part: text("粪沟与最小通风", "Pit and minimum ventilation"),
    consequence: text("刺激呼吸道，咳嗽增多", "Irritates the airways; more coughing"),
    steps: [
      step("升一档，看 15 分钟", "Raise the gear by one and watch for 15 minutes", command("setGear")),
      text("检查粪沟和排粪时间", "Check the pit and when it was drained"),
    ],
    leadsTo: ["ammonia_very_high"],
    danger: 50,
  },
  {
    rule: "ammonia_very_high",
    cause: text("通风严重不足或粪沟搅动", "Far too little ventilation, or the pit was stirred"),
    part: text("粪沟与风机", "Pit and fans"),
    consequence: text("伤害猪和人的呼吸道", "Harms the airways of pigs and people"),
    steps: [openAir, text("人员少停留，戴口罩进舍", "Stay inside only shortly, with a mask")],
    danger: 50,
  },
  {
    rule: "carbon_dioxide_high",
    cause: text("最小通风不够，或燃气加热排气不畅", "Too little minimum ventilation, or gas heating without exhaust"),
    part: text("最小通风与加热器", "Minimum ventilation and heaters"),
    consequence: text("空气变差，猪没精神", "The air is bad; pigs are dull"),
    steps: [
      step("升一档，看 15 分钟", "Raise the gear by one and watch for 15 minutes", command("setGear")),
      lookAtInlets,
    ],
    leadsTo: ["carbon_dioxide_very_high"],
    danger: 8000,
  },
  {
    rule: "carbon_dioxide_very_high",
    cause: text("几乎没有通风", "Hardly any ventilation"),
    part: text("风机与进风口", "Fans and inlets"),
    consequence: text("有窒息危险", "Danger of suffocation"),
    steps: [openAir, lookAtInlets],
    danger: 8000,
  },
  {
    rule: "hydrogen_sulfide_high",
    cause: text("粪沟搅动或正在排粪", "The pit is being stirred or drained"),
    part: text("粪沟", "Pit"),
    consequence: text("对人和猪都有毒", "Poisonous for people and pigs"),
    steps: [
      step("停止搅动和排粪，开大通风", "Stop stirring and draining, and ventilate more", command("setGear")),
      step("人员撤离，不要单独进舍", "Leave the house; nobody goes in alone", people),
    ],
    leadsTo: ["hydrogen_sulfide_danger"],
    danger: 20,
  },
  {
    rule: "hydrogen_sulfide_danger",
    cause: text("粪沟大量释放硫化氢", "The pit releases much hydrogen sulfide"),
    part: text("粪沟", "Pit"),
    consequence: text("几分钟内可致命", "Can kill within minutes"),
    steps: [
      step("所有人立即撤离", "Everybody leaves at once", people),
      step("从舍外开大风机", "Run the fans from outside", command("setGear")),
      text("降到 5 ppm 以下再进入，两人同行", "Go back in below 5 ppm only, by two"),
    ],
    danger: 20,
  },
  {
    rule: "humidity_high",
    cause: text("通风少，漏水或刚冲洗", "Little ventilation, a leak, or the unit was just washed"),
    part: text("饮水线、喷淋、进风口", "Water line, spray, inlets"),
    consequence: text("地面湿，容易得病", "Wet floors and more disease"),
    steps: [text("看有没有漏水", "Look for a leak"), step("升一档", "Raise the gear by one", command("setGear"))],
  },
  {
    rule: "heat_stress",
    cause: text("又热又湿", "It is hot and humid"),
    part: text("风速与降温", "Air speed and cooling"),
    consequence: text("采食下降，母猪返情", "Less feed is eaten; sows return to heat"),
    steps: [
      text("加大风速，停喷淋换湿帘", "More air speed; pads instead of spray"),
      text("避开中午喂料", "Do not feed at noon"),
    ],
    leadsTo: ["heat_emergency"],
    danger: 84,
  },
  {
    rule: "heat_emergency",
    cause: text("高温高湿持续", "Heat and humidity last"),
    part: text("风速与降温", "Air speed and cooling"),
    consequence: text("随时可能死猪", "Pigs may die at any time"),
    steps: [openAir, step("给猪身上淋水，叫人", "Wet the pigs and call for help", people)],
  },
  {
    rule: "water_stopped",
    cause: text("停水、过滤器堵，或水表坏", "No water, a clogged filter, or a broken meter"),
    part: text("水泵、过滤器、水表", "Pump, filter, meter"),
    consequence: text("几小时不喝水就不吃料", "Without water for hours pigs stop eating"),
    steps: [
      text("到舍里按一只饮水器", "Press a drinker in the house"),
      text("查水泵和过滤器", "Check pump and filter"),
    ],
  },
  {
    rule: "empty_with_pigs",
    cause: text("单元被设为空栏，里面还有猪", "The unit is set to empty while pigs are inside"),
    part: text("单元模式", "Unit mode"),
    consequence: text("风机停转，别的告警都被屏蔽", "Fans stop, and all other alarms are masked"),
    steps: [
      step("立即把模式改回正常饲养", "Set the mode back to normal at once", parameters("mode")),
      text("查清是谁改的", "Find out who changed it"),
    ],
    leadsTo: lessAir,
  },
  {
    rule: "washing_forgotten",
    cause: text("控制器停在冲洗模式超过一天", "The controller has been in washing mode for more than a day"),
    part: text("单元模式", "Unit mode"),
    consequence: text("别的告警都被屏蔽，喷淋停着", "All other alarms are masked, and the spray stands still"),
    steps: [
      step(
        "冲洗完了就把控制器改回正常饲养",
        "If washing is over, set the controller back to normal",
        parameters("mode"),
      ),
      step(
        "还没洗完就在单元模式里重新计时",
        "If it is not, begin the time anew at the unit's mode",
        parameters("mode"),
      ),
    ],
  },
  guide("pressure_high", {
    cause: ["进风口没有打开或被堵，风机抽不进风", "Inlets are shut or blocked, and the fans draw no air"],
    part: ["进风口、风门执行器、湿帘", "Inlets, their actuators, cooling pads"],
    consequence: ["风量不足，舍内升温，有害气体升高", "Too little air: heat and gases rise"],
    steps: [
      ["看风门反馈和目标差多少", "Compare the inlets' feedback with what is wanted"],
      ["到现场手动打开进风口，清掉杂物", "Open the inlets by hand and clear what blocks them"],
    ],
    leadsTo: lessAir.filter((rule) => rule !== "pressure_low"),
  }),
  guide("pressure_low", {
    cause: ["门窗没关，墙体漏风，或风机皮带打滑", "A door or window is open, walls leak, or a fan belt slips"],
    part: ["门窗与风机皮带", "Doors, windows, fan belts"],
    consequence: ["风不从进风口走，猪群受贼风", "Air does not come through the inlets; pigs lie in a draught"],
    steps: [
      ["关好门窗，看负压是否回升", "Shut doors and windows and see whether the pressure comes back"],
      ["再查风机皮带和百叶", "Then check belts and shutters of the fans"],
    ],
  }),
  guide("probe_spread", {
    cause: ["一只探头不准，或舍内有死角、贼风", "One probe is off, or there is a dead corner or a draught"],
    part: ["偏离最大的探头", "The probe that is furthest off"],
    consequence: ["平均温度不准，风机按错的温度换档", "The mean is wrong, and fans follow a wrong temperature"],
    steps: [
      ["用手持表对照偏离的探头", "Compare that probe with a hand-held meter"],
      ["探头没问题就查门窗和进风口", "If the probe is right, check doors and inlets"],
    ],
  }),
  guide("water_at_night", {
    cause: ["饮水器或水管漏水", "A drinker or a pipe leaks"],
    part: ["饮水线", "Drinking line"],
    consequence: ["浪费水，地面湿，粪沟满得快", "Water is lost, floors are wet, the pit fills up"],
    steps: [
      ["夜里沿饮水线走一遍", "Walk along the line at night"],
      ["分段关阀，找到漏点", "Close it section by section to find the leak"],
    ],
  }),
  guide("humidity_low", {
    cause: ["冬天加热多、空气干", "Much heating of dry winter air"],
    part: ["加热与通风", "Heating and ventilation"],
    consequence: ["粉尘多，呼吸道受刺激", "Dust irritates the airways"],
    steps: [["地面少量洒水，检查是否通风过大", "Wet the floor a little; see whether there is too much air"]],
  }),
];
