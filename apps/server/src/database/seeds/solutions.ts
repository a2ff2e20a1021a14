import { agreementSeeds } from "./agreements.ts";
import type { ArticleSeed } from "./content-markup.ts";

/** A numbered section of an agreement: number, heading and text. */
const section = /^((?:[一二三四五六七八九十]+、|\d+\. )[^。.]+)(?:。|\. )(.+)$/;
const headed = (body: string): string =>
  body
    .split("\n\n")
    .map((paragraph) => paragraph.replace(section, "## $1\n$2"))
    .join("\n");

/** The text of an agreement is the same as that of the public page with its name. */
function agreementText(kind: "user" | "privacy"): Pick<ArticleSeed, "zh" | "en" | "publishedAt"> {
  const agreement = agreementSeeds.find((one) => one.kind === kind);
  if (agreement === undefined) throw new Error(`There is no agreement ${kind}`);
  const { texts, publishedAt } = agreement;
  return { zh: headed(texts.zh.body), en: headed(texts.en.body), publishedAt };
}

/** Initial texts of the site's seven solutions and its legal pages, which editors may change. */
export const siteTexts: readonly ArticleSeed[] = [
  {
    channel: "solution",
    page: "environmentalControl",
    topic: "climate",
    cover: "environment",
    title: "环境控制：按猪的日龄，不按人的感觉",
    titleEn: "Environment control: by the pigs’ age, not by feel",
    summary: "温度、湿度、氨气和二氧化碳一起看，风机、进风口、湿帘、喷淋和加热按一张表联动。",
    summaryEn:
      "Temperature, humidity, ammonia and carbon dioxide are read together; fans, inlets, pads, sprays and heaters follow one table.",
    zh: `
      ## 要解决什么
      舍里的空气一天变几十次，靠人巡栏只能看到几次。风开大了猪冷，风关小了氨和潮气上来，两头都费饲料。
      ## 怎么工作
      - 目标温度按日龄曲线走，每天自动下调，不用人记。
      - 风机最多设十八档，从最小通风到全开，每一档写明台数、转速和进风口开度。
      - 升档要停留够时间，降档留回差，避免来回跳。
      - 湿帘和喷淋只在该降温的时候开，洗栏和空舍时按模式停下。
      ## 看得见的数字
      | 项目 | 怎么记 |
      | 温度 | 每支探头单独记，差值过大先查探头 |
      | 氨气、二氧化碳 | 与通风档位画在同一时间轴 |
      | 用电 | 按单元按天，可与上一批比较 |
      ## 出了问题
      探头失灵、风机停转、网络中断各有各的处理。断网时控制器按本地的表继续运行，恢复后补传数据。`,
    en: `
      ## What it is for
      The air of a house changes dozens of times a day; a person on rounds sees a few of them. Too much air chills the pigs, too little lets ammonia and damp rise, and both cost feed.
      ## How it works
      - The target follows a curve by age and steps down by itself.
      - Up to eighteen fan gears, from minimum ventilation to full, each with its fans, speeds and inlet opening.
      - A gear holds for a minimum time and steps down with hysteresis, so that it does not hunt.
      - Pads and sprays run only when cooling is due, and stop in the modes for empty and washed units.
      ## Figures to look at
      | What | How it is kept |
      | Temperature | each probe by itself; a wide spread sends you to the probe first |
      | Ammonia, carbon dioxide | on the same time axis as the gear |
      | Electricity | per unit and day, comparable with the batch before |
      ## When something fails
      A dead probe, a stopped fan and a lost network are handled each in its own way. Without a network the controller goes on by its own table and sends the data later.`,
  },
  {
    channel: "solution",
    page: "biosafety",
    topic: "biosafety",
    cover: "biosafety",
    title: "生物安全：把每一道门都变成记录",
    titleEn: "Biosafety: every door becomes a record",
    summary: "人、车、物、料、水、风，六条路各有关口；进风机与饲料 85 ℃ 8 分钟灭菌，每一批都查得到。",
    summaryEn:
      "People, vehicles, goods, feed, water and air each pass a gate; fans and feed are sterilized at 85\u00a0°C for 8 minutes, and every batch can be looked up.",
    zh: `
      ## 要解决什么
      病原进场的路就那么几条。制度写在墙上，难的是每一次都做到，并且事后说得清。
      ## 怎么工作
      - 人：洗澡间记录进出、停留和水温，少一步门不开。
      - 料：风机与饲料灭菌 85 ℃、8 分钟，温度和时长逐批留存，不到不放行。
      - 车：200 公里直供半径，车辆路线与洗消记录一起看。
      - 水：饮水消毒在末端饮水器处量余量，不只看加药泵。
      ## 看得见的数字
      | 关口 | 标准 | 留下什么 |
      | 风机与饲料 | 85 ℃，8 分钟 | 每批的温度曲线 |
      | 饲料运输 | 200 km 直供 | 车辆、路线、到场时间 |
      | 人员洗澡 | 每一步的最少时间 | 每次五步的实际值 |
      ## 例外怎么办
      绕过关口不是没有，是必须看得见：谁、什么时候、为什么，在页面最上面一直留着，直到有人处理。`,
    en: `
      ## What it is for
      Pathogens have only a few ways onto a farm. The rules hang on the wall; the hard part is keeping them every time and being able to show it.
      ## How it works
      - People: the shower records entry, stay and water temperature; a missing step keeps the door shut.
      - Feed: fans and feed are sterilized at 85\u00a0°C for 8 minutes; temperature and time are kept for each batch, and what falls short is not released.
      - Vehicles: direct supply within 200 km, with route and disinfection side by side.
      - Water: disinfectant is measured at the last drinker, not only at the pump.
      ## Figures to look at
      | Gate | Standard | What is kept |
      | Fans and feed | 85\u00a0°C for 8 minutes | the curve of each batch |
      | Feed transport | 200 km direct supply | vehicle, route, arrival |
      | Showers | a minimum for each step | the five steps of each entry |
      ## Exceptions
      A bypass happens. It has to be seen: who, when and why stays at the top of the page until somebody deals with it.`,
  },
  {
    channel: "solution",
    page: "wisdom",
    topic: "health",
    cover: "smart-farm",
    title: "智慧猪场：一栋舍，一张图",
    titleEn: "Smart pig farm: one house, one picture",
    summary: "咳嗽、体温、免疫、饮水和环境汇到同一条时间轴，只在需要动手时叫你。",
    summaryEn:
      "Coughs, temperature, vaccination, water and climate on one time axis; you are called only when there is something to do.",
    zh: `
      ## 要解决什么
      一个场有十几套系统，每套都会响。响得多了，就没人听了。
      ## 怎么工作
      - 同一个单元的声音、体温、饮水和空气放在一条时间轴上，先后关系一眼看到。
      - 同一个原因引起的告警折成一条，先说最急的。
      - 免疫记录落到栏，漏打的按数对出来。
      ## 不做什么
      系统说“像什么、不像什么”，不下诊断。采样、化验和用药由兽医决定。
      ## 从哪里开始
      可以从一栋舍的环境监测开始，设备绑定后当天就有曲线；再加咳嗽和体温，不用换平台。`,
    en: `
      ## What it is for
      A farm has a dozen systems and each of them rings. When everything rings, nobody listens.
      ## How it works
      - Sound, temperature, water and air of one unit share a time axis, so that what came first is seen.
      - Alarms of one cause fold into one line, the most urgent first.
      - Vaccinations are recorded for each pen, and missing shots are found by number.
      ## What it does not do
      It says what something looks like and what it does not look like. Sampling, tests and treatment are the vet’s.
      ## Where to begin
      Begin with the climate of one house; curves are there on the day the device is bound. Cough and temperature join later on the same platform.`,
  },
  {
    channel: "solution",
    page: "evcManure",
    topic: "emission",
    cover: "manure-water",
    title: "粪水处理：从漏缝到还田，每一方都有去处",
    titleEn: "Manure water: from the slats to the field, every cubic metre accounted for",
    summary: "液位、流量和水质全程有数，满之前提醒，还田时有账。",
    summaryEn:
      "Levels, flows and quality are known all the way: a warning before it is full, a record when it is spread.",
    zh: `
      ## 要解决什么
      粪水池满了才知道，雨季最危险；还了多少、还到哪里，年底说不清。
      ## 怎么工作
      - 各级池子量液位，按近七天的进水速度估还能存几天。
      - 固液分离、厌氧、贮存各段记流量和开停。
      - 还田按地块计量，与施肥计划对照。
      ## 看得见的数字
      | 环节 | 记录 |
      | 贮存 | 液位、剩余天数、降雨 |
      | 处理 | 流量、运行时长、电耗 |
      | 还田 | 地块、方数、日期、经手人 |`,
    en: `
      ## What it is for
      A pond is noticed when it is full, and the rainy season is the worst time for that. At the end of the year nobody can say how much went where.
      ## How it works
      - Levels are measured in every pond, and the days left are estimated from the inflow of the past week.
      - Separation, digestion and storage keep flows and running times.
      - Spreading is metered by field and compared with the fertilizing plan.
      ## Figures to look at
      | Stage | What is kept |
      | Storage | level, days left, rain |
      | Treatment | flow, running time, electricity |
      | Spreading | field, volume, date, person |`,
  },
  {
    channel: "solution",
    page: "ammoniaDeodorization",
    topic: "emission",
    cover: "deodorization",
    title: "氨气除臭：排出去之前，先过一道水",
    titleEn: "Ammonia removal: through water before it leaves",
    summary: "排风先过洗涤塔，氨被酸液留下。去掉多少，用进出口的数说话，逐时留存。",
    summaryEn:
      "Exhaust air passes a scrubber and the acid keeps the ammonia. How much is removed is told by the values before and after, hour by hour.",
    zh: `
      ## 要解决什么
      臭味主要随排风出去。夏天风量大，最难控，也最容易被投诉。
      ## 怎么工作
      - 排风进塔，穿过喷淋的填料，氨溶进酸性循环水里。
      - 循环水的酸度按设定补酸，电导率高了排水换新水。
      - 水泵按风机档位启停，风小少用水。
      ## 看得见的数字
      | 项目 | 说明 |
      | 进口、出口氨 | 同一时刻成对记录 |
      | 循环水 pH、电导率 | 决定加酸和排水 |
      | 缺测时段 | 写明原因，不补数 |
      ## 安全
      酸液的加注、存放和检修有锁定步骤；检修时泵不能远程启动。`,
    en: `
      ## What it is for
      Odour leaves with the exhaust air. Summer brings the most air, and the most complaints.
      ## How it works
      - Exhaust air passes a wetted packing, and ammonia dissolves in acidic water.
      - Acid is dosed to a set pH; when conductivity is high, water is drained and replaced.
      - Pumps follow the fan gear: less air, less water.
      ## Figures to look at
      | What | Note |
      | Ammonia before and after | recorded in pairs |
      | pH and conductivity of the water | decide about acid and draining |
      | Missing hours | the reason is told; nothing is filled in |
      ## Safety
      Filling, storing and servicing acid have lock-out steps; during service no pump starts remotely.`,
  },
  {
    channel: "solution",
    page: "highStandardFarmland",
    topic: "emission",
    cover: "farmland",
    title: "高标准农田：一块田，一本水肥账",
    titleEn: "High-standard farmland: one field, one register of water and nutrients",
    summary: "处理后的粪水按需还田，墒情、流量和养分记到地块。",
    summaryEn: "Treated manure water goes out by need; soil moisture, flow and nutrients are kept by field.",
    zh: `
      ## 要解决什么
      粪水是肥料，也是负担：该用的时候不够，不该用的时候往外流。
      ## 怎么工作
      - 地里的墒情和天气决定什么时候浇。
      - 干管和支管计量，精确到地块和轮灌组。
      - 每次还田记下来源、方数和含氮量估算，与作物需求对照。
      ## 边界
      降雨前、冻土期和水源保护范围内不安排还田，系统会提醒并要求写明理由。`,
    en: `
      ## What it is for
      Manure water is a fertilizer and a burden: short when it is needed, running off when it is not.
      ## How it works
      - Soil moisture and weather decide when to irrigate.
      - Mains and branches are metered, down to the field and the irrigation block.
      - Every application keeps source, volume and estimated nitrogen, beside what the crop needs.
      ## Limits
      Nothing is planned before rain, on frozen ground or within water protection areas; the system warns and asks for a reason.`,
  },
  {
    channel: "solution",
    page: "pigFarmDesign",
    topic: "climate",
    cover: "farm-design",
    title: "猪场设计：先算风，再画墙",
    titleEn: "Farm design: air first, then walls",
    summary: "从存栏和气候算出通风量，再定跨度、风机和进风口；图纸上的每台设备直接进台账。",
    summaryEn:
      "Ventilation follows from herd size and climate; span, fans and inlets follow from that, and every device on the drawing goes straight into the register.",
    zh: `
      ## 要解决什么
      房子先盖，设备后配，风不对了再补，是最贵的做法。
      ## 怎么工作
      - 按存栏、体重和当地极端气温算最小与最大通风量。
      - 按风量定风机、进风口和湿帘面积，再回头定跨度和舍长。
      - 净道、脏道、出猪台和洗消点先画，猪舍再放。
      - 图上的设备带编号，交付时就是设备台账。
      ## 交付什么
      | 图 | 内容 |
      | 总平面 | 净污道、风向、间距 |
      | 通风计算书 | 每档的风量、风速和静压 |
      | 设备清单 | 型号、位置、编号 |`,
    en: `
      ## What it is for
      Building first, equipping later and patching the air at the end is the most expensive way.
      ## How it works
      - Minimum and maximum ventilation are computed from herd size, weights and the local extremes.
      - Fans, inlets and pads follow from the air; span and length follow from those.
      - Clean and dirty roads, loading ramp and washing points are drawn first, houses after.
      - Devices on the drawing have numbers, and at handover they are the register.
      ## What you get
      | Drawing | Contents |
      | Site plan | clean and dirty roads, wind, distances |
      | Ventilation report | air, speed and pressure of each gear |
      | Equipment list | type, place, number |`,
  },
  {
    channel: "legal",
    page: "privacy",
    topic: "",
    cover: "",
    title: "隐私政策",
    titleEn: "Privacy policy",
    summary: "我们收集哪些信息、为什么、保存多久，以及您的权利。",
    summaryEn: "What we collect, why, for how long, and your rights.",
    ...agreementText("privacy"),
  },
  {
    channel: "legal",
    page: "terms",
    topic: "",
    cover: "",
    title: "用户协议",
    titleEn: "User agreement",
    summary: "使用本网站和自助中心的约定。",
    summaryEn: "What is agreed when you use this site and the self-centre.",
    ...agreementText("user"),
  },
];
