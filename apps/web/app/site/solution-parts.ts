import type { ArticlePage, DeviceKindId, DocumentProduct } from "@herdwise/contract";
import type { FlowKind, Glyph } from "./flow-drawing.ts";

/** A station of a solution: what stands there, what happens, and what goes on to the next one. */
export interface Station {
  glyph: Glyph;
  name: string;
  text: string;
  /** What happens when something fails there, and what is done about it. */
  fault: string;
  /** Keys of the solution's live figures that are measured there. */
  live?: readonly string[];
  /** What leads to the next station, and what is measured on the way; none at the last one. */
  next?: readonly [flow: FlowKind, measured: string];
}

interface SolutionParts {
  /** Products that do the work; their documents stand below. */
  products: readonly DocumentProduct[];
  /** Kind of device whose figures the page shows as they are now. */
  live?: DeviceKindId;
  /** Five stations, in order. */
  stations: readonly Station[];
  /** Figures that the product claims or sets, each with what it means. */
  figures: readonly (readonly [name: string, value: string, note: string])[];
}

/** The two product claims of product.md 9. */
const sterilized = ["风机与饲料灭菌", "85 ℃ × 8 分钟", "每一批都留下温度与时长，到场前可查。"] as const;
const supplied = ["直供半径", "200 km", "饲料从厂到场不经中转，车辆与路线可查。"] as const;

/** What each page of a solution shows beside its text. */
export const solutionsByPage: Readonly<Partial<Record<ArticlePage, SolutionParts>>> = {
  environmentalControl: {
    products: ["environment"],
    live: "environment",
    stations: [
      {
        glyph: "pad",
        name: "进风与湿帘",
        text: "外面的空气从湿帘和进风口进来，开度按静压走。",
        fault: "湿帘水泵停了：进来的风不凉，舍温往上走，升档并告警。",
        next: ["air", "室外温湿度"],
      },
      {
        glyph: "house",
        name: "猪舍单元",
        text: "每支探头单独记，差得太多先查探头。",
        fault: "一支探头卡住或乱跳：读数标为不可信，不进平均。",
        live: ["t_in", "nh3"],
        next: ["data", "温度、湿度、氨、二氧化碳"],
      },
      {
        glyph: "panel",
        name: "控制器",
        text: "按日龄的目标温度，在十八档里选一档。断网也照表走。",
        fault: "断网：照当地的表继续通风，连上后补传。",
        live: ["gear"],
        next: ["data", "档位与设定"],
      },
      {
        glyph: "fan",
        name: "风机与变频",
        text: "升档要停留够时间，降档留回差，不来回跳。",
        fault: "一台风机没有电流：马上告警，可以先切到另一组风机。",
        next: ["air", "风量、静压、用电"],
      },
      {
        glyph: "screen",
        name: "场长的屏",
        text: "偏差画在同一条时间轴上，要动手时才叫人。",
        fault: "没有人应：到时间叫下一位，直到有人处理。",
      },
    ],
    figures: [
      ["通风档位", "最多 18 档", "从最小通风到全开，每一档写明台数、转速和进风口开度。"],
      ["单元模式", "3 种", "正常饲养、空舍、洗栏，各有各的联动和告警。"],
      ["照明", "最多 6 组", "每组自己的时间段，不能重叠。"],
    ],
  },
  biosafety: {
    products: ["bathroom", "disinfect", "dosing-station"],
    live: "bathroom",
    stations: [
      {
        glyph: "truck",
        name: "车",
        text: "路线和洗消记录一起看，没洗干净不放行。",
        fault: "洗消少一步：这一次记为不合格，不放行。",
        next: ["road", "洗消时间、路线"],
      },
      {
        glyph: "heater",
        name: "物与料",
        text: "风机与饲料在 85 ℃ 下灭菌 8 分钟，逐批留曲线。",
        fault: "85 ℃ 没保持够 8 分钟：这一批不合格，重新灭菌。",
        next: ["feed", "温度、时长"],
      },
      {
        glyph: "gate",
        name: "人",
        text: "洗澡间五步，少一步门不开；绕行要说明原因。",
        fault: "跳过淋浴：门不开，绕行要写原因并留在记录里。",
        live: ["occupancy", "water_t"],
        next: ["road", "每一步的时间"],
      },
      {
        glyph: "tank",
        name: "水",
        text: "配药站投药，末端饮水器处量余量。",
        fault: "末端余氯低：告警，从加药点到末端逐段查。",
        next: ["water", "余氯、pH、流量"],
      },
      {
        glyph: "house",
        name: "净区",
        text: "每道门都是一条记录，例外一直留在页面最上面。",
        fault: "门一直开着：到时间就告警，说是哪一道。",
      },
    ],
    figures: [
      sterilized,
      supplied,
      ["洗澡间", "5 步", "登记脱衣、存放物品、淋浴、换场内衣、消毒鞋底，每一步有最少时间。"],
    ],
  },
  wisdom: {
    products: ["cough", "temperature", "needleless", "environment"],
    live: "cough",
    stations: [
      {
        glyph: "house",
        name: "一栋舍",
        text: "声音、体温、饮水和空气来自同一个单元。",
        fault: "拾音器听不到：这一段写“没听到”，不当成安静。",
        live: ["coughs", "rdi"],
        next: ["data", "咳嗽次数、体温"],
      },
      {
        glyph: "panel",
        name: "网关",
        text: "断网先存着，恢复后按原来的时间补传。",
        fault: "网关停了：这一栋标为离线，不当成正常。",
        next: ["data", "补传的记录有标记"],
      },
      {
        glyph: "server",
        name: "平台",
        text: "同一个原因的告警折成一条，先说最急的。",
        fault: "一处停电：几十条告警折成一条，先说原因。",
        next: ["data", "告警与依据"],
      },
      {
        glyph: "screen",
        name: "一张图",
        text: "几条曲线共用一条时间轴，先后一眼看到。",
        fault: "有一段没测到：画成斜线，不连成线。",
        next: ["road", "要做的事"],
      },
      {
        glyph: "person",
        name: "兽医",
        text: "采样、化验和用药由人决定，记录落到栏。",
        fault: "没有人处理：到时间换一个人叫。",
      },
    ],
    figures: [
      ["时间轴", "1 条", "声音、体温、免疫、饮水和环境放在一起。"],
      ["断网补传", "按原时间", "补传的数据不会被当成新告警。"],
      ["免疫", "落到栏", "漏打的按数对出来。"],
    ],
  },
  evcManure: {
    products: ["platform"],
    stations: [
      {
        glyph: "house",
        name: "漏缝地板",
        text: "粪水从舍下流走，排空时间和次数都记着。",
        fault: "排不净：排空时间变长就提醒，先查堵没堵。",
        next: ["water", "排空次数"],
      },
      {
        glyph: "pump",
        name: "集污与分离",
        text: "固液分开，泵的开停和电耗逐时记。",
        fault: "泵停了：液位照样涨，按余量算还能撑多久。",
        next: ["water", "流量、电耗"],
      },
      {
        glyph: "tank",
        name: "厌氧罐",
        text: "温度、pH 和产气一起看，异常先停料。",
        fault: "温度掉了：先停料，再查加热和保温。",
        next: ["water", "温度、pH"],
      },
      {
        glyph: "pond",
        name: "贮存池",
        text: "按近七天进水估还能存几天，满之前提醒。",
        fault: "快满了：满之前提醒，先安排还田。",
        next: ["water", "液位、剩余天数"],
      },
      {
        glyph: "field",
        name: "地块",
        text: "还田按地块计量，对着施肥计划走。",
        fault: "要下雨：不安排还田，排好的往后挪。",
      },
    ],
    figures: [
      ["贮存", "剩余天数", "用近七天的进水估，降雨另算。"],
      ["还田", "按地块", "方数、日期和经手人各一条。"],
      ["缺测", "写明原因", "没有测到的时段不补数。"],
    ],
  },
  ammoniaDeodorization: {
    products: ["deodorization", "bungalow-deodorization"],
    live: "deodorization",
    stations: [
      {
        glyph: "fan",
        name: "排风墙",
        text: "排风先汇到一处，风量跟着舍里的档位走。",
        fault: "风机少转了：风量和档位对不上就告警。",
        live: ["nh3_in"],
        next: ["air", "进口氨、风量"],
      },
      {
        glyph: "tower",
        name: "洗涤塔",
        text: "风穿过喷淋的填料，氨溶进酸性循环水。",
        fault: "填料堵了：压降升高就告警，先冲洗。",
        live: ["nh3_out", "dp"],
        next: ["air", "出口氨、压差"],
      },
      {
        glyph: "tank",
        name: "酸与药剂",
        text: "按设定的 pH 补酸，余量低了提前说。",
        fault: "酸快用完：按余量提前提醒，不等 pH 升上去。",
        live: ["ph"],
        next: ["water", "pH、电导率"],
      },
      {
        glyph: "pump",
        name: "排液与补水",
        text: "电导率高了排旧水换新水，去处有记录。",
        fault: "排液阀没开：电导率一直升，告警说去看阀。",
        live: ["ec", "level"],
        next: ["data", "排液次数、体积"],
      },
      {
        glyph: "screen",
        name: "逐时登记",
        text: "进出口成对记，缺测写明原因，不补数。",
        fault: "缺了一小时：空着并写明原因，不补数。",
      },
    ],
    figures: [
      ["去除率", "成对的数", "同一时刻的进口和出口，一对才算一次。"],
      ["登记", "逐时", "写进去之后不能改，只能更正并写明原因。"],
      ["检修", "先锁定", "检修时泵不能远程启动。"],
    ],
  },
  highStandardFarmland: {
    products: ["platform"],
    stations: [
      {
        glyph: "pond",
        name: "处理后的水",
        text: "先测养分，再定这次能用多少。",
        fault: "养分没测：这一批不给用量。",
        next: ["water", "氮、磷、电导率"],
      },
      {
        glyph: "pump",
        name: "泵与计量",
        text: "流量计在出口，开停和方数自动记。",
        fault: "流量计停了：这一次的方数标为没量到，不估。",
        next: ["water", "流量、累计方数"],
      },
      {
        glyph: "field",
        name: "地块",
        text: "按墒情和作物安排，雨前雨后不还。",
        fault: "地太湿：这一块今天不排，换下一块。",
        next: ["data", "墒情、降雨"],
      },
      {
        glyph: "server",
        name: "一本账",
        text: "每块地一本水肥账，和施肥计划对照。",
        fault: "和施肥计划差得多：这块地标出来。",
        next: ["data", "方数、养分"],
      },
      {
        glyph: "person",
        name: "农户与监管",
        text: "按授权各看各的那一份，导出就是台账。",
        fault: "撤了授权：从那一刻起看不到。",
      },
    ],
    figures: [
      ["账", "一块田一本", "水、肥和日期都在一处。"],
      ["还田", "看墒情", "雨前雨后和冻土期不安排。"],
      ["台账", "可导出", "给农户和监管的是同一份。"],
    ],
  },
  pigFarmDesign: {
    products: ["environment", "platform"],
    stations: [
      {
        glyph: "sheet",
        name: "需求",
        text: "存栏、批次、气候和地形先写成数。",
        fault: "少一个数：写明按什么假设算。",
        next: ["data", "风量、热负荷"],
      },
      {
        glyph: "fan",
        name: "风量与气流",
        text: "先算夏天最大和冬天最小，再定风机。",
        fault: "冬天风量压不下来：换小风机或加变频。",
        next: ["data", "台数、静压"],
      },
      {
        glyph: "house",
        name: "跨度与结构",
        text: "跨度服从气流，梁柱避开进风口。",
        fault: "梁挡住进风口：图上标出来，挪梁或改进风口。",
        next: ["data", "点位"],
      },
      {
        glyph: "panel",
        name: "点位图",
        text: "探头、风机、阀门在图上各有编号。",
        fault: "点位没编号：清单不放行。",
        next: ["data", "清单"],
      },
      {
        glyph: "server",
        name: "设备台账",
        text: "图上的编号就是台账里的编号，装好即绑定。",
        fault: "装错位置：绑定时编号对不上，当场就知道。",
      },
    ],
    figures: [
      ["先后", "先风后墙", "先算风量与气流，再定跨度与风机。"],
      ["编号", "一个", "图纸、标牌和台账用同一个。"],
      ["交付", "可核对", "验收按清单逐台读数。"],
    ],
  },
  feedMill: {
    products: ["platform"],
    stations: [
      {
        glyph: "truck",
        name: "原料入厂",
        text: "批号、产地和检验结果跟着车走，未检先不卸。",
        fault: "检验不合格：不卸车，退回并留记录。",
        next: ["feed", "批号、水分、毒素"],
      },
      {
        glyph: "silo",
        name: "筒仓",
        text: "料位、温度和翻仓记录一起看，发热先告警。",
        fault: "仓温升高：先告警，再翻仓。",
        next: ["feed", "料位、仓温"],
      },
      {
        glyph: "heater",
        name: "灭菌",
        text: "85 ℃ 保持 8 分钟，温度和时长都够才放行。",
        fault: "温度或时长不够：这一批不放行，重做。",
        next: ["feed", "温度、时长"],
      },
      {
        glyph: "panel",
        name: "冷却与打包",
        text: "冷却后的温度和水分达标才入库，批批可追。",
        fault: "水分高：不入库，回到冷却。",
        next: ["feed", "水分、重量"],
      },
      {
        glyph: "farm",
        name: "直供到场",
        text: "200 公里内直供，不经中转，路线和到场时间可查。",
        fault: "路线偏了：到场以前就看得到。",
      },
    ],
    figures: [sterilized, supplied, ["追溯", "按批", "从原料批号到到场的料塔，查一次就够。"]],
  },
  farmMonitoring: {
    products: ["environment", "cough", "temperature", "bathroom"],
    live: "temperature",
    stations: [
      {
        glyph: "house",
        name: "单元",
        text: "环境、声音和体温在舍里采，断网照常控制。",
        fault: "断网：照当地的设定继续，读数连上后补。",
        live: ["mean", "fever_share"],
        next: ["data", "读数，每分钟"],
      },
      {
        glyph: "panel",
        name: "舍",
        text: "一栋舍的单元汇到一处，偏差大的排前面。",
        fault: "一个单元从未上报：写“无数据”，不算正常。",
        next: ["data", "偏差、告警"],
      },
      {
        glyph: "farm",
        name: "场区",
        text: "人、车、料、水、电和粪水在一张图上。",
        fault: "停电：先说停电，再列出受影响的舍。",
        next: ["data", "门禁、用电、液位"],
      },
      {
        glyph: "server",
        name: "平台",
        text: "同因告警折成一条，按级别和时段推给该管的人。",
        fault: "一个渠道推不出去：换一个渠道，再换一个人。",
        next: ["data", "工单与记录"],
      },
      {
        glyph: "person",
        name: "值班的人",
        text: "没有事不打扰；有事直接到那一台设备。",
        fault: "值班的人没应：到时间叫下一位。",
      },
    ],
    figures: [
      ["看板", "3 级", "场区、舍、单元，一级比一级细。"],
      ["告警", "同因合并", "一个原因一条，先说最急的。"],
      ["权限", "按场授权", "谁能看哪些场，随时能改。"],
    ],
  },
  parkMonitoring: {
    products: ["platform", "deodorization"],
    live: "deodorization",
    stations: [
      {
        glyph: "gate",
        name: "园区大门",
        text: "车辆洗消、人员通道和路线各有记录。",
        fault: "车没洗消：大门记一条，不放行。",
        next: ["road", "车牌、洗消时间"],
      },
      {
        glyph: "farm",
        name: "养殖与屠宰",
        text: "各厂自己的系统不换，按授权把数交上来。",
        fault: "一家停了上报：写明从什么时候起没有数。",
        next: ["data", "产量、告警"],
      },
      {
        glyph: "pump",
        name: "水、电、气",
        text: "总表和分表对得上，差得多就查漏。",
        fault: "分表加起来对不上：标出差多少，先查漏。",
        next: ["data", "用量、功率因数"],
      },
      {
        glyph: "tower",
        name: "环保",
        text: "排口、厂界和除臭塔逐时留存，缺测写明原因。",
        fault: "排口缺测：空着并写明原因。",
        live: ["nh3_out"],
        next: ["air", "氨、硫化氢、臭气"],
      },
      {
        glyph: "screen",
        name: "一张图",
        text: "一个园区一张图，谁超了、谁停了，先后都看得到。",
        fault: "几处一起告警：同一个原因折成一条。",
      },
    ],
    figures: [
      ["范围", "水电气与环保", "再加车辆和人员，一个园区一张图。"],
      ["数据", "按授权", "各厂给多少、给多久由各厂定，每次取数有记录。"],
      ["环保", "逐时留存", "排口和厂界分开记，缺测写明原因。"],
    ],
  },
};
