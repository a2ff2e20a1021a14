/** Explanations of the alarms of weighbridges. */
import type { AlarmGuide } from "../device-kind.ts";
import { command } from "./acts.ts";
import { guide, sharedGuides, supplyGuides } from "./shared.ts";

export const weighbridgeGuides: readonly AlarmGuide[] = [
  ...sharedGuides,
  ...supplyGuides,
  guide("overload", {
    cause: ["车货总重超过地磅的最大秤量", "Vehicle and load are heavier than the scale may carry"],
    part: ["秤台上的车", "The vehicle on the platform"],
    consequence: ["压坏传感器，这一磅也不作数", "The load cells may break, and this weighing does not count"],
    steps: [
      ["让车慢慢退下秤台", "Let the vehicle back off slowly"],
      ["分车或卸下一部分再称", "Weigh again with less load, or in two vehicles"],
      ["空秤后看零点有没有变", "See whether the empty scale still reads zero"],
    ],
    leadsTo: ["not_zeroed"],
  }),
  guide("not_zeroed", {
    cause: ["秤台上有泥水、积雪，或零点漂移", "Mud, water or snow is on the platform, or the zero has drifted"],
    part: ["秤台、秤台四周的缝", "Platform, and the gaps around it"],
    consequence: [
      "每一车都多称或少称，磅单不能用于结算",
      "Every vehicle weighs too much or too little; no ticket can be settled by",
    ],
    steps: [
      ["清扫秤台和缝里的石子", "Clear the platform and the stones in its gaps"],
      ["空秤时在设备页置零", "Set the empty scale to zero on the device page", command("zero")],
      ["还不归零就报检", "If it does not stay at zero, have it checked"],
    ],
  }),
  guide("calibration_soon", {
    cause: ["检定有效期不到 30 天", "The calibration is valid for less than 30 days"],
    part: ["检定证书", "Calibration certificate"],
    consequence: ["过期后磅单不能用于结算", "Afterwards no ticket can be settled by"],
    steps: [["预约计量所来检定", "Make an appointment for a calibration"]],
  }),
  guide("calibration_expired", {
    cause: ["检定过期，没有重新检定", "The calibration is over and was not renewed"],
    part: ["检定证书", "Calibration certificate"],
    consequence: ["磅单不能用于结算，要手工过磅", "No ticket can be settled by; weigh by hand on another scale"],
    steps: [
      ["换一台在检的地磅过磅", "Use another scale that is calibrated"],
      ["预约检定，检定后更新有效期", "Have it calibrated and enter the new date"],
    ],
    leadsTo: ["calibration_soon"],
  }),
  guide("unstable", {
    cause: [
      "车没停稳、发动机抖动、大风，或传感器接触不良",
      "The vehicle moves, its engine shakes it, wind, or a loose cell",
    ],
    part: ["秤台上的车、接线盒", "The vehicle on the platform, the junction box"],
    consequence: ["出不了单，排队变长", "There is no ticket, and the queue grows"],
    steps: [
      ["让司机熄火、松刹车", "Let the driver stop the engine and release the brakes"],
      ["空秤也跳就查接线盒", "If the empty scale jumps as well, look into the junction box"],
    ],
    leadsTo: ["weighed_unstable"],
  }),
  guide("weighed_unstable", {
    cause: ["重量还没稳定就出了单", "A ticket was issued before the weight had settled"],
    part: ["这张磅单", "This ticket"],
    consequence: ["这张磅单不能用于结算", "This ticket can't be settled by"],
    steps: [
      ["请车再上磅，重新称", "Weigh the vehicle again"],
      ["把稳定时长调长一点", "Set a longer time to be stable"],
    ],
  }),
  guide("cells_uneven", {
    cause: ["车没停在秤台中间，或一只传感器坏", "The vehicle stands off the middle, or a load cell is broken"],
    part: ["偏差最大的传感器", "The load cell that differs most"],
    consequence: ["称重偏大或偏小", "The weight is too high or too low"],
    steps: [
      ["让车停到秤台中间再称", "Weigh again in the middle of the platform"],
      ["换几辆车都偏同一角就换传感器", "Replace the cell if it is always the same corner"],
    ],
  }),
  guide("left_on_scale", {
    cause: ["车停在秤台上没有下来", "A vehicle was left on the platform"],
    part: ["秤台", "Platform"],
    consequence: ["后面的车称不了，传感器长期受力", "Nobody else can weigh, and the cells stay loaded"],
    steps: [["叫司机把车开走", "Have the driver move the vehicle"]],
  }),
  guide("plate_missing", {
    cause: ["车牌脏，或摄像头被挡", "The plate is dirty, or the camera is covered"],
    part: ["车牌与摄像头", "Plate and camera"],
    consequence: ["磅单对不上订单，要人工匹配", "The ticket matches no order until somebody assigns it"],
    steps: [
      ["在磅单列表里匹配车辆", "Assign the ticket to its vehicle in the list of tickets"],
      ["擦净车牌和镜头", "Clean plate and lens"],
    ],
  }),
];
