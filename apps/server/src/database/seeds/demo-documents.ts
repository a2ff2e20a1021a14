import type { DocumentKind, DocumentProduct } from "@herdwise/contract";
import { type Channel, type DeviceKind, deviceKinds, type Parameter } from "@herdwise/device-kinds";
import type { Kysely } from "kysely";
import type { PaperBlock, PaperShape, ProductPaper } from "../../modules/product-documents/index.ts";
import type { DB } from "../generated/database.ts";
import { onceOverServers } from "./once-over-servers.ts";

interface DocumentSeed {
  kind: DocumentKind;
  product: DocumentProduct;
  title: string;
  titleEn: string;
  version: string;
  summary: string;
  summaryEn: string;
  daysAgo: number;
  sections: ProductPaper["sections"];
}

const example =
  "示例资料 Example。内容取自平台里设备的定义，用来演示资料的样子；安装、使用和验收以随设备交付的资料为准。 Made from the definitions of devices in this platform, as a demonstration; the papers that come with a device are what counts.";

const kindNames: Readonly<Record<DocumentKind, string>> = {
  manual: "说明书 Manual",
  certificate: "合格证 Certificate",
  brochure: "产品单页 Brochure",
  report: "检验报告 Test report",
  drawing: "图纸 Drawing",
};
const severityNames = { WARN: "提示", MINOR: "一般", MAJOR: "严重", CRITICAL: "紧急" } as const;

/** Installation and handling of devices, which their declarations do not contain. */
const hands: Readonly<
  Record<string, { does: string; doesEn: string; place: readonly string[]; care: readonly string[] }>
> = {
  environment: {
    does: "量一个单元的温度、湿度、气体和静压，按日龄在十八档里选一档，带动风机、湿帘、喷淋和加热。",
    doesEn: "Measures the climate of a unit and drives fans, pads, sprays and heaters in up to eighteen gears by age.",
    place: [
      "探头挂在猪背高度以上 0.3 米，离进风口和加热器 2 米以上，避开直射的水。",
      "控制箱装在净道一侧，离地 1.4 米，进线从下面走并做滴水弯。",
      "静压管一端在舍内、一端在室外背风处，管口朝下。",
      "逐台通电，先手动转每一台风机，确认转向，再交给自动。",
    ],
    care: [
      "每批空舍时用软布擦净探头，不用水枪冲。",
      "每季度比对一次温湿度与气体，偏差写进维护记录。",
      "每月试一次断电报警和备用电源切换。",
    ],
  },
  cough: {
    does: "拾音器听一个单元的咳嗽，按小时计数，并与前几天同一时段的基线比较。",
    doesEn: "Listens to the coughs of a unit, counts them by the hour and compares them with the baseline.",
    place: [
      "挂在单元中部，离地 1.8 到 2.2 米，离风机 5 米以上。",
      "一个单元至少一只；长条单元每 15 米一只。",
      "装好后安静运行 7 天，让基线建立起来。",
    ],
    care: ["每批擦净拾音口，不要涂封。", "洗栏前套上防护罩，洗完取下并看一次自检结果。"],
  },
  temperature: {
    does: "不接触地测猪群体表温度，按栏汇总，连续升高时提醒。",
    doesEn: "Measures the surface temperature of the herd without touching it and tells when a pen goes on rising.",
    place: [
      "镜头对着猪休息的位置，距离 2 到 3 米，视野里不要有加热灯。",
      "参考黑体装在视野一角，每天自动比对一次。",
      "按栏画区域，并与单元的栏号一致。",
    ],
    care: ["每周用镜头纸擦一次，不用酒精擦镀膜面。", "参考黑体每半年送校一次。"],
  },
  needleless: {
    does: "不用针头把疫苗打进皮内，剂量、压力和耳号逐针记录。",
    doesEn: "Gives vaccine through the skin without a needle; dose, pressure and ear tag are recorded shot by shot.",
    place: [
      "开机后先空打三次，看压力是否在设定范围内。",
      "换疫苗前清洗管路两次，并在屏上换批次。",
      "贴紧、垂直，听到到位声再扣动。",
    ],
    care: ["每天用完清洗并排干，喷嘴浸泡消毒。", "每一千针检查一次喷嘴密封圈。"],
  },
  bathroom: {
    does: "管人员洗澡进场：五步各有最少时间，少一步门不开，例外写明原因。",
    doesEn: "Guards the shower entry: each of the five steps has its minimum time, and the door stays shut without it.",
    place: [
      "脏区门和净区门互锁，任何时候只开一扇。",
      "读卡器装在门的脏区一侧，离地 1.2 米。",
      "热水温度探头装在混水阀之后。",
    ],
    care: ["每周试一次互锁和应急开门。", "每月清洗喷头与地漏，擦净人体传感器。"],
  },
  disinfect: {
    does: "给饮水加消毒剂，并在末端饮水器处量余量、pH 和流量。",
    doesEn: "Disinfects drinking water and measures the residue, pH and flow at the last drinker.",
    place: [
      "加药点在过滤器之后、分支之前。",
      "余量探头装在最远的一个饮水器之前，流速不低于 0.3 米每秒。",
      "药桶放在围堰里，与酸分开。",
    ],
    care: ["每周比对一次余量，用手持比色计。", "每月清洗加药泵阀座，换一次过滤网。"],
  },
  deodorization: {
    does: "排风穿过喷淋的填料，氨溶进酸性循环水；进口和出口成对记录，逐时留存。",
    doesEn:
      "Exhaust air passes a wetted packing and its ammonia dissolves in acidic water; inlet and outlet are recorded in pairs, hour by hour.",
    place: [
      "塔放在排风汇集墙之后，基础水平偏差不超过 5 毫米。",
      "酸罐双层围堰，加酸泵与风机联锁：没有风就不加酸。",
      "进出口采样管等长，朝下敷设并保温。",
    ],
    care: [
      "每周看一次喷嘴与压差，压差升高先清洗除雾器。",
      "每月比对 pH 探头，每半年换一次参比液。",
      "检修前在屏上锁定，泵不能远程启动。",
    ],
  },
  "bungalow-deodorization": {
    does: "平层猪舍檐下喷雾，按风机档位启停，厂界的气体同时记录。",
    doesEn:
      "Spray curtains under the eaves of single-storey houses follow the fan gear; gases at the boundary are recorded too.",
    place: [
      "喷杆离风机出口 1.5 到 2.5 米，喷嘴朝上 15 度。",
      "水源前装 100 目过滤器，泵进口常压。",
      "幕帘张紧，下缘离地 0.2 米。",
    ],
    care: ["每周洗滤网，看哪些喷嘴不出雾。", "冬天停用前排空管路。"],
  },
  "dosing-station": {
    does: "给水线加药，药量跟着流量走，每一次配药有批号、浓度和经手人。",
    doesEn: "Doses the water line in step with its flow; each batch of solution has number, strength and person.",
    place: [
      "装在单元水表之后，前后各留 0.5 米直管。",
      "药桶、搅拌和加药泵同一个底座，离墙 0.3 米。",
      "先用清水走 30 分钟，核对泵的刻度。",
    ],
    care: ["换药前冲洗到出水澄清。", "每季度量一次泵的实际流量，偏差大于 5 % 就标定。"],
  },
  weighbridge: {
    does: "车辆一进一出各称一次，磅单带车牌、重量、零点、稳定和检定有效期，直接进订单。",
    doesEn:
      "Weighs each lorry on its way in and out; a ticket has plate, weight, zero offset, stability and calibration, and goes straight into its order.",
    place: [
      "秤台两端各留 3 米直道，四周排水。",
      "四只传感器底板找平，高差不超过 2 毫米。",
      "接线盒离地 0.5 米，单独接地。",
    ],
    care: ["每天清扫秤台和缝，空秤置零。", "每年检定一次，到期前 30 天会提醒。"],
  },
};

const shownParameter = (parameter: Parameter): readonly string[] => [
  parameter.name.zh,
  parameter.type === "number"
    ? range(parameter.range, parameter.unit)
    : parameter.type === "choice"
      ? parameter.choices.map(({ name }) => name.zh).join("、")
      : parameter.type === "structure"
        ? `表格${parameter.maxRows === undefined ? "" : `，最多 ${parameter.maxRows} 行`}`
        : parameter.type === "boolean"
          ? "开、关"
          : "文字",
  parameter.type === "number"
    ? measured(parameter.default, parameter.unit)
    : parameter.type === "boolean"
      ? parameter.default
        ? "开"
        : "关"
      : parameter.type === "choice"
        ? (parameter.choices.find(({ value }) => value === parameter.default)?.name.zh ?? "")
        : "见屏上",
];
/** A number and its unit, kept on one line. */
const measured = (value: number, unit: string): string =>
  `${value.toLocaleString("en-US", { maximumFractionDigits: 6 })}${unit === "" ? "" : `\u00a0${unit}`}`;
const interval = (seconds: number): string =>
  seconds % 60 === 0 ? measured(seconds / 60, "分钟") : measured(seconds, "秒");
const range = (of: readonly [number, number] | undefined, unit: string): string =>
  of === undefined ? "" : `${measured(of[0], "")} 到 ${measured(of[1], unit)}`;
/** Range that a channel can report; for totals and times since the start, which are only limited by storage, there is none. */
const reportable = ({ key, valid, unit, cumulative }: Channel): string =>
  cumulative || key === "uptime" ? "" : range(valid, unit);
const table = (widths: readonly number[], rows: readonly (readonly string[])[]): PaperBlock => ({
  block: "table",
  widths,
  rows,
});
const text = (words: string): PaperBlock => ({ block: "text", text: words });

const channelTable = (kind: DeviceKind): PaperBlock =>
  table(
    [3, 4, 3, 3, 2],
    [
      ["测量的量", "English", "能报的范围", "通常范围", "间隔"],
      ...kind.channels
        .filter(({ type }) => type === "number")
        .map((channel) => [
          channel.name.zh,
          channel.name.en,
          reportable(channel),
          range(channel.normal, channel.unit),
          interval(channel.intervalS),
        ]),
    ],
  );

function manualOf(kind: DeviceKind): ProductPaper["sections"] {
  const hand = hands[kind.kind];
  return [
    { title: "用途", titleEn: "Purpose", blocks: [text(hand?.does ?? ""), text(hand?.doesEn ?? "")] },
    { title: "安装", titleEn: "Installation", blocks: [{ block: "steps", steps: hand?.place ?? [] }] },
    { title: "测量的量", titleEn: "What it measures", blocks: [channelTable(kind)] },
    {
      title: "设定",
      titleEn: "Settings",
      blocks: [
        text("在平台的参数页上修改；设备收到之后回报，屏上显示期望值与回报值。"),
        table([4, 5, 3], [["设定", "范围", "出厂值"], ...kind.parameters.map(shownParameter)]),
      ],
    },
    {
      title: "告警与处理",
      titleEn: "Alarms and what to do",
      blocks: [
        table(
          [3, 2, 5, 5],
          [
            ["告警", "级别", "多半的原因", "先做什么"],
            ...kind.alarmRules.map(({ id, name, severity }) => {
              const guide = kind.guides?.find(({ rule }) => rule === id);
              return [name.zh, severityNames[severity], guide?.cause.zh ?? "", guide?.steps[0]?.zh ?? ""];
            }),
          ],
        ),
      ],
    },
    { title: "保养", titleEn: "Maintenance", blocks: [{ block: "points", points: hand?.care ?? [] }] },
    {
      title: "停电与断网",
      titleEn: "Power and network failures",
      blocks: [
        {
          block: "points",
          points: [
            "断网时设备按本地的设定继续工作，数据先存着，恢复后按原来的时间补传。",
            `超过 ${interval(kind.offlineAfterS)}没有上报，平台记为离线。`,
            "停电后来电，先看屏上的时间对不对，再看设定与回报是否一致。",
          ],
        },
      ],
    },
  ];
}

function brochureOf(kind: DeviceKind): ProductPaper["sections"] {
  const hand = hands[kind.kind];
  return [
    { title: "一句话", titleEn: "In a sentence", blocks: [text(hand?.does ?? ""), text(hand?.doesEn ?? "")] },
    {
      title: "数据",
      titleEn: "Data",
      blocks: [
        table(
          [5, 3],
          [
            ["项目", "数"],
            ["测量与状态", `${kind.channels.length} 项`],
            ["上报间隔", interval(kind.reportIntervalS)],
            ["告警规则", `${kind.alarmRules.length} 条，可按场、舍、单元改`],
            ["可设定的参数", `${kind.parameters.length} 项`],
            ["可以下发的指令", kind.commands.map(({ name }) => name.zh).join("、") || "无"],
          ],
        ),
      ],
    },
    {
      title: "看得到什么",
      titleEn: "What you see",
      blocks: [
        table(
          [4, 2, 6],
          [
            ["分析", "单位", "怎么算"],
            ...kind.analytics.slice(0, 8).map(({ name, unit, formula }) => [name.zh, unit, formula.zh]),
          ],
        ),
      ],
    },
    {
      title: "配套",
      titleEn: "What belongs to it",
      blocks: [
        {
          block: "points",
          points: [
            "网关或现场以太网；断网先存，恢复后补传。",
            "平台账号：按场授权，谁能看、谁能改分开。",
            ...(hand?.place.slice(0, 1) ?? []),
          ],
        },
      ],
    },
  ];
}

function reportOf(kind: DeviceKind): ProductPaper["sections"] {
  return [
    {
      title: "样品与依据",
      titleEn: "Sample and basis",
      blocks: [
        table(
          [3, 6],
          [
            ["项目", "填写"],
            ["产品", kind.name.zh],
            ["序列号", ""],
            ["检验日期", ""],
            ["环境", "温度      ℃，相对湿度      %"],
            ["标准器具与有效期", ""],
          ],
        ),
      ],
    },
    {
      title: "检验项目",
      titleEn: "Items",
      blocks: [
        table(
          [3, 4, 3, 2],
          [
            ["项目", "方法", "允许范围", "结果"],
            ["外观与标识", "目视", "无破损，标识清楚", ""],
            ["通电自检", "通电后看屏", "无故障", ""],
            ...kind.channels
              .filter(({ type, normal }) => type === "number" && normal !== undefined)
              .slice(0, 10)
              .map((channel) => [channel.name.zh, "与标准器具比对", reportable(channel), ""]),
            ["断网补传", "断开 10 分钟再恢复", "数据完整，时间不变", ""],
          ],
        ),
      ],
    },
    {
      title: "结论",
      titleEn: "Conclusion",
      blocks: [
        text("□ 合格    □ 不合格，处理：                        检验：              复核：              "),
        text("这是空白样张，没有对应的样品和结果。 A blank specimen: no sample was tested."),
      ],
    },
  ];
}

function certificateOf(kind: DeviceKind): ProductPaper["sections"] {
  return [
    {
      title: "产品",
      titleEn: "Product",
      blocks: [
        table(
          [3, 6],
          [
            ["项目", "填写"],
            ["产品名称", kind.name.zh],
            ["型号", ""],
            ["序列号", ""],
            ["出厂日期", ""],
            ["检验员", ""],
          ],
        ),
        text("本产品按出厂检验项目检验合格，准予出厂。"),
        text("样张，没有对应的产品。 Specimen: it belongs to no product."),
      ],
    },
    {
      title: "随机附件",
      titleEn: "In the box",
      blocks: [
        table(
          [5, 2, 4],
          [
            ["名称", "数量", "备注"],
            ["主机", "1", ""],
            ["安装附件包", "1", ""],
            ["说明书", "1", ""],
            ["校准记录", "1", "有测量功能的"],
          ],
        ),
      ],
    },
  ];
}

const box = (x: number, y: number, width: number, height: number, filled?: true): PaperShape => ({
  shape: "box",
  at: [x, y],
  size: [width, height],
  ...(filled && { filled }),
});
const label = (x: number, y: number, words: string): PaperShape => ({ shape: "label", at: [x, y], text: words });
const size = (from: readonly [number, number], to: readonly [number, number], words: string): PaperShape => ({
  shape: "size",
  from,
  to,
  text: words,
});
const line = (from: readonly [number, number], to: readonly [number, number], dashed?: true): PaperShape => ({
  shape: "line",
  from,
  to,
  ...(dashed && { dashed }),
});

const drawings: readonly (Omit<DocumentSeed, "kind" | "version" | "sections"> & {
  height: number;
  shapes: readonly PaperShape[];
  notes: readonly string[];
})[] = [
  {
    product: "deodorization",
    title: "除臭塔基础与接管图",
    titleEn: "Scrubber: foundation and connections",
    summary: "塔体、酸罐围堰和排液的相对位置与基础尺寸，示意。",
    summaryEn: "Tower, bunded acid tank and drain: positions and foundation sizes, schematic.",
    daysAgo: 40,
    height: 110,
    shapes: [
      box(10, 20, 90, 60, true),
      label(42, 46, "塔体基础"),
      size([10, 14], [100, 14], "6400"),
      size([106, 20], [106, 80], "2400"),
      box(120, 40, 30, 30),
      box(124, 44, 22, 22, true),
      label(126, 53, "酸罐"),
      label(120, 73, "双层围堰"),
      line([100, 50], [120, 50]),
      line([55, 80], [55, 98]),
      label(58, 92, "排液，坡度 1 %"),
      line([0, 50], [10, 50]),
      label(0, 44, "排风"),
    ],
    notes: [
      "基础混凝土 C25，表面水平偏差不超过 5 毫米。",
      "围堰容积不小于最大酸罐的 1.1 倍。",
      "尺寸单位毫米，示意，不作施工依据。",
    ],
  },
  {
    product: "environment",
    title: "育肥单元环控点位图",
    titleEn: "Finishing unit: layout of climate points",
    summary: "一个单元里探头、进风口、风机、湿帘和控制箱的位置，示意。",
    summaryEn: "Places of probes, inlets, fans, pads and the control box in one unit, schematic.",
    daysAgo: 52,
    height: 100,
    shapes: [
      box(10, 20, 140, 55),
      size([10, 14], [150, 14], "24000"),
      size([156, 20], [156, 75], "12000"),
      ...[24, 52, 80, 108].map((x) => box(x, 20, 16, 3, true)),
      label(66, 25, "进风口"),
      ...[26, 40, 54, 68].map((y) => box(148, y - 4, 4, 8, true)),
      label(136, 78, "风机"),
      box(10, 32, 3, 30, true),
      label(15, 45, "湿帘"),
      ...(
        [
          [40, 48],
          [80, 48],
          [120, 48],
        ] as const
      ).map(([x, y]) => box(x, y, 3, 3, true)),
      label(70, 53, "温湿度探头"),
      box(60, 72, 10, 3, true),
      label(56, 78, "控制箱"),
    ],
    notes: ["探头离进风口和加热器 2 米以上。", "控制箱在净道一侧，离地 1.4 米。", "尺寸单位毫米，示意，不作施工依据。"],
  },
  {
    product: "bathroom",
    title: "人员洗澡间平面图",
    titleEn: "Shower entry: floor plan",
    summary: "脏区、淋浴、净区三间和两道互锁门的位置，示意。",
    summaryEn: "Dirty side, showers and clean side with the two interlocked doors, schematic.",
    daysAgo: 61,
    height: 90,
    shapes: [
      box(10, 20, 45, 50),
      box(55, 20, 45, 50),
      box(100, 20, 45, 50),
      label(24, 43, "脏区更衣"),
      label(70, 43, "淋浴与吹干"),
      label(114, 43, "净区更衣"),
      size([10, 14], [145, 14], "9000"),
      size([150, 20], [150, 70], "3200"),
      line([55, 36], [55, 52]),
      line([100, 36], [100, 52]),
      label(46, 74, "门 1，互锁"),
      label(92, 74, "门 2，互锁"),
    ],
    notes: ["两道门同时只能开一扇，停电时从净区能推开。", "地面向地漏找坡 2 %。", "尺寸单位毫米，示意，不作施工依据。"],
  },
  {
    product: "dosing-station",
    title: "配药站水线接管图",
    titleEn: "Dosing station: connection to the water line",
    summary: "水表、过滤器、加药泵和旁通的先后，示意。",
    summaryEn: "Order of meter, strainer, dosing pump and bypass, schematic.",
    daysAgo: 66,
    height: 80,
    shapes: [
      line([5, 40], [155, 40]),
      box(20, 34, 14, 12, true),
      label(21, 48, "水表"),
      box(50, 34, 14, 12, true),
      label(50, 48, "过滤器"),
      box(96, 34, 14, 12, true),
      label(96, 48, "加药点"),
      line([40, 40], [40, 20], true),
      line([40, 20], [130, 20], true),
      line([130, 20], [130, 40], true),
      label(78, 14, "旁通"),
      line([103, 46], [103, 60]),
      box(92, 60, 22, 12),
      label(96, 64, "药桶与泵"),
      size([64, 62], [96, 62], "≥ 500"),
    ],
    notes: ["加药点前后各留 0.5 米直管。", "旁通常闭，检修时打开。", "尺寸单位毫米，示意，不作施工依据。"],
  },
];

const platform: readonly DocumentSeed[] = [
  {
    kind: "manual",
    product: "platform",
    title: "网关安装与接入说明书",
    titleEn: "Gateway: installation and connection",
    version: "3.0",
    summary: "网关放在哪、怎么接电接网、怎么绑定设备，断网时数据去了哪里。",
    summaryEn: "Where a gateway goes, power and network, binding devices, and where data go while the network is away.",
    daysAgo: 12,
    sections: [
      {
        title: "放在哪",
        titleEn: "Where it goes",
        blocks: [
          {
            block: "points",
            points: [
              "净区的弱电箱里，离地 1.5 米以上，避开水汽和直射阳光。",
              "无线设备较多时放在舍的中间；金属门会挡信号，装好后逐台看信号强度。",
            ],
          },
        ],
      },
      {
        title: "接电与接网",
        titleEn: "Power and network",
        blocks: [
          {
            block: "steps",
            steps: [
              "接 24 V 直流，先断开其他设备再通电。",
              "接场内网线；没有网线的插流量卡，天线拧紧。",
              "指示灯：电源常亮，网络常亮为已连上平台，闪为正在连。",
            ],
          },
        ],
      },
      {
        title: "绑定设备",
        titleEn: "Binding devices",
        blocks: [
          {
            block: "steps",
            steps: [
              "在平台上打开“绑定设备”，扫机身上的二维码，或输入序列号和验证码。",
              "选场、舍、单元，写安装位置。",
              "等第一次上报：状态从未激活变成在线。",
            ],
          },
        ],
      },
      {
        title: "协议",
        titleEn: "Protocol",
        blocks: [
          table(
            [3, 6],
            [
              ["项目", "说明"],
              ["传输", "MQTT 3.1、3.1.1、5，走 TCP、TLS 或 WebSocket；另有 HTTP 上报"],
              ["上报", "遥测 v1/devices/me/telemetry，属性 v1/devices/me/attributes"],
              ["代报", "网关替下面的设备上报：v1/gateway/telemetry"],
              ["指令", "v1/devices/me/rpc/request/ 下收到，回到 response"],
            ],
          ),
        ],
      },
      {
        title: "断网与补传",
        titleEn: "Without a network",
        blocks: [
          {
            block: "points",
            points: [
              "断网时先存着，恢复后按原来的时间补传，补传的数据不触发新的告警。",
              "存满之后先丢最旧的，并上报丢了多少。",
            ],
          },
        ],
      },
    ],
  },
  {
    kind: "brochure",
    product: "platform",
    title: "慧牧平台一览",
    titleEn: "Herdwise platform at a glance",
    version: "1.2",
    summary: "一套平台里有什么：场区、设备、告警、健康、工单和数据。",
    summaryEn: "What one platform holds: farms, devices, alarms, health, work orders and data.",
    daysAgo: 20,
    sections: [
      {
        title: "里面有什么",
        titleEn: "What is inside",
        blocks: [
          table(
            [2, 6],
            [
              ["部分", "做什么"],
              ["猪场结构", "场、舍、单元和存栏；存栏是变动的合计，每一笔能查"],
              ["设备", "注册、绑定、设定、指令、固件，断网先存再补传"],
              ["告警", "规则可按场、舍、单元改；同因合并，按级别和时段推送"],
              ["健康", "咳嗽、体温、免疫、用药和休药期"],
              ["服务", "售后工单、投诉、建议，按服务工时计时"],
              ["数据", "原始、分钟、小时、天四种分辨率，可导出"],
            ],
          ),
        ],
      },
      {
        title: "谁能看",
        titleEn: "Who sees what",
        blocks: [
          {
            block: "points",
            points: [
              "每个单位的数据分开存，权限到按钮。",
              "授权可以收回，下一次请求就生效。",
              "谁看了、谁改了，都有记录。",
            ],
          },
        ],
      },
      {
        title: "从哪里开始",
        titleEn: "Where to begin",
        blocks: [
          {
            block: "steps",
            steps: ["先看演示猪舍，不用注册。", "一栋舍装环境监测，当天就有曲线。", "再加咳嗽、体温或除臭，不换平台。"],
          },
        ],
      },
    ],
  },
];

/** Thirty documents of a demo, most of them generated from the declarations of the devices. */
const demoDocuments: readonly DocumentSeed[] = [
  ...platform,
  ...Object.values(deviceKinds).flatMap((kind, at): DocumentSeed[] => {
    const product = kind.kind as DocumentProduct;
    const of = { product, daysAgo: 10 + at * 9 };
    const { zh, en } = kind.name;
    const hand = hands[kind.kind];
    return [
      {
        ...of,
        kind: "manual",
        title: `${zh}安装与使用说明书`,
        titleEn: `${en}: installation and use`,
        version: "2.1",
        summary: `${zh}的安装、测量的量、设定、告警处理和保养。`,
        summaryEn: `${en}: installation, values, settings, alarms and maintenance.`,
        sections: manualOf(kind),
      },
      {
        ...of,
        kind: "brochure",
        daysAgo: of.daysAgo + 3,
        title: `${zh}产品单页`,
        titleEn: `${en}: brochure`,
        version: "1.4",
        summary: hand?.does ?? "",
        summaryEn: hand?.doesEn ?? "",
        sections: brochureOf(kind),
      },
      ...(["environment", "deodorization", "disinfect", "temperature"].includes(kind.kind)
        ? [
            {
              ...of,
              kind: "report" as const,
              daysAgo: of.daysAgo + 5,
              title: `${zh}出厂检验记录（样张）`,
              titleEn: `${en}: factory test record (specimen)`,
              version: "A/1",
              summary: "空白样张：检验项目、方法和允许范围，没有对应的样品。",
              summaryEn: "A blank specimen: items, methods and permitted ranges; no sample was tested.",
              sections: reportOf(kind),
            },
          ]
        : []),
      ...(["needleless", "cough"].includes(kind.kind)
        ? [
            {
              ...of,
              kind: "certificate" as const,
              daysAgo: of.daysAgo + 6,
              title: `${zh}合格证（样张）`,
              titleEn: `${en}: certificate of conformity (specimen)`,
              version: "A/0",
              summary: "空白样张：合格证的格式和随机附件清单。",
              summaryEn: "A blank specimen: the form of the certificate and what is in the box.",
              sections: certificateOf(kind),
            },
          ]
        : []),
    ];
  }),
  ...drawings.map(
    ({ height, shapes, notes, ...of }): DocumentSeed => ({
      ...of,
      kind: "drawing",
      version: "B",
      sections: [
        { title: "图", titleEn: "Drawing", blocks: [{ block: "drawing", height, shapes }] },
        { title: "说明", titleEn: "Notes", blocks: [{ block: "points", points: notes }] },
      ],
    }),
  ),
];

/** Rows of the demo's documents as drafts; they are published once their files exist. */
export const demoDocumentRows = (nextId: () => string) =>
  demoDocuments.map(({ kind, product, title, titleEn, version, summary, summaryEn }) => ({
    id: nextId(),
    documentTitle: title,
    documentTitleEn: titleEn,
    kind,
    product,
    documentVersion: version,
    documentLanguage: "zh",
    summary,
    summaryEn,
    example: true,
  }));

/** Names of the demo's documents in both languages, for internal lists. */
export const documentNames: Readonly<Record<string, string>> = Object.fromEntries(
  demoDocuments.map(({ title, titleEn }) => [title, titleEn]),
);

/**
 * Writes the missing files of the demo's documents one after the other, and publishes them; of several servers one does it.
 * @param write writes a file, by the documents' module
 * @param stopped ends it between two files
 */
export async function seedDemoDocumentFiles(
  db: Kysely<DB>,
  {
    write,
    stopped,
    nowMs,
  }: { write: (id: string, paper: ProductPaper) => Promise<void>; stopped: () => boolean; nowMs: number },
): Promise<void> {
  await onceOverServers(db, "demo documents", async () => {
    const rows = await db
      .selectFrom("productDocuments")
      .select(["id", "documentTitle"])
      .where("example", "=", true)
      .where("fileName", "is", null)
      .orderBy("id")
      .execute();
    for (const { id, documentTitle } of rows) {
      const seed = demoDocuments.find(({ title }) => title === documentTitle);
      if (seed === undefined) continue;
      if (stopped()) return;
      const { title, titleEn, version, sections, kind, product, daysAgo } = seed;
      const productName = Object.values(deviceKinds).find((one) => one.kind === product)?.name.zh ?? "平台与网关";
      await write(id, { title, titleEn, version, sections, example, line: `${kindNames[kind]} · ${productName}` });
      await db
        .updateTable("productDocuments")
        .set({ state: "published", publishedAt: new Date(nowMs - daysAgo * 86_400_000) })
        .where("id", "=", id)
        .execute();
    }
  });
}
