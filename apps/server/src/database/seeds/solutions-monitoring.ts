import type { ArticleSeed } from "./content-markup.ts";

/** Initial texts on intelligent monitoring of feed mills, farms and industrial parks. */
export const monitoringTexts: readonly ArticleSeed[] = [
  {
    channel: "solution",
    page: "feedMill",
    topic: "feed",
    cover: "feed-mill",
    title: "饲料厂智能监控：每一批料，从原料到料塔",
    titleEn: "Feed mill monitoring: each batch, from the raw material to the farm’s silo",
    summary: "原料批号、仓温、85 ℃ 8 分钟灭菌和出厂批次连成一条线，200 公里直供到场，批批可追。",
    summaryEn:
      "Raw-material lots, silo temperature, sterilization at 85\u00a0°C for 8 minutes and finished batches are one line; direct supply within 200\u00a0km, every batch traceable.",
    zh: `
      ## 要解决什么
      饲料是每天都要进场的东西，也是最容易把病原和霉菌毒素带进来的路。出了问题要追到哪一批原料、哪一锅、哪一车，靠纸单要几天。
      ## 怎么做到
      - 原料：批号、产地、水分和毒素检验结果跟着批走，没有结果的不能投料。
      - 筒仓：料位和多点仓温一起看，升温快的先翻仓，不等到结块。
      - 灭菌：温度和时长逐秒记录，不到 85 ℃ 或不满 8 分钟的批次自动拦下。
      - 出厂：批次与车辆绑定，直供半径 200 公里，不经中转，铅封号和到场时间都在一张单上。
      ## 看得见的数字
      | 环节 | 标准 | 留下什么 |
      | 灭菌 | 85 ℃，8 分钟 | 每批的温度曲线与放行人 |
      | 直供 | 200 km | 车辆、路线、到场时间、铅封 |
      | 仓温 | 与环境差 8 ℃ 提示 | 多点温度、翻仓记录 |
      | 追溯 | 按批号 | 从到场料塔倒查到原料批号 |
      ## 例外怎么办
      - 探头故障：这一批按不合格处理，人工复测后才能放行，复测人写在记录里。
      - 断网：控制器照常控制和记录，恢复后按原来的时间补传。
      ## 从哪里开始
      先接一条灭菌线和出厂批次，一般 2 周能看到第一份批次记录；筒仓和原料随后再接。`,
    en: `
      ## What it is for
      Feed enters a farm every day, and it is the easiest way in for pathogens and mycotoxins. To trace a problem to a lot, a run and a truck takes days on paper.
      ## How it is done
      - Raw material: lot, origin, moisture and toxin results travel with it; what has no result can’t be used.
      - Silos: level and temperature at several points; what heats up is turned before it cakes.
      - Sterilization: temperature and time are recorded by the second; a batch below 85\u00a0°C or under 8 minutes is held back.
      - Dispatch: batches are bound to vehicles; direct supply within 200 km without a stop, with seal number and arrival on one sheet.
      ## Figures to look at
      | Stage | Standard | What is kept |
      | Sterilization | 85\u00a0°C for 8 minutes | the curve of each batch and who released it |
      | Direct supply | 200 km | vehicle, route, arrival, seal |
      | Silo temperature | alert at 8\u00a0°C above ambient | several points, turning |
      | Tracing | by lot | from the farm’s silo back to the raw material |
      ## Exceptions
      - A dead probe: the batch counts as failed until somebody measures again, and the record says who.
      - No network: the controller goes on and sends the data later, with their own times.
      ## Where to begin
      Begin with one sterilization line and the dispatch; the first batch record is there in about 2 weeks. Silos and raw material follow.`,
  },
  {
    channel: "solution",
    page: "farmMonitoring",
    topic: "climate",
    cover: "farm-monitoring",
    title: "养殖场智能监控：三级看板，只在需要时打扰你",
    titleEn: "Farm monitoring: three levels, and quiet until something needs you",
    summary: "场区、舍、单元三级看板；人、车、料、水、电、气和猪在一处，同一个原因的告警折成一条。",
    summaryEn:
      "Farm, house and unit on three levels; people, vehicles, feed, water, power, air and pigs in one place, and one alarm for one cause.",
    zh: `
      ## 要解决什么
      一个场几十个单元、上百台设备，每台都会响。值班的人要的不是更多的屏，是“现在哪一间最要紧，为什么”。
      ## 怎么做到
      - 单元：温度、湿度、氨、二氧化碳、静压、饮水、咳嗽和体温画在同一条时间轴上。
      - 舍：偏离目标最大的单元排在最前面，绿的不占地方。
      - 场区：洗澡间、车辆洗消、用水用电、粪水液位和除臭在一张图上。
      - 告警：停电会引起几十条离线，只报一条“这栋舍断电”，其余折在它下面。
      - 值班：按级别、场区和时段推给该管的人，没人接就往上升一级。
      ## 看得见的数字
      | 看板 | 看什么 | 多久更新 |
      | 单元 | 每支探头、档位、设备状态 | 1 分钟 |
      | 舍 | 偏差排序、未处理的告警 | 1 分钟 |
      | 场区 | 存栏、水电料、门禁与洗消 | 5 分钟 |
      ## 例外怎么办
      - 空舍与洗栏：切换单元模式，告警屏蔽但仍记录为已屏蔽，模式一恢复就重新判断。
      - 断网：舍内照常控制；平台写明“数据停在几点”，不把旧数当新数。
      ## 从哪里开始
      先接一栋舍的环境监测，设备绑定当天就有曲线，再按舍铺开。`,
    en: `
      ## What it is for
      A farm has dozens of units and more than a hundred devices, and each of them rings. Whoever is on duty does not need more screens but an answer: which room is the most urgent, and why.
      ## How it is done
      - Unit: temperature, humidity, ammonia, carbon dioxide, pressure, water, coughs and body temperature on one time axis.
      - House: the units furthest from their target come first; what is well takes no room.
      - Farm: showers, vehicle disinfection, water, power, manure levels and deodorization in one picture.
      - Alarms: a power cut brings dozens of devices down; it is told once, and the others fold below it.
      - Duty: by severity, farm and time of day to whoever it concerns, and one step up when nobody takes it.
      ## Figures to look at
      | Level | What it shows | Renewed |
      | Unit | each probe, gear and device | 1 minute |
      | House | deviations in order, open alarms | 1 minute |
      | Farm | heads, water, power, feed, gates | 5 minutes |
      ## Exceptions
      - Empty and washed units: the mode masks alarms, which are still kept as masked and judged again afterwards.
      - No network: the house goes on; the platform says when the data stopped and takes no old value for a new one.
      ## Where to begin
      Begin with the climate of one house; curves are there on the day the devices are bound. The other houses follow.`,
  },
  {
    channel: "solution",
    page: "parkMonitoring",
    topic: "emission",
    cover: "park-monitoring",
    title: "产业园区智能监控：一个园区，一张图",
    titleEn: "Industrial park monitoring: one park, one picture",
    summary: "水、电、气、环保与车辆汇到一张图；各厂按授权给数，谁超了、谁停了，先后都看得到。",
    summaryEn:
      "Water, power, gas, emissions and vehicles in one picture; each plant gives what it has agreed to, and what came first can be seen.",
    zh: `
      ## 要解决什么
      饲料厂、养殖场、屠宰厂和污水站在一个园区里，各有各的系统。总表和分表对不上，异味投诉来了说不清是哪一家。
      ## 怎么做到
      - 不换系统：各厂用接口或网关把约定的数交上来，给多少、给多久由各厂定，随时能收回。
      - 水电气：总表与分表逐时对账，差额超过设定就列出最可能的一段管线。
      - 环保：排口、厂界和除臭塔的数逐时留存，缺测写明原因，不补数。
      - 气味：厂界超限时把当时的风向、风速和各源的状态放在一起，先看上风向。
      - 车辆：进园、洗消、过磅和出园连成一条，没洗消的到不了净道。
      ## 看得见的数字
      | 项目 | 怎么看 | 留下什么 |
      | 水电气 | 总表减分表 | 逐时差额与处理记录 |
      | 厂界 | 氨、硫化氢、臭气 | 逐时值、风向、缺测原因 |
      | 车辆 | 洗消到过磅的时间 | 车牌、时间、放行人 |
      ## 例外怎么办
      一家断网不影响别家；它的位置写“数据停在几点”，合计里写明少了谁。
      ## 从哪里开始
      先接总表和厂界，两周能看到第一份对账；再按各厂的意愿一家一家接。`,
    en: `
      ## What it is for
      A feed mill, farms, a slaughterhouse and a wastewater plant share a park, each with its own systems. The main meter and the others do not add up, and when somebody complains of odour nobody can say whose it is.
      ## How it is done
      - No system is replaced: each plant gives agreed data by interface or gateway. How much and how long is its own decision, and it can end it.
      - Water, power, gas: main and sub-meters are compared by the hour; beyond a limit the likeliest stretch is named.
      - Emissions: outlets, boundary and scrubbers by the hour; missing hours say why, and nothing is filled in.
      - Odour: when the boundary is over its limit, wind and the state of each source stand beside it; one looks upwind first.
      - Vehicles: entry, disinfection, weighing and exit are one line; a vehicle that was not washed does not reach the clean road.
      ## Figures to look at
      | What | How | What is kept |
      | Water, power, gas | main less sub-meters | the hourly difference and what was done |
      | Boundary | ammonia, hydrogen sulphide, odour | hourly values, wind, missing hours |
      | Vehicles | time from washing to weighing | plate, time, who let it in |
      ## Exceptions
      One plant without a network does not touch the others; its place says when the data stopped, and sums say who is missing.
      ## Where to begin
      Begin with the main meters and the boundary; the first comparison is there in two weeks. Plants join one by one, as they wish.`,
  },
];
