import type { ArticleSeed } from "./content-markup.ts";

const author = "养殖技术部";

/** More articles of a demo, older ones; see demo-articles.ts. */
export const olderArticles: readonly ArticleSeed[] = [
  {
    channel: "information",
    topic: "climate",
    cover: "environment",
    author,
    daysAgo: 64,
    title: "湿帘降温：先算蒸发，再看温度",
    titleEn: "Cooling pads: reckon with evaporation before you look at the temperature",
    summary: "湿帘能降几度由湿球温度决定，不由风机台数决定。高湿天气开湿帘，猪更难受。",
    summaryEn:
      "How far a pad cools is set by the wet-bulb temperature, not by the number of fans. In humid air it can do harm.",
    zh: `
      湿帘靠水蒸发带走热量。空气越干，降得越多；相对湿度到了 85 % 左右，湿帘几乎只加湿、不降温。
      ## 能降几度
      | 舍外 | 湿球温度 | 湿帘后约 |
      | 35\u00a0°C，40\u00a0% | 24\u00a0°C | 26\u00a0°C |
      | 32\u00a0°C，60\u00a0% | 25\u00a0°C | 27\u00a0°C |
      | 30\u00a0°C，85\u00a0% | 28\u00a0°C | 28\u00a0°C |
      按湿帘效率 80 % 左右估算，旧湿帘会更低。
      ## 三个常见错
      - 温度一高就开湿帘：应先用足风速，体感已经能降 3 到 5 ℃。
      - 水泵一直开：湿帘干湿交替更干净，也更省水。
      - 只看温度不看湿度：两条曲线放在一起，才知道该停。
      > 湿帘是最后一档，不是第一档。`,
    en: `
      A pad takes heat away by evaporating water. The drier the air, the more it cools; at some 85 % relative humidity it only adds moisture.
      ## How far it cools
      | Outside | Wet bulb | Behind the pad, about |
      | 35 °C, 40 % | 24 °C | 26 °C |
      | 32 °C, 60 % | 25 °C | 27 °C |
      | 30 °C, 85 % | 28 °C | 28 °C |
      Reckoned with a pad efficiency of some 80 %; old pads do less.
      ## Three common mistakes
      - Pads at the first warm hour: use air speed first, it feels 3 to 5 °C cooler.
      - Pumps that never stop: pads that dry in between stay cleaner and save water.
      - Watching temperature alone: only both curves together say when to stop.
      > The pad is the last gear, not the first.`,
  },
  {
    channel: "information",
    topic: "climate",
    cover: "environment",
    author,
    daysAgo: 71,
    title: "停电十分钟，舍里发生了什么",
    titleEn: "Ten minutes without power: what happens in the house",
    summary: "满栏的育肥舍夏天断电，十几分钟就可能出事。报警、备用电和人，哪一样慢都不行。",
    summaryEn:
      "In summer a full finishing house is at risk within a quarter of an hour. Alarm, generator and people must all be quick.",
    zh: `
      风机一停，猪还在发热、呼出水汽和二氧化碳。满栏的密闭舍里，夏天每分钟升温可达半度以上。
      ## 时间轴
      - 第 1 分钟：负压消失，进风口回落，报警应当已经响。
      - 第 3 分钟：备用发电机应当带上负荷。
      - 第 10 分钟：没有电，就要人工打开应急窗和门。
      ## 每月做一次
      - 拉掉总闸，用秒表记从断电到电话响、到风机转的时间。
      - 报警器用自己的电池，不跟控制箱共一路电。
      - 名单上第一个人不接，30 秒后要打给第二个人。
      演练的结果写进维护记录，比“应该没问题”可靠。`,
    en: `
      When the fans stop, pigs go on giving off heat, moisture and carbon dioxide. A full, closed house can warm by more than half a degree a minute in summer.
      ## The clock
      - Minute 1: pressure is gone, inlets fall shut, the alarm should be ringing.
      - Minute 3: the generator should carry the load.
      - Minute 10: without power somebody has to open emergency flaps and doors.
      ## Once a month
      - Throw the main switch and time how long it takes until the phone rings and the fans turn.
      - The alarm has a battery of its own, not the circuit of the control box.
      - If the first person does not answer, the second is called after 30 seconds.
      Write the result into the maintenance log. It is worth more than “it should be fine”.`,
  },
  {
    channel: "information",
    topic: "climate",
    cover: "farm-design",
    author,
    daysAgo: 77,
    title: "新舍投用前的七天：空着也要跑一遍",
    titleEn: "Seven days before the first pigs: run the empty house",
    summary: "带负荷之前，把每一档风、每一路报警、每一支探头都跑一遍，问题最便宜。",
    summaryEn: "Run every gear, every alarm and every probe before there is a load; faults are never cheaper.",
    zh: `
      ## 一天一件事
      | 天 | 做什么 |
      | 1 | 逐台手动转风机，看转向和电流 |
      | 2 | 烟雾看进风：四角都到，不直吹躺卧区 |
      | 3 | 探头放在一起比对两小时 |
      | 4 | 空载跑完十八档，记静压 |
      | 5 | 断电、断网、断水各试一次 |
      | 6 | 加热空跑一夜，看保温和耗能 |
      | 7 | 洗、消、干，复核设定 |
      - 每一天都在平台里留一条维护记录，附照片。
      - 跑出来的静压曲线存好，以后滤网脏了一比就知道。`,
    en: `
      ## One thing a day
      | Day | What |
      | 1 | Turn each fan by hand switch; direction and current |
      | 2 | Smoke at the inlets: it reaches all corners and does not blow on the lying area |
      | 3 | All probes side by side for two hours |
      | 4 | All eighteen gears empty; note the static pressure |
      | 5 | Power, network and water off, once each |
      | 6 | Heating for a night; insulation and consumption |
      | 7 | Wash, disinfect, dry, check the settings again |
      - Leave an entry in the maintenance log each day, with photos.
      - Keep the pressure curve: when filters clog later, the comparison shows it.`,
  },
  {
    channel: "information",
    topic: "biosafety",
    cover: "biosafety",
    author,
    daysAgo: 58,
    title: "人员进场：洗澡之外，还有三件东西要管",
    titleEn: "People on their way in: three things besides the shower",
    summary: "手机、眼镜和吃的。人洗干净了，东西没有，等于没洗。",
    summaryEn: "Phones, glasses and food. A clean person with things that are not is no cleaner.",
    zh: `
      洗澡间把人管住了，漏洞常常在手里拿的东西上。
      ## 三件东西
      - 手机：酒精擦拭不够，缝隙要过臭氧或紫外柜，按说明的时间。
      - 眼镜、钥匙：能不带就不带，场内备一套。
      - 吃的：不带生肉和肉制品，食堂统一供熟食。
      ## 洗澡间怎么证明
      - 每一步的时间都有记录，少一步门不开。
      - 绕行要写原因，一直留在页面上，直到有人处理。
      - 每周看一次：谁的淋浴时间总是刚好够最低。
      规矩写在墙上没有用，能看见的记录才有用。`,
    en: `
      The shower takes care of the person. The gap is often what is carried in the hand.
      ## Three things
      - Phones: wiping with alcohol is not enough; they go through the ozone or UV cabinet for the stated time.
      - Glasses, keys: leave them outside if you can; keep a set inside.
      - Food: no raw meat and no meat products; the canteen serves cooked food.
      ## How the shower proves it
      - Each step is timed; skip one and the door stays shut.
      - A bypass needs a reason, and stays on the page until somebody deals with it.
      - Once a week: whose shower is always exactly the minimum?
      A rule on the wall changes nothing. A record that can be seen does.`,
  },
  {
    channel: "information",
    topic: "biosafety",
    cover: "biosafety",
    author,
    daysAgo: 83,
    title: "饲料中转：车进不进场，差别在哪里",
    titleEn: "Feed transfer: what changes when the truck stays outside",
    summary: "中转料塔让外面的车不进生产区。多一道工序，少一条最难管的路。",
    summaryEn:
      "With a transfer silo the outside truck never enters. One more step, and the hardest road to control is gone.",
    zh: `
      一辆料车一天可能去三个场。最稳妥的做法，是让它停在围墙外，料从墙上过。
      ## 怎么做
      - 围墙边设中转料塔，外侧只对料车，内侧只对场内车。
      - 料车洗消、烘干的记录到场前就能看到，没有就不接。
      - 料罐口、绞龙口用完盖上，洒落的料当天清掉。
      ## 值不值
      - 成本主要是一座料塔和一段输送。
      - 换来的是：外来车辆不进生产区，路线图上少一条交叉。
      > 能不让车进来，就不用研究怎么把车洗干净。`,
    en: `
      A feed truck may visit three farms a day. The safest way is to let it stop outside the wall and let the feed cross.
      ## How
      - A transfer silo at the wall: its outer side meets feed trucks only, its inner side only the farm’s own.
      - The record of washing and drying is seen before the truck arrives. No record, no delivery.
      - Lids and augers are closed after use; spilled feed is cleared the same day.
      ## Is it worth it
      - It costs a silo and some metres of conveyor.
      - In return no outside vehicle enters, and the map has one crossing less.
      > A truck that never comes in does not need to be cleaned perfectly.`,
  },
  {
    channel: "information",
    topic: "biosafety",
    cover: "biosafety",
    author,
    daysAgo: 96,
    title: "空栏消毒：干燥的那几天，是最便宜的消毒剂",
    titleEn: "Between batches: the dry days are the cheapest disinfectant",
    summary: "冲洗、泡沫、消毒、干燥，顺序不能乱；急着进猪，省掉的往往是干燥。",
    summaryEn: "Rinse, foam, disinfect, dry: the order matters. In a hurry it is the drying that gets skipped.",
    zh: `
      ## 顺序
      - 清粪、清料、拆能拆的，先用水泡软。
      - 高压冲洗，从上到下、从里到外。
      - 泡沫清洁剂停留 20 分钟以上，再冲净：有油膜，消毒药进不去。
      - 消毒，按标签浓度，湿润时间不少于 10 分钟。
      - 干燥 3 天以上，冬天开加热。
      ## 怎么知道做到了
      - 舍内湿度连续 24 小时低于 60 %，地面没有水迹。
      - 采样点固定：料槽、饮水器、漏缝背面、风机叶片。
      - 单元模式切到“空舍”，风机与喷淋停用；洗栏时切到“洗栏”。`,
    en: `
      ## The order
      - Clear manure and feed, take apart what comes apart, soak with water.
      - High pressure, top to bottom, back to front.
      - Foam for 20 minutes or more, then rinse: disinfectant does not pass a film of fat.
      - Disinfect at the labelled strength; keep it wet for at least 10 minutes.
      - Dry for 3 days or more, with heating in winter.
      ## How to know
      - Humidity below 60 % for 24 hours, no traces of water on the floor.
      - Fixed sampling points: troughs, drinkers, underside of slats, fan blades.
      - Set the unit to “empty” so that fans and sprays rest, and to “washing” while it is washed.`,
  },
  {
    channel: "information",
    topic: "health",
    cover: "smart-farm",
    author,
    daysAgo: 60,
    title: "断奶后第一周：盯住三条曲线",
    titleEn: "The first week after weaning: three curves to watch",
    summary: "饮水、温度、采食。先掉的是饮水，最晚看见的是死淘。",
    summaryEn: "Water, temperature, feed. Water falls first; losses are seen last.",
    zh: `
      断奶仔猪要同时换地方、换同伴、换饲料。第一周的问题，大多在前 48 小时就有迹象。
      ## 三条曲线
      - 饮水：按栏看，连续 6 小时比前一天同一时段低三成，先查饮水器高度和流量。
      - 温度：猪背高度 28 ℃ 起步，每周降 1 到 2 ℃；看猪躺的样子，不只看数。
      - 采食：少量多次，第一天吃到多少比吃什么更要紧。
      ## 两个动作
      - 进栏当天用手把每个饮水器按出水，让猪听见声音。
      - 夜里两点看一次：扎堆是冷，散开喘气是热。`,
    en: `
      Weaned piglets change place, company and feed at once. Most problems of the first week show within 48 hours.
      ## Three curves
      - Water by pen: a third below the same hours of the day before for 6 hours? Check height and flow of the drinkers first.
      - Temperature: start at 28 °C at the height of the backs and lower it by 1 to 2 °C a week. Look at how they lie, not only at the figure.
      - Feed: little and often. How much they eat on day one matters more than what.
      ## Two actions
      - Press each drinker by hand on arrival so that the pigs hear the water.
      - Look at two in the morning: a heap means cold, spread out and panting means hot.`,
  },
  {
    channel: "information",
    topic: "health",
    cover: "smart-farm",
    author,
    daysAgo: 79,
    title: "免疫覆盖率：分母比分子更容易错",
    titleEn: "Vaccination coverage: the denominator is where it goes wrong",
    summary: "打了多少针容易数，该打多少头常常数错。先把存栏弄准，再谈覆盖率。",
    summaryEn: "Shots are easy to count; how many pigs should have got one is not. Get the herd right first.",
    zh: `
      报表上写着 102 %，多半不是打多了，是存栏少记了。
      ## 分母从哪里来
      - 存栏是转入、转出、死淘、出栏的和，当天的变动当天记。
      - 以打针那天早上的存栏为准，后来转走的也算。
      - 不能打的（病、弱）单独列出来，写原因，不从分母里悄悄去掉。
      ## 漏打的怎么找
      - 按栏对数：栏里 22 头，记录 20 针，差 2 头就在这一栏。
      - 三天之内补打，超过三天按计划重排。
      > 覆盖率不到 95 % 的单元，先看是漏打，还是漏记。`,
    en: `
      When a report says 102 %, nobody vaccinated too many. The herd was counted too low.
      ## Where the denominator comes from
      - The herd is the sum of arrivals, moves, losses and sales; enter them the same day.
      - It is the herd on the morning of the vaccination, including pigs moved later.
      - Pigs that could not be vaccinated are listed with a reason, not quietly taken out.
      ## Finding the missed ones
      - Count by pen: 22 pigs, 20 shots; the two are in this pen.
      - Catch up within three days; after that, plan anew.
      > Below 95 % in a unit, ask first: missed, or not written down?`,
  },
  {
    channel: "information",
    topic: "health",
    cover: "smart-farm",
    author,
    daysAgo: 102,
    title: "无针注射：压力不对，比不打更糟",
    titleEn: "Needle-free: the wrong pressure is worse than no shot",
    summary: "按体重选压力，贴紧再打；回液和湿斑说明剂量没进去。",
    summaryEn: "Choose the pressure by weight and press firmly. A wet spot means the dose is not where it should be.",
    zh: `
      无针注射靠高压把疫苗送进皮内。压力低，留在表面；压力高，打得太深。
      ## 每天三件事
      - 开机空打三次，看压力是否落在设定的上下 5 % 以内。
      - 换体重段要换压力档，换疫苗要清洗管路并换批次。
      - 每 50 头看一次皮面：小丘疹对，湿斑不对，出血点不对。
      ## 记录里看什么
      - 单针压力低于设定一成的，系统会标出来，当天复核。
      - 同一操作员回液多，先看贴合角度，再看喷嘴。
      - 喷嘴按次数换，不按日子换。`,
    en: `
      A needle-free injector drives vaccine into the skin by pressure. Too low, and it stays on the surface; too high, and it goes too deep.
      ## Three things a day
      - Three blank shots: is the pressure within 5 % of what is set?
      - Another weight class needs another pressure; another vaccine needs a rinse and a new lot number.
      - Every 50 pigs, look at the skin: a small bump is right, a wet spot or bleeding is not.
      ## What the record shows
      - Shots a tenth below the set pressure are marked; check them the same day.
      - One operator with many wet spots: the angle first, then the nozzle.
      - Nozzles are changed by shots, not by days.`,
  },
  {
    channel: "information",
    topic: "emission",
    cover: "manure-water",
    author,
    daysAgo: 66,
    title: "粪水少一半，从冲栏水开始",
    titleEn: "Half the slurry: begin with the wash water",
    summary: "一头育肥猪每天的粪尿是定数，多出来的都是水。先找漏，再谈处理。",
    summaryEn: "What a pig leaves is given; the rest is water. Find the leaks before you build a bigger plant.",
    zh: `
      处理一方粪水的钱，够修好几个漏水的饮水器。
      ## 水从哪里来
      | 来源 | 每头每天，约 |
      | 粪尿 | 4–6 L |
      | 饮水器滴漏 | 1–8 L |
      | 冲洗摊到每天 | 1–3 L |
      | 降温喷淋 | 夏天 2–5 L |
      数字随体重和设备变化，量过才算。
      ## 三步
      - 夜里两点看水表：猪睡了还在走，就是漏。
      - 碗式代替鸭嘴，高度随体重调。
      - 先铲后冲，高压小流量，冲洗水单独计量。`,
    en: `
      What it costs to treat a cubic metre of slurry repairs several leaking drinkers.
      ## Where the water comes from
      | Source | Per head and day, about |
      | Manure and urine | 4–6 L |
      | Dripping drinkers | 1–8 L |
      | Washing, spread over the days | 1–3 L |
      | Cooling sprays | 2–5 L in summer |
      Weight and equipment move these figures; measure your own.
      ## Three steps
      - Read the meter at two in the morning: if it turns while the pigs sleep, it is a leak.
      - Bowls instead of nipples, at a height that follows the weight.
      - Scrape before you rinse, high pressure and low flow, with a meter of its own.`,
  },
  {
    channel: "information",
    topic: "emission",
    cover: "farmland",
    author,
    daysAgo: 88,
    title: "还田看三样：养分、墒情、天气",
    titleEn: "Before you spread: nutrients, soil, weather",
    summary: "方数不是越多越好。算氮、看土、等雨过，一块田一本账。",
    summaryEn: "More is not better. Reckon with nitrogen, look at the soil, wait for the rain to pass.",
    zh: `
      ## 先算
      - 取样测总氮，别用去年的数：存得久了，氮会跑掉。
      - 按作物需要的氮，减去土壤能供的，再除以粪水的含量，就是方数。
      ## 再看
      - 墒情高于田间持水量的八成，不还。
      - 未来 24 小时有中雨以上，不还；冻土和雪地，不还。
      - 离水体、住户按当地规定留距离。
      ## 后记
      - 泵的流量计自动记方数，写上地块、日期和经手人。
      - 导出的台账给农户，也给监管，是同一份。`,
    en: `
      ## Reckon first
      - Take a sample and measure total nitrogen; last year’s figure is wrong, for it escapes in storage.
      - What the crop needs, less what the soil supplies, divided by what the slurry holds: that is the volume.
      ## Then look
      - Soil above four fifths of field capacity: no spreading.
      - Real rain within 24 hours, frozen or snow-covered ground: no spreading.
      - Keep the distances to water and houses that apply where you are.
      ## Then write
      - The pump’s meter logs the volume; add field, date and person.
      - The register goes to the farmer and to the authority. It is the same one.`,
  },
  {
    channel: "information",
    topic: "emission",
    cover: "deodorization",
    author,
    daysAgo: 110,
    title: "除臭塔压差升高：先别加风机",
    titleEn: "Pressure drop of a scrubber goes up: do not add a fan",
    summary: "压差高，多半是填料挂垢或喷头堵。风机加大，水被带出去，氨也带出去。",
    summaryEn:
      "It is mostly scale on the packing or blocked nozzles. A bigger fan carries water out, and ammonia with it.",
    zh: `
      同一档位下，压差比投用时高三成，就该查了。
      ## 按这个顺序查
      - 喷头：逐个看水膜，有没有干的扇区。
      - 填料：白色硬垢是钙镁，黏的是生物膜。
      - 除雾层：积尘会先堵在这里。
      - 循环水：电导率高了先排水，再谈清洗。
      ## 清洗时
      - 先锁定循环泵和加酸泵，挂牌，远程启动会被拒绝。
      - 酸洗填料要通风、戴面罩，洗液不能直接排。
      - 洗完记录同一档位的压差，作为新的基准。`,
    en: `
      A third above the value at commissioning, in the same gear, is the time to look.
      ## In this order
      - Nozzles: look at each spray; is there a dry sector?
      - Packing: hard and white is calcium and magnesium; slimy is a biofilm.
      - Demister: dust blocks it first.
      - Circulating water: drain when conductivity is high, before you clean.
      ## While cleaning
      - Lock the circulating and acid pumps and hang a tag; remote starts are then refused.
      - Acid cleaning needs ventilation and a face shield; its liquid must not simply be drained.
      - Note the pressure drop in the same gear afterwards: it is the new baseline.`,
  },
  {
    channel: "information",
    topic: "feed",
    cover: "feed-mill",
    author,
    daysAgo: 62,
    title: "料塔里的“空”，不一定是没料",
    titleEn: "An “empty” silo is not always empty",
    summary: "架桥、偏流、结块，会让料塔看着有料却下不来。重量曲线比敲塔壁准。",
    summaryEn:
      "Bridges, funnels and lumps keep feed from falling. The weight curve tells more than a knock on the wall.",
    zh: `
      断料一顿，育肥猪的打架和胃溃疡就多一批。
      ## 曲线怎么看
      - 绞龙在转、重量不降：架桥或绞龙口堵。
      - 重量一下掉几百公斤：桥塌了，查结块。
      - 夜里重量缓慢上升：多半是称重传感器受潮。
      ## 预防
      - 含油高的料少存，夏天不超过五天。
      - 每批清空一次，看锥底有没有旧料。
      - 料塔顶盖的密封圈每季度查，水是结块的开始。`,
    en: `
      One missed meal brings fights and stomach ulcers to a finishing house.
      ## Reading the curve
      - The auger turns and the weight stays: a bridge, or a blocked outlet.
      - It falls by hundreds of kilograms at once: the bridge broke; look for lumps.
      - It creeps up at night: mostly a damp load cell.
      ## Prevention
      - Store little of fatty feed, five days at most in summer.
      - Empty the silo once a batch and look into the cone.
      - Check the seal of the lid each quarter. Water is where lumps begin.`,
  },
  {
    channel: "information",
    topic: "feed",
    cover: "biosafety",
    author,
    daysAgo: 91,
    title: "饮水消毒：余氯要量在最后一个饮水器",
    titleEn: "Disinfected water: measure at the last drinker",
    summary: "配药站出口合格，不等于末端合格。生物膜会把药吃掉。",
    summaryEn: "What is right at the dosing station may be gone at the end of the line. Biofilm eats it.",
    zh: `
      ## 量在哪里
      - 每条水线的末端各一点，每周一次，固定时间。
      - 出口 0.5 mg/L、末端测不到，说明管里有生物膜。
      ## 两条常被忘的规律
      - pH 高于 8，氯的作用只剩一小部分，先调酸再加氯。
      - 水不流，药就失效：只在有流量的时间里算达标。
      ## 空栏时
      - 高浓度浸泡水线，按药剂说明的时间，再冲净到无味。
      - 拆末端堵头放水，看颜色。黄黑的那一段就是膜。`,
    en: `
      ## Where to measure
      - At the end of each line, once a week, at a fixed time.
      - 0.5 mg/L at the outlet and nothing at the end means biofilm in the pipe.
      ## Two rules that are forgotten
      - Above pH 8 little of the chlorine works; add acid first.
      - Standing water loses it: only minutes with flow count as compliant.
      ## With an empty house
      - Soak the line at high strength for the stated time, then rinse until nothing smells.
      - Take off the end plug and let it run. The brown stretch is the film.`,
  },
  {
    channel: "information",
    topic: "feed",
    cover: "feed-mill",
    author,
    daysAgo: 118,
    title: "玉米水分 14 %：差一个点，差在哪里",
    titleEn: "Maize at 14 % moisture: what one point costs",
    summary: "水分高一个点，能量少一点、霉变快一倍。入厂先测，分仓先用。",
    summaryEn: "One point more means less energy and much faster mould. Test on arrival, store apart, use first.",
    zh: `
      ## 一个点的账
      - 每吨多买 10 公斤水，按价格一算就知道。
      - 存放温度 25 ℃ 时，16 % 的玉米几周就可能发热。
      ## 入厂怎么做
      - 每车扦样不少于 5 点，混匀后测，记录跟批号走。
      - 超过 15 % 的单独放，一周内用完，或先烘。
      - 毒素按批测，超标的不进仓，退货要写结果。
      ## 仓里看什么
      - 多点测温，同一层差 5 ℃ 就翻仓。
      - 翻仓后 24 小时再看一次，降不下来就出仓。`,
    en: `
      ## The sum of one point
      - Ten more kilograms of water in every tonne; multiply by the price.
      - At 25 °C, maize of 16 % may heat within weeks.
      ## On arrival
      - Five samples a truck or more, mixed and measured; the record follows the lot.
      - Above 15 % it is stored apart and used within a week, or dried.
      - Toxins are tested by lot. What exceeds the limit is sent back with its result.
      ## In the silo
      - Several probes: 5 °C difference within a layer means turning.
      - Look again after 24 hours; if it has not cooled, empty the silo.`,
  },
  {
    channel: "news",
    topic: "product",
    cover: "farm-monitoring",
    author: "产品部",
    daysAgo: 47,
    title: "养殖场、饲料厂、园区三套监控方案上线",
    titleEn: "Monitoring for farms, feed mills and industrial parks is here",
    summary: "从单元到园区，一张图看人、车、料、水、电和环保，各看各的授权范围。",
    summaryEn:
      "From a unit to a whole park: people, vehicles, feed, utilities and environment on one picture, each as authorized.",
    zh: `
      三套方案共用一个平台，按场地大小取用：
      - 养殖场：单元、舍、场区三级看板，同因告警折成一条。
      - 饲料厂：原料、仓温、灭菌和出厂批次，批批可追。
      - 产业园区：水电气、排口厂界和车辆，逐时留存。
      已有的设备和系统可以不换，按公开的接口接入。方案页里写明了每一步怎么走、记录什么。`,
    en: `
      Three solutions share one platform and scale with the site:
      - Farms: boards for unit, house and farm; alarms with one cause fold into one.
      - Feed mills: raw material, silo temperature, sterilization and dispatch, traceable by batch.
      - Industrial parks: utilities, outlets, boundary and vehicles, kept by the hour.
      Existing devices and systems may stay; they connect over open interfaces. The pages show each step and what it records.`,
  },
  {
    channel: "news",
    topic: "service",
    cover: "smart-farm",
    author: "客户服务部",
    daysAgo: 75,
    title: "六十个服务网点的营业时间上网可查",
    titleEn: "Opening hours of sixty service outlets are online",
    summary: "开门、快关门还是休息，什么时候再开，打电话之前就知道。",
    summaryEn: "Open, closing soon or closed, and when it opens next: know it before you call.",
    zh: `
      服务网点页现在按省份和地图查找，每个网点写明营业时间、服务项目和是否正在营业。
      - 快到下班会提示还剩多少分钟。
      - 法定节假日和调休按国家日历处理。
      - 找不到合适的网点，可以直接填申请，1 个工作日内回电。`,
    en: `
      The outlets page finds them by province and on a map. Each shows its hours, its services and whether it is open now.
      - Shortly before closing it tells how many minutes are left.
      - Public holidays and adjusted working days follow the national calendar.
      - No outlet near you? Send a request; we call within 1 working day.`,
  },
  {
    channel: "news",
    topic: "company",
    cover: "smart-farm",
    author: "公司办公室",
    daysAgo: 105,
    title: "与院校合作的实训猪舍开放参观",
    titleEn: "The training house run with a college opens to visitors",
    summary: "一栋真实的育肥舍，十八档通风、体温和咳嗽监测都在跑，数据可以现场看。",
    summaryEn:
      "A real finishing house with eighteen gears, temperature and cough monitoring at work. Its data can be seen on site.",
    zh: `
      实训猪舍按教学和生产两用设计：走廊有观察窗，参观不进生产区。
      - 每周三下午接待参观，每批不超过 12 人。
      - 参观前 72 小时不能接触其他猪场，现场登记。
      - 场长课程每季度一期，学员带着自己场的数据来。
      报名请在“意见反馈”里写明单位和人数。`,
    en: `
      The house serves teaching and production. Visitors watch from a corridor with windows and do not enter.
      - Visits on Wednesday afternoons, at most 12 people at a time.
      - No contact with other farms within 72 hours before; names are taken on site.
      - Courses for managers once a quarter; participants bring the data of their own farm.
      To come, write organization and number of people under Feedback.`,
  },
];
