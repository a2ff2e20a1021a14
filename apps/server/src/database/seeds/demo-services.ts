import type { ServiceKind } from "@herdwise/contract";

/**
 * Services of a demo: name, scope, time, price in fen (null: by agreement) with its unit, and preparation; each with its
 * English.
 */
export const demoServices: readonly {
  kind: ServiceKind;
  name: readonly [string, string];
  scope: readonly [string, string];
  duration: readonly [string, string];
  prepare: readonly [string, string];
  price: number | null;
  unit?: readonly [string, string];
}[] = [
  {
    kind: "survey",
    name: ["现场勘测与点位设计", "Site survey and point layout"],
    scope: [
      "一栋舍：量风、量水、看电和网络，出点位图、清单和报价。",
      "One house: air, water, power and network are measured; you get a layout, a list and a quotation.",
    ],
    duration: ["现场半天，5 个工作日出图", "Half a day on site, drawings within 5 working days"],
    prepare: [
      "舍的平面图、风机和水线的型号、值班人的电话。",
      "Floor plan, models of fans and water lines, phone number of the person on duty.",
    ],
    price: 0,
  },
  {
    kind: "survey",
    name: ["新建场环控设计", "Climate design of a new farm"],
    scope: [
      "按存栏、批次和当地气候算风量与气流，定跨度、风机和进风口，交图纸与设备台账。",
      "Air volume and flow worked out from herd, batches and local climate; span, fans and inlets fixed; drawings and a device register handed over.",
    ],
    duration: ["20 到 40 个工作日", "20 to 40 working days"],
    prepare: ["地形图、存栏计划、当地的电和水条件。", "Survey map, herd plan, power and water on site."],
    price: null,
  },
  {
    kind: "installation",
    name: ["环境控制安装与调试", "Installing and commissioning climate control"],
    scope: [
      "一个单元：探头、控制箱、变频和网关，逐台通电、绑定、核对读数，与场方一起验收。",
      "One unit: probes, control box, drives and gateway; each is powered, bound, checked and accepted together.",
    ],
    duration: ["1 到 2 天", "1 to 2 days"],
    prepare: [
      "单元已经空舍并洗净，电已经拉到控制箱位置。",
      "The unit is empty and washed; power is laid to the control box.",
    ],
    price: 180_000,
    unit: ["单元", "unit"],
  },
  {
    kind: "installation",
    name: ["除臭塔安装", "Installing a scrubber"],
    scope: [
      "基础复核、吊装、接管、接电、加酸系统联锁试验。",
      "Foundation check, lifting, pipes, power and a test of the acid interlock.",
    ],
    duration: ["3 到 7 天", "3 to 7 days"],
    prepare: [
      "基础按图做好并达到强度，吊车能进场。",
      "The foundation is built to the drawing and cured; a crane can come in.",
    ],
    price: null,
  },
  {
    kind: "calibration",
    name: ["温湿度与气体探头校准", "Calibrating temperature, humidity and gas probes"],
    scope: [
      "用在有效期内的标准器具比对，偏差写进设备的维护记录，超差的当场更换。",
      "Compared with reference instruments within their validity; deviations go into the maintenance log, bad probes are replaced.",
    ],
    duration: ["每栋约 2 小时", "About 2 hours per house"],
    prepare: [
      "说明最近一次洗消日期；校准时风机保持一档不变。",
      "Tell us when it was last disinfected; keep the fans at one gear during calibration.",
    ],
    price: 60_000,
    unit: ["栋", "house"],
  },
  {
    kind: "calibration",
    name: ["称重与流量计校准", "Calibrating scales and flow meters"],
    scope: [
      "料塔称重用砝码或标准车，水表用容积法，出具比对记录。",
      "Silo scales with weights or a known vehicle, meters by volume; you get the record.",
    ],
    duration: ["半天", "Half a day"],
    prepare: [
      "料塔能放空到一半以下；水线能停 30 分钟。",
      "The silo can be run down to half; the water can be off for 30 minutes.",
    ],
    price: 80_000,
    unit: ["次", "visit"],
  },
  {
    kind: "training",
    name: ["岗位培训", "Training by role"],
    scope: [
      "饲养员、场长、兽医分开讲：看什么、怎么处理、停电断网怎么办，讲完当场做一遍。",
      "Stockpeople, managers and vets separately: what to look at, what to do, power and network failures, then everybody does it once.",
    ],
    duration: ["半天到 1 天", "Half a day to a day"],
    prepare: [
      "每人一部能上网的手机，培训用的账号提前开好。",
      "A phone with internet access for each person, accounts opened beforehand.",
    ],
    price: 120_000,
    unit: ["场次", "session"],
  },
  {
    kind: "training",
    name: ["网上培训", "Online training"],
    scope: [
      "每月一次，讲一个主题，答现场提的问题，录像留一年。",
      "Once a month on one subject, with questions; the recording stays for a year.",
    ],
    duration: ["60 分钟", "60 minutes"],
    prepare: ["提前一天报名，把想问的写上。", "Sign up a day before and write what you want to know."],
    price: 0,
  },
  {
    kind: "parts",
    name: ["备件供应", "Spare parts"],
    scope: [
      "探头、滤网、喷嘴、风机皮带、泵和电池；停产的给替代型号。",
      "Probes, strainers, nozzles, belts, pumps and batteries; a replacement model for what is discontinued.",
    ],
    duration: [
      "网点有货当天发，没货 3 个工作日内给到货日期",
      "Sent the same day from stock; otherwise a date within 3 working days",
    ],
    prepare: ["设备序列号，坏件的照片。", "Serial number of the device and a photo of the part."],
    price: null,
  },
  {
    kind: "inspection",
    name: ["季度巡检", "Quarterly inspection"],
    scope: [
      "清洗探头、查接线与密封、看三个月曲线里的漂移，交一页结论。",
      "Probes cleaned, cables and seals checked, three months of curves examined for drift; a page of conclusions.",
    ],
    duration: ["每场 1 天", "1 day per farm"],
    prepare: ["洗澡进场的安排；当天不要洗栏。", "Arrange the shower entry; no washing of units that day."],
    price: 150_000,
    unit: ["场", "farm"],
  },
  {
    kind: "inspection",
    name: ["入夏前检查", "Check before summer"],
    scope: [
      "风机转速与皮带、湿帘通水、喷淋、备用电源切换，逐项打勾。",
      "Fan speed and belts, pads, sprays and the switch to standby power, ticked one by one.",
    ],
    duration: ["每栋约 1.5 小时", "About 1.5 hours per house"],
    prepare: ["备用发电机能试机；湿帘水池已经放满。", "The standby set can be run; the pad basin is full."],
    price: 40_000,
    unit: ["栋", "house"],
  },
  {
    kind: "diagnosis",
    name: ["远程诊断", "Remote diagnosis"],
    scope: [
      "工程师先看工单带来的 24 小时读数、告警和固件，再打电话一起排查。",
      "The engineer reads the 24 hours of values, alarms and firmware that come with the order, then calls.",
    ],
    duration: [
      "2 个服务工时内开始，多数 1 小时内有结论",
      "Starts within 2 service hours; usually a result within an hour",
    ],
    prepare: [
      "在场的人，一把螺丝刀，能拍照的手机。",
      "Somebody on site, a screwdriver and a phone that takes pictures.",
    ],
    price: 0,
  },
];
