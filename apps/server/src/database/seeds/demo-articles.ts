import type { ArticleSeed } from "./content-markup.ts";

const author = { zh: "养殖技术部" } as const;

/** English names of the authors. */
export const authorNames: Readonly<Record<string, string>> = {
  养殖技术部: "Farming technology team",
  产品部: "Product team",
  客户服务部: "Customer service",
  公司办公室: "Company office",
};

/** Articles of a demo with common knowledge of the field; farms, people and events in them are invented. */
export const demoArticles: readonly ArticleSeed[] = [
  {
    channel: "information",
    topic: "climate",
    cover: "environment",
    author: author.zh,
    daysAgo: 2,
    title: "最小通风：冬天关死风机，省下的是小钱",
    titleEn: "Minimum ventilation: shutting the fans off in winter saves only pennies",
    summary: "潮气、二氧化碳和氨都要有人带走。算清每头猪每小时最少要多少风，再谈保温。",
    summaryEn:
      "Moisture, carbon dioxide and ammonia have to be carried out. First the least air per pig and hour, then heating.",
    zh: `
      一头 60 公斤的猪一天呼出和蒸发的水有好几公斤。冬天把风机关死，温度是上来了，墙上的水珠和氨味也上来了。
      ## 最少要多少风
      | 猪群 | 冬季最小通风，每头每小时 |
      | 保育，6–14 kg | 约 3–4 m³ |
      | 生长，35–70 kg | 约 12 m³ |
      | 育肥，70–100 kg | 约 17 m³ |
      | 哺乳母猪带仔 | 约 34 m³ |
      这是常用的设计参考，具体按体重、漏缝和清粪方式调整。
      ## 怎么看够不够
      - 相对湿度长期高于 75 %，墙角有水珠：不够。
      - 夜里二氧化碳高过 3,000 ppm：不够。
      - 仔猪扎堆、氨却很低：多了，或进风口漏风。
      > 最小通风不是越小越好，是刚好把潮气和氨带走。
      ## 先做哪三件事
      - 用循环定时，例如开 60 秒停 240 秒，而不是整天低速。
      - 查进风口：同样的风量，进风口开得越匀，猪越不冷。
      - 保温先堵漏，再加热；热风不能代替换气。`,
    en: `
      A pig of 60 kg gives off several litres of water a day. With the fans shut, the temperature rises in winter, and so do the drops on the wall and the smell of ammonia.
      ## The least air
      | Pigs | Winter minimum per head and hour |
      | Nursery, 6–14 kg | about 3–4 m³ |
      | Growing, 35–70 kg | about 12 m³ |
      | Finishing, 70–100 kg | about 17 m³ |
      | Sow with litter | about 34 m³ |
      These are common design values; weight, slats and manure handling move them.
      ## How to tell
      - Relative humidity stays above 75 % and corners drip: too little.
      - Carbon dioxide passes 3,000\u00a0ppm at night: too little.
      - Piglets huddle while ammonia is very low: too much, or a leaking inlet.
      > Minimum ventilation is not as little as possible. It is just enough to carry damp and ammonia out.
      ## Three things first
      - Cycle the fan, such as 60 s on and 240 s off, instead of slow all day.
      - Check the inlets: the more evenly they open, the less the pigs feel the same air.
      - Close leaks before heating; warm air does not replace fresh air.`,
  },
  {
    channel: "information",
    topic: "climate",
    cover: "environment",
    author: author.zh,
    daysAgo: 5,
    title: "热应激：看呼吸，不要等到不吃料",
    titleEn: "Heat stress: watch the breathing, don’t wait until they stop eating",
    summary: "猪几乎不出汗，散热靠喘。呼吸每分钟超过 50 次时，采食已经在掉了。",
    summaryEn: "Pigs hardly sweat; they cool by panting. Above 50 breaths a minute, feed intake is already falling.",
    zh: `
      猪的汗腺很少起作用，热了只能靠呼吸、贴地和沾水散热。育肥猪在 25 ℃ 上下开始受影响，哺乳母猪更早，20 到 22 ℃ 就嫌热。
      ## 先看什么
      - 呼吸：安静时每分钟 25–35 次，超过 50 次就要处理。
      - 躺姿：四肢摊开、互相不挨着，躺到湿的地方。
      - 饮水：明显增加；如果反而下降，先查饮水器和水温。
      ## 按顺序做
      1. 加风速。猪身高处 1.5–2 米每秒，体感能低好几度。
      2. 再开湿帘。湿度已经高过 85 % 时，湿帘降温有限，还会更闷。
      3. 母猪滴水或喷淋：淋湿、停、吹干，循环做，不要一直淋。
      4. 喂料挪到清晨和傍晚，水温尽量低于 20 ℃。
      ## 不要做
      不要在最热的时候转群、免疫或称重；不要只看温度，湿度 80 % 时的 30 ℃ 比 50 % 时难受得多。`,
    en: `
      A pig’s sweat glands do little. It loses heat by breathing, by lying on cool floor and by getting wet. Finishers feel it from about 25\u00a0°C, lactating sows from 20 to 22\u00a0°C.
      ## What to watch
      - Breathing: 25–35 a minute at rest; act above 50.
      - Lying: stretched out, apart, in wet places.
      - Drinking rises clearly; if it falls, check drinkers and water temperature first.
      ## In this order
      1. Air speed. 1.5–2 m/s at pig height feels several degrees cooler.
      2. Then the pads. Above 85 % humidity they cool little and only make the air muggier.
      3. Drip or spray sows: wet, stop, dry, again. Never without pause.
      4. Feed early and late; keep water below 20\u00a0°C where you can.
      ## What not to do
      No moving, vaccinating or weighing in the hottest hours. And never judge by temperature alone: 30\u00a0°C at 80\u00a0% humidity is far harder than at 50\u00a0%.`,
  },
  {
    channel: "information",
    topic: "climate",
    cover: "smart-farm",
    author: author.zh,
    daysAgo: 9,
    title: "昼夜差大的春天：保育舍宁可早一小时升温",
    titleEn: "Spring nights: warm the nursery an hour early",
    summary: "白天 20 ℃、夜里 8 ℃ 的日子，断奶仔猪最先出问题。三条做法，一张表。",
    summaryEn:
      "On days of 20\u00a0°C and nights of 8\u00a0°C, weaned piglets suffer first. Three practices and one table.",
    zh: `
      春天不是冷，是变。傍晚气温掉得快，风机还停在白天的档位，舍里一小时能跌三度。刚断奶的仔猪吃得少、产热少，最经不起这一下。
      ## 目标温度怎么走
      | 断奶后 | 目标 |
      | 第 1 周 | 28 ℃ |
      | 第 2 周 | 26–27 ℃ |
      | 第 3 周 | 25 ℃ |
      | 第 4–6 周 | 每周再降 1–1.5 ℃ |
      ## 三条做法
      - 升温提前：按日落时间提前一小时把目标抬 0.5 ℃，不等低温报警。
      - 看差值：四支探头相差 2 ℃ 以内才可信，超过 4 ℃ 先去看探头和漏风。
      - 夜里不冲栏：湿地面会带走比冷空气更多的热。
      ## 怎么知道做对了
      半夜看躺姿：一层铺开、不扎堆，早上栏里是干的。腹泻头数三天内应当往下走。`,
    en: `
      Spring is not cold, it changes. At dusk the outside falls fast while the fans still run in the gear of the day, and a house can lose three degrees in an hour. Piglets just weaned eat little and make little heat.
      ## How the target moves
      | After weaning | Target |
      | Week 1 | 28\u00a0°C |
      | Week 2 | 26–27\u00a0°C |
      | Week 3 | 25\u00a0°C |
      | Weeks 4–6 | 1–1.5\u00a0°C less each week |
      ## Three practices
      - Raise the target by 0.5\u00a0°C an hour before sunset; don’t wait for the alarm.
      - Read the spread: four probes within 2\u00a0°C can be trusted; beyond 4\u00a0°C look at probes and leaks first.
      - Don’t wash pens at night: wet floor takes more heat than cold air.
      ## How you know
      Look at midnight: piglets in one layer, not in heaps, and pens dry in the morning. Scours should go down within three days.`,
  },
  {
    channel: "information",
    topic: "emission",
    cover: "deodorization",
    author: author.zh,
    daysAgo: 13,
    title: "氨气 20 ppm：鼻子闻不准，猪的气管知道",
    titleEn: "Ammonia at 20 ppm: your nose gets used to it, the airways don’t",
    summary: "人在舍里十几分钟就闻不出来了。浓度、时间和来源，三样一起看。",
    summaryEn: "After a quarter of an hour a person no longer smells it. Level, time and source belong together.",
    zh: `
      氨来自尿素分解。温度越高、粪在舍里停得越久、地面越湿，氨越多。长期超过 20–25 ppm，猪的呼吸道纤毛受损，咳嗽增多，日增重下降。
      ## 不同浓度意味着什么
      | 浓度 | 人和猪 |
      | 5–10 ppm | 多数人能闻到 |
      | 20 ppm | 建议的报警线 |
      | 25 ppm 以上 | 刺眼，猪的采食和免疫受影响 |
      | 50 ppm 以上 | 人员进入要戴防护并缩短停留 |
      ## 先降来源，再加风
      - 清粪更勤；漏缝下的粪液位别太高。
      - 修漏水的饮水器，干地面出的氨少得多。
      - 日粮粗蛋白适当下调并补足氨基酸，尿氮会明显减少，请营养师定配方。
      ## 传感器也会说谎
      电化学探头会老化，一般一到两年要换，平时按说明书定期标定。读数整天一条直线，多半是探头坏了，不是空气好了。`,
    en: `
      Ammonia comes from urea. The warmer it is, the longer manure stays, and the wetter the floor, the more of it there is. Above 20–25 ppm for long, the cilia of the airways are damaged, coughing rises and daily gain falls.
      ## What a level means
      | Level | People and pigs |
      | 5–10 ppm | most people smell it |
      | 20 ppm | a sensible alarm line |
      | above 25 ppm | eyes sting; intake and immunity suffer |
      | above 50 ppm | people need protection and short stays |
      ## The source first, then air
      - Remove manure more often; keep the level under the slats low.
      - Mend leaking drinkers: a dry floor gives off far less.
      - Less crude protein with balanced amino acids cuts nitrogen in urine; leave the ration to a nutritionist.
      ## Sensors can lie
      Electrochemical cells age; plan to replace them every one to two years and calibrate as the maker says. A straight line all day is a dead cell more often than good air.`,
  },
  {
    channel: "information",
    topic: "biosafety",
    cover: "biosafety",
    author: author.zh,
    daysAgo: 17,
    title: "车辆洗消：烘干那一步，最容易被省掉",
    titleEn: "Washing vehicles: drying is the step that gets skipped",
    summary: "洗干净、消毒、烘干，缺一步都不算。非洲猪瘟病毒怕热，60 ℃ 20 分钟可以灭活。",
    summaryEn:
      "Wash, disinfect, dry: none can be left out. The virus of African swine fever does not stand heat: 20 minutes at 60\u00a0°C inactivate it.",
    zh: `
      消毒药碰到粪和泥就失效，所以顺序不能变：先刮、再洗、晾到不滴水，然后消毒，最后烘干。
      ## 每一步做到什么程度
      - 刮和洗：看不见粪、料和毛，底盘和轮拱也一样。
      - 消毒：按说明书的浓度和接触时间，泡沫能看清哪里没打到。
      - 烘干：车厢表面达到 60–70 ℃ 并保持 30 分钟，量表面，不是量热风口。
      ## 为什么是这个温度
      世界动物卫生组织的资料写明，非洲猪瘟病毒在 56 ℃ 70 分钟、60 ℃ 20 分钟灭活。烘干间留出余量，是因为车厢各处升温不一样快。
      ## 记录什么
      - 车牌、上一站、到达和离开的时间。
      - 最冷那个测点的温度曲线。
      - 谁检查的。没有记录的一次，按没洗处理。`,
    en: `
      Disinfectants fail on dung and mud, so the order is fixed: scrape, wash, drain, disinfect, dry.
      ## How far each step goes
      - Scrape and wash until no dung, feed or hair is seen, underneath and in the wheel arches, too.
      - Disinfect at the labelled strength and contact time; foam shows what was missed.
      - Dry until surfaces have 60–70\u00a0°C and hold it for 30 minutes. Measure surfaces, not the air outlet.
      ## Why this temperature
      According to the World Organisation for Animal Health, the virus of African swine fever is inactivated by 56\u00a0°C for 70 minutes or 60\u00a0°C for 20 minutes. The margin is there because a trailer does not warm evenly.
      ## What to record
      - Plate, last stop, arrival and departure.
      - The curve of the coldest point.
      - Who checked it. A wash without a record counts as none.`,
  },
  {
    channel: "information",
    topic: "biosafety",
    cover: "biosafety",
    author: author.zh,
    daysAgo: 22,
    title: "净道和脏道：画在地上的线，要落到每一双靴子",
    titleEn: "Clean and dirty: the line on the floor ends at every pair of boots",
    summary: "多数进场的病原是走进来的。把分界做成必须停下来的地方，而不是提醒。",
    summaryEn: "Most pathogens walk in. Make the border a place where one has to stop, not a reminder.",
    zh: `
      生物安全最贵的设备是墙，最有效的是换靴凳。人坐着转身，脏靴子在这边，干净靴子在那边，就很难忘。
      ## 一个场至少三道界
      - 场外和场内：车辆、人员、物资各走各的口。
      - 生活区和生产区：洗澡、换全套衣服。
      - 每一栋的门口：换靴、洗手，工具不串舍。
      ## 物资怎么进
      能拆外包装的在门外拆；能熏、能照、能烘的按表做；不能处理的先隔离存放。手机和眼镜也是物资。
      ## 怎么检查
      看记录不如看痕迹：换靴凳两边的地面颜色应当不一样。每周抽一次录像或进出记录，问的是“哪一步最难做到”，然后改那一步。`,
    en: `
      The most expensive piece of biosafety is a wall; the most effective is a bench. Whoever sits down and turns leaves dirty boots on one side and finds clean ones on the other.
      ## Three borders at least
      - Outside and inside: vehicles, people and goods each have their gate.
      - Living and production: a shower and all clothes changed.
      - The door of each house: boots, hands, and tools that stay.
      ## How goods enter
      Unpack outside what can be unpacked; fume, irradiate or heat by the table what can stand it; let the rest wait in quarantine. Phones and glasses are goods, too.
      ## How to check
      Traces tell more than records: the floor has another colour on each side of the bench. Once a week look at entries and ask which step is hardest to keep, then change that step.`,
  },
  {
    channel: "information",
    topic: "health",
    cover: "smart-farm",
    author: author.zh,
    daysAgo: 26,
    title: "听咳嗽：从“多不多”到“变没变”",
    titleEn: "Listening to coughs: from how many to what changed",
    summary: "每个单元有自己的底数。有用的是和自己的昨天比，和隔壁单元比。",
    summaryEn:
      "Every unit has its own normal. What helps is comparing it with its own yesterday and with its neighbours.",
    zh: `
      咳嗽监测不是病名检测器。声音能早几天说“这里变了”，说不了“这是什么病”。
      ## 先认识底数
      新装的拾音器要听一到两周，才知道这个单元平常的样子。转群、免疫、清粪和换料都会让咳嗽短时上升，要记在同一条时间轴上。
      ## 变了之后按什么顺序查
      - 空气：氨、湿度和粉尘那两天有没有变。
      - 温度：夜里有没有一次急跌。
      - 猪：哪几栏、什么姿势、有没有鼻液和喘。
      - 仍然解释不了：请兽医采样，口腔液或鼻拭子送检。
      ## 声音会骗人的时候
      风机轴承、饲料下落和冲栏都会被听成咳嗽。好的系统会把这些时段标出来，而不是悄悄算进去。
      > 它最大的用处，是让人早两天走进那一栏。`,
    en: `
      A cough monitor is no detector of diseases. It can say days earlier that something changed here; it can’t say what it is.
      ## Know the normal first
      A new microphone listens for a week or two before it knows the unit. Moves, vaccination, manure removal and new feed raise coughing for a while; put them on the same time axis.
      ## When it changed, check in this order
      - Air: did ammonia, humidity or dust change in those days?
      - Temperature: was there a sudden drop at night?
      - Pigs: which pens, how do they lie, any discharge or laboured breathing?
      - Still unexplained: have the vet take samples, oral fluid or nasal swabs.
      ## When sound deceives
      Bearings, falling feed and washing sound like coughs. A good system marks such hours instead of counting them quietly.
      > Its greatest use is that somebody enters that pen two days earlier.`,
  },
  {
    channel: "information",
    topic: "health",
    cover: "smart-farm",
    author: author.zh,
    daysAgo: 31,
    title: "体温怎么看：一头高不算，一栏往上走才算",
    titleEn: "Reading temperature: not one hot pig, but a pen that climbs",
    summary: "猪的直肠温度大约 38.7–39.8 ℃。红外量的是皮肤，要看趋势和同栏差别。",
    summaryEn:
      "A pig’s rectal temperature is about 38.7–39.8\u00a0°C. Infrared reads the skin, so look at trends and at differences within the pen.",
    zh: `
      红外和耳标读到的是体表温度，比直肠温度低，还跟环境温度走。拿它当体温计用，会误报，也会漏报。
      ## 三条读法
      - 跟自己比：同一头、同一时刻，与前三天的差。
      - 跟同栏比：一栏里几头一起高，比一头很高更要紧。
      - 跟环境比：舍温同时升了 4 ℃，先别急着怪猪。
      ## 覆盖够不够
      一轮只扫到一半的猪，平均值没有意义。覆盖不到八成，就先补扫，不下结论。
      ## 超过之后
      复测直肠温度，看精神、采食和呼吸，再决定要不要叫兽医。免疫后一到两天的轻微升高常见，记录里要能看出来。`,
    en: `
      Infrared and ear tags read the surface, which is lower than rectal temperature and follows the room. Used as a thermometer they cry wolf, and they miss cases.
      ## Three ways to read it
      - Against itself: the same pig at the same hour, against the last three days.
      - Against the pen: several together matter more than one very high.
      - Against the room: when the house rose by 4\u00a0°C, don’t blame the pigs yet.
      ## Coverage
      With half the pigs scanned an average means nothing. Below eighty per cent, scan again before judging.
      ## When it is exceeded
      Take rectal temperature, look at behaviour, feed and breathing, then decide about the vet. A slight rise in the first two days after vaccination is common, and the record should show it.`,
  },
  {
    channel: "information",
    topic: "feed",
    cover: "manure-water",
    author: author.zh,
    daysAgo: 36,
    title: "饮水量：最便宜的健康指标",
    titleEn: "Water intake: the cheapest sign of health",
    summary: "猪先少喝，再少吃，然后才看得出病。一只水表能早一天告诉你。",
    summaryEn: "Pigs drink less, then eat less, then look ill. A water meter tells you a day earlier.",
    zh: `
      猪一天喝的水大约是吃料的 2 到 3 倍。哪一天突然少了一成以上，而气温没变，就要去看猪。
      ## 大概该喝多少
      | 猪群 | 每头每天 | 饮水器流量 |
      | 保育 | 1–3 L | 0.5–1 L/min |
      | 育肥 | 6–10 L | 1 L/min 左右 |
      | 妊娠母猪 | 12–20 L | 1.5–2 L/min |
      | 哺乳母猪 | 20–40 L | 2 L/min 以上 |
      ## 少了，按这个顺序
      - 量流量：接一分钟，比看压力表可靠。
      - 看水温和水质：夏天水管晒热了，猪会少喝。
      - 压力和流量都正常，水还是少：不要再查管子了，去看猪。
      ## 多了也要看
      夜里仍有稳定流量是漏水；白天突然变多，先想热，再想盐和腹泻。`,
    en: `
      A pig drinks about two to three times what it eats. When intake falls by more than a tenth while the weather is the same, go and look at the pigs.
      ## What to expect
      | Pigs | Per head and day | Flow of the drinker |
      | Nursery | 1–3 L | 0.5–1 L/min |
      | Finishing | 6–10 L | about 1 L/min |
      | Gestating sows | 12–20 L | 1.5–2 L/min |
      | Lactating sows | 20–40 L | 2 L/min and more |
      ## Too little: in this order
      - Measure flow: catch a minute of water; it tells more than a gauge.
      - Check temperature and quality: pigs avoid water from pipes in the sun.
      - Pressure and flow are normal, and they still drink little: leave the pipes and look at the pigs.
      ## Too much matters, too
      A steady flow at night is a leak; a sudden rise by day means heat first, then salt or scours.`,
  },
  {
    channel: "information",
    topic: "climate",
    cover: "environment",
    author: author.zh,
    daysAgo: 41,
    title: "负压 20 帕：进风口的风速，决定风落在哪里",
    titleEn: "Twenty pascals: the speed at the inlet decides where the air lands",
    summary: "风机只管抽，风从哪里进、落到哪里，由静压和进风口说了算。",
    summaryEn: "Fans only pull. Where air enters and where it lands is up to pressure and inlets.",
    zh: `
      同样的风量，进风口开大了，风软，直接掉到猪背上；开小了，风机费电还抽不动。多数舍把静压放在 15–30 帕之间。
      ## 一张图记住
      - 静压 20 帕，进口风速大约 4–5 米每秒，冷风能贴着顶棚走到中间再落下。
      - 低于 10 帕，冷风在墙边就掉下来。
      - 高于 40 帕，先查进风口是不是没跟着档位开。
      ## 十分钟测漏风
      关上所有进风口，开一台已知风量的风机，看静压能到多少。到不了 25 帕，说明门窗、漏缝和吊顶在抢进风口的风。
      ## 常见的错
      风机加了，进风口没加；或者两边的进风口开度不一样，猪全挤到一头。`,
    en: `
      With the same air, wide inlets make it soft and it drops on the pigs’ backs; narrow ones make fans work hard for little. Most houses keep 15–30 Pa.
      ## To remember
      - At 20 Pa air enters at about 4–5 m/s, follows the ceiling to the middle and falls there.
      - Below 10 Pa cold air drops at the wall.
      - Above 40 Pa check whether the inlets follow the gear.
      ## A leak test in ten minutes
      Close all inlets, run one fan of known capacity and read the pressure. If it does not reach 25 Pa, doors, slats and ceiling compete with the inlets.
      ## Common mistakes
      Fans were added and inlets were not; or the two sides open differently and all pigs lie at one end.`,
  },
  {
    channel: "information",
    topic: "emission",
    cover: "deodorization",
    author: author.zh,
    daysAgo: 47,
    title: "除臭塔的水什么时候换：看电导率，不看日历",
    titleEn: "When to change scrubber water: by conductivity, not by calendar",
    summary: "氨被酸水留下，变成铵盐。盐多了，水就留不住了。",
    summaryEn: "Acid water keeps ammonia as a salt. When there is too much of it, the water keeps no more.",
    zh: `
      洗涤塔的循环水一般控制在 pH 4 上下。氨溶进去变成铵盐，电导率随着往上走。到设定值就排一部分，补新水。
      ## 三个数一起看
      | 数 | 说明 |
      | pH | 高了去除率下降，先查加酸泵 |
      | 电导率 | 高了排水，排水要计量 |
      | 压差 | 慢慢升高是填料堵了 |
      ## 排出来的水去哪里
      含氮高，是肥料。进贮存池，按还田计划用，不能直接排。
      ## 冬天
      水管和喷头防冻，停塔前把填料里的水排空。风量小的时候，泵可以间歇运行。`,
    en: `
      Scrubber water is usually held near pH 4. Ammonia dissolves into it as ammonium salt, and conductivity climbs. At the set value some water is drained and replaced.
      ## Three values together
      | Value | What it says |
      | pH | when high, removal falls; check the acid pump first |
      | Conductivity | when high, drain, and meter what is drained |
      | Pressure drop | a slow rise is a clogging packing |
      ## Where the drained water goes
      It is rich in nitrogen, so it is fertilizer: into storage and out by the spreading plan, never into a ditch.
      ## In winter
      Protect pipes and nozzles from frost and empty the packing before a stop. With little air the pump may run at intervals.`,
  },
  {
    channel: "news",
    topic: "product",
    cover: "environment",
    author: "产品部",
    daysAgo: 3,
    title: "环境控制新增档位回放：改之前先看会怎样",
    titleEn: "Gear replay for environmental control: see the change before it is made",
    summary: "改风机表时，用真实的一天重放一遍，看会多切换几次、冷多少热多少。",
    summaryEn: "When the fan table is edited, a real day is played again: how many changes, how much colder or warmer.",
    zh: `
      参数页现在会把选定的一天按新表重算，列出档位切换次数和超出目标的时间。确认前还能看到新旧两张表逐格的差别。
      ## 怎么用
      - 打开单元的参数设置，改动任意一档。
      - 右侧选一天，一般选最近最热或最冷的。
      - 切换次数变多，先调回差，再调档位。`,
    en: `
      The parameter page now computes a chosen day anew with the edited table and lists gear changes and time off target. Before confirming, both tables are compared cell by cell.
      ## How to use it
      - Open the parameters of a unit and change any gear.
      - Choose a day, usually the hottest or coldest of late.
      - More changes than before: widen the hysteresis first, then move the gear.`,
  },
  {
    channel: "news",
    topic: "service",
    cover: "environment",
    author: "客户服务部",
    daysAgo: 8,
    title: "换季设备检查开始预约",
    titleEn: "Seasonal equipment checks can be booked",
    summary: "湿帘、水泵、风机皮带和备用电源，换季之前看一遍。",
    summaryEn: "Pads, pumps, belts and backup power: looked at before the season turns.",
    zh: `
      每年最忙的报修都在换季后的头几天。检查清单可以自己先做：
      - 湿帘冲洗，水泵试运行十分钟，看布水是否均匀。
      - 风机皮带按压下沉约一指，百叶能全开。
      - 断电试一次：报警器响不响，电话打给谁。
      需要上门的，请在自助中心提交售后工单。服务时间是工作日 8:30–12:00、14:00–18:00。`,
    en: `
      The busiest days for repairs follow each change of season. You can begin yourself:
      - Rinse the pads and run the pump for ten minutes; is the water even?
      - Press the belts: about a finger’s width; louvres open fully.
      - Cut the power once: does the alarm sound, and whom does it call?
      For a visit, open an after-sales order in the self-centre. Service hours are 8:30–12:00 and 14:00–18:00 on working days.`,
  },
  {
    channel: "news",
    topic: "company",
    cover: "feed-mill",
    author: "公司办公室",
    daysAgo: 15,
    title: "饲料 85 ℃ 8 分钟灭菌记录开放查询",
    titleEn: "Records of feed sterilization at 85\u00a0°C for 8 minutes are open to customers",
    summary: "每一批的温度曲线和时长，到场前就能看到。",
    summaryEn: "Temperature curve and time of each batch can be seen before it arrives.",
    zh: `
      直供范围 200 公里内的客户，可以按批次号查看灭菌段的温度曲线、保持时间和出厂时间。没有达到 85 ℃、8 分钟的批次不会出厂，查询页上能看到它被拦下的原因。`,
    en: `
      Customers within the 200\u00a0km of direct supply can look up the temperature curve, holding time and departure of each batch. A batch that does not reach 85\u00a0°C for 8 minutes does not leave the mill, and the page says why it was held.`,
  },
];

/** Partners of a demo, all invented. */
export const demoPartners = [
  [
    "禾泽饲料",
    "Heze Feed",
    "feed",
    "颗粒料与母猪料，200 公里内直供。",
    "Pellets and sow feed, direct supply within 200 km.",
  ],
  ["中原装备", "Zhongyuan Equipment", "equipment", "风机、湿帘与栏位。", "Fans, pads and penning."],
  ["北辰风机", "Beichen Fans", "equipment", "变频风机与控制柜。", "Variable-speed fans and cabinets."],
  ["江汉水处理", "Jianghan Water", "water", "固液分离与厌氧工程。", "Separation and digestion plants."],
  ["安牧生物", "Anmu Biologics", "health", "疫苗冷链与检测服务。", "Vaccine cold chain and laboratory tests."],
  ["青禾农科", "Qinghe Agronomy", "water", "粪水还田与墒情监测。", "Spreading and soil moisture."],
  ["联畅冷链", "Lianchang Cold Chain", "service", "运输与洗消站。", "Transport and washing stations."],
  [
    "宛西农业职业学院",
    "Wanxi Agricultural College",
    "research",
    "实训基地与场长课程。",
    "Training farm and courses for managers.",
  ],
] as const;
