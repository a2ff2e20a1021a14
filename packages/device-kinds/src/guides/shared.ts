/** What stands beside the alarms that every kind has. */
import { text } from "../declare.ts";
import type { AlarmGuide } from "../device-kind.ts";

export const sharedGuides: readonly AlarmGuide[] = [
  {
    rule: "offline",
    cause: text("断电、断网，或设备停机", "No power, no network, or the device has stopped"),
    part: text("设备电源与网络", "Power and network of the device"),
    consequence: text("看不到数值，别的告警也不会来", "No values are seen, and no other alarm can come"),
    steps: [
      text("到现场看一眼，或打电话问值班", "Look at the place, or call who is there"),
      text("看电源、网线和网关指示灯", "Check power, cable and the lights of the gateway"),
      text("还不行就重启设备，再报修", "Restart the device; if it stays away, report it"),
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
      text("检查接线，擦净探头，必要时更换", "Check the cable, clean the probe, replace it where needed"),
    ],
  },
  {
    rule: "sensor_stuck",
    cause: text("探头卡住或被糊住", "The probe is stuck or covered"),
    part: text("数值不动的探头", "The probe whose value does not move"),
    consequence: text("真实变化看不到", "Real changes are not seen"),
    steps: [text("擦净探头，再看数值是否变化", "Clean the probe and see whether its value moves")],
  },
];
