/** Explanations of the alarms that every kind has. */
import { text } from "../declare.ts";
import type { AlarmAct, AlarmGuide } from "../device-kind.ts";
import { order, parameters, people, readings, step } from "./acts.ts";

type Words = readonly [zh: string, en: string];
type StepWords = readonly [zh: string, en: string, act?: AlarmAct];

/** Builds an explanation. */
export const guide = (
  rule: string,
  said: {
    readonly cause: Words;
    readonly part: Words;
    readonly consequence: Words;
    readonly steps: readonly StepWords[];
    readonly leadsTo?: readonly string[];
    readonly danger?: number;
  },
): AlarmGuide => ({
  rule,
  cause: text(...said.cause),
  part: text(...said.part),
  consequence: text(...said.consequence),
  steps: said.steps.map(([zh, en, act]) => ({ zh, en, ...(act && { act }) })),
  ...(said.leadsTo && { leadsTo: said.leadsTo }),
  ...(said.danger !== undefined && { danger: said.danger }),
});

export const sharedGuides: readonly AlarmGuide[] = [
  {
    rule: "offline",
    cause: text("断电、断网，或设备停机", "No power, no network, or the device has stopped"),
    part: text("设备电源与网络", "Power and network of the device"),
    consequence: text("看不到数值，别的告警也不会来", "No values are seen, and no other alarm can come"),
    steps: [
      step("到现场看一眼，或打电话问值班", "Look at the place, or call who is there", people),
      text("看电源、网线和网关指示灯", "Check power, cable and the lights of the gateway"),
      step("还不行就重启设备，再报修", "Restart the device; if it stays away, report it", order),
    ],
  },
  {
    rule: "sensor_range",
    cause: text("探头损坏、断线或受潮", "The probe is broken, cut off or wet"),
    part: text("报错的探头和它的接线", "The probe in question and its cable"),
    consequence: text(
      "这个值不可信，由它控制的设备会误动作",
      "The value can't be trusted; what it controls may act wrongly",
    ),
    steps: [
      text("对照另一只探头或手持表", "Compare with another probe or a hand-held meter"),
      step("检查接线，擦净探头，必要时更换", "Check the cable, clean the probe, replace it where needed", order),
    ],
  },
  {
    rule: "sensor_stuck",
    cause: text("探头卡住或被糊住", "The probe is stuck or covered"),
    part: text("数值不动的探头", "The probe whose value does not move"),
    consequence: text("真实变化看不到", "Real changes are not seen"),
    steps: [text("擦净探头，再看数值是否变化", "Clean the probe and see whether its value moves")],
  },
  guide("signal_weak", {
    cause: ["天线松动、被遮挡或离网关太远", "The aerial is loose or covered, or the gateway is too far away"],
    part: ["天线与网关位置", "Aerial and place of the gateway"],
    consequence: ["数据会断断续续，告警可能来晚", "Data come and go, and alarms may be late"],
    steps: [
      ["拧紧天线，移开旁边的金属", "Tighten the aerial and move metal away from it"],
      ["还弱就加装中继或移近网关", "If it stays weak, add a repeater or move the gateway closer"],
    ],
  }),
  guide("clock_skew", {
    cause: ["设备时钟不准，对时没有成功", "The clock of the device is off; setting it failed"],
    part: ["设备时钟与网络", "Clock of the device, network"],
    consequence: ["记录的时间不对，曲线和事件错位", "Records carry a wrong time; curves and events are shifted"],
    steps: [
      ["在设备页点对时，或重启设备", "Set the clock from the device page, or restart the device"],
      ["反复出现就换时钟电池", "If it comes back, replace the battery of the clock", order],
    ],
  }),
  guide("firmware_mismatch", {
    cause: ["升级没有完成", "An upgrade was not finished"],
    part: ["设备固件", "Firmware of the device"],
    consequence: ["新功能和修复没有生效", "New functions and fixes are missing"],
    steps: [["在设备页重新下发升级", "Send the upgrade again from the device page"]],
  }),
];

/**
 * Explanation for a value that is unknown.
 * @param what the value, the place of its probe, and the manual check to do meanwhile
 */
export const unknownGuide = (
  rule: string,
  said: {
    readonly part: Words;
    readonly consequence: Words;
    readonly byHand: Words;
    readonly leadsTo?: readonly string[];
  },
): AlarmGuide =>
  guide(rule, {
    cause: [
      "探头断线或损坏，或控制器发来的读数无法识别",
      "The probe is cut off or broken, or the controller sends readings that cannot be read",
    ],
    part: said.part,
    consequence: said.consequence,
    steps: [
      said.byHand,
      [
        "看设备页「不可信的读数」：它发来了什么",
        "See “Rejected readings” on the device's page: what did it send",
        readings,
      ],
      ["检查探头和接线，再看控制器设置", "Check probe and cable, then the settings of the controller", parameters()],
    ],
    ...(said.leadsTo && { leadsTo: said.leadsTo }),
  });

/** Explanations for mains-powered devices that report the mains by their supply voltage. */
export const supplyGuides: readonly AlarmGuide[] = [
  guide("mains_loss", {
    cause: ["市电中断，空开跳闸或电源坏", "The mains failed, a breaker tripped, or the power supply is broken"],
    part: ["设备电源与空开", "Power supply and breaker of the device"],
    consequence: ["靠缓冲电池只能撑一会儿，之后离线", "The buffer battery lasts a while, then the device is gone"],
    steps: [
      ["看别的设备是否也断电", "See whether other devices lost power as well"],
      ["合上空开；再跳就查短路", "Close the breaker; if it trips again, look for a short circuit"],
    ],
    leadsTo: ["offline"],
  }),
];

/** Explanations for devices with a battery. */
export const portableGuides: readonly AlarmGuide[] = [
  guide("battery_low", {
    cause: ["用了一整天，没有充电", "It was used all day and not charged"],
    part: ["电池与充电座", "Battery and charger"],
    consequence: ["一两个小时后关机", "It switches off in an hour or two"],
    steps: [["放回充电座，看充电灯", "Put it on its charger and look for the light"]],
    leadsTo: ["battery_empty"],
  }),
  guide("battery_empty", {
    cause: ["电池将尽或老化", "The battery is almost empty, or worn"],
    part: ["电池与充电座", "Battery and charger"],
    consequence: [
      "马上关机，没有上传的记录要等下次开机",
      "It switches off soon; records that were not sent wait for the next start",
    ],
    steps: [
      ["立即充电，或换备用电池", "Charge it now, or take a spare battery"],
      ["充满后掉得快就换电池", "Replace a battery that runs down soon after charging"],
    ],
    leadsTo: ["offline"],
  }),
];
