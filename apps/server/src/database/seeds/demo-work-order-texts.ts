import type { DeviceKindId, WorkOrderCategory } from "@herdwise/contract";

/** A text with its English. */
export type Text = readonly [zh: string, en: string];

export interface AfterSalesStory {
  kind: DeviceKindId;
  /** Value that rises before the order, its share beyond the usual range, and the rule that raises an alarm. */
  rising?: readonly [key: string, share: number, rule: string];
  /** Key of the reading that does not move. */
  still?: string;
  factory?: true;
  title: Text;
  description: Text;
  first: Text;
  question: Text;
  reply: Text;
  note: Text;
  parts?: Text;
  solution: Text;
  thanks: Text;
}

export const afterSalesStories: readonly AfterSalesStory[] = [
  {
    kind: "environment",
    rising: ["fan_2_a", 0.34, "fan_current"],
    title: ["2 号风机电流高，声音发闷", "Fan 2 draws too much current and sounds dull"],
    description: [
      "2 号风机声音发闷，电流比平时高。已经断电又开过一次，没有用。现在靠 1 号和 3 号顶着。",
      "Fan 2 sounds dull and draws more current than usual. We switched it off and on again without success. Fans 1 and 3 stand in for it.",
    ],
    first: [
      "看曲线是一点点升上去的，静压只降了一点，更像轴承缺油，不是堵网。先把这台降到 40%，让 3 号补上。",
      "The curve rose little by little while static pressure hardly fell: rather a dry bearing than a blocked guard. Run this fan at 40% and let fan 3 make up for it.",
    ],
    question: [
      "停机后用手转一下叶轮，顺不顺、有没有沙沙声？",
      "With the fan off, turn the impeller by hand: is it smooth, does it grind?",
    ],
    reply: ["转着有点涩，有沙沙声，轴心有黑粉。", "It turns stiffly and grinds; there is black dust at the shaft."],
    note: [
      "同批次今年第 3 起，拆下来也是缺油就报质量组。",
      "Third case of this batch this year; if this one is dry too, tell the quality team.",
    ],
    parts: ["轴承 6203-2RS ×2、皮带 A-42 ×1", "2 bearings 6203-2RS, 1 belt A-42"],
    solution: [
      "更换轴承和皮带后电流回到 3.1 A，运行 2 小时没有再升。",
      "With new bearings and belt the current is back at 3.1 A and stayed there for 2 hours.",
    ],
    thanks: ["当天就说清楚了怎么办，配件也快。", "They told us the same day what to do, and the parts came fast."],
  },
  {
    kind: "environment",
    rising: ["nh3", 0.4, "ammonia_high"],
    title: ["氨气读数一直偏高，通风加大也不降", "Ammonia reads high and does not fall with more ventilation"],
    description: [
      "氨气一直在 20 上下，人进去闻着不重，加大通风也不降，怀疑探头不准。",
      "Ammonia stays around 20, yet it does not smell strong inside, and more ventilation does not help. We suspect the probe.",
    ],
    first: [
      "探头用了快两年，先做一次零点校准，步骤发在下面。",
      "The probe is almost two years old. Please calibrate its zero first, steps below.",
    ],
    question: [
      "校准时探头有没有拿到舍外？请把校准后的读数发一下。",
      "Was the probe outdoors during the calibration? Please send the reading after it.",
    ],
    reply: [
      "拿到舍外了，校准后 9.5，放回去又是 18。",
      "It was outdoors and read 9.5 after it; back inside it reads 18.",
    ],
    note: ["探头到寿命了，走更换。", "The probe is at the end of its life; replace it."],
    parts: ["氨气探头 NH3-50 ×1", "1 ammonia probe NH3-50"],
    solution: [
      "换新探头后读数 11.2，与便携仪相差不到 1。",
      "With a new probe it reads 11.2, within 1 of the hand-held meter.",
    ],
    thanks: ["问题解决了。", "Solved."],
  },
  {
    kind: "environment",
    title: ["控制器屏幕不亮，风机还在转", "The controller's screen is dark while the fans still run"],
    description: [
      "今早发现控制器屏幕不亮，按键没有反应，风机还在转，平台上数据也还有。",
      "This morning the controller's screen was dark and its keys did nothing; the fans still run and the portal still has data.",
    ],
    first: [
      "数据还在说明主板正常，多半是屏幕排线松了。断电后打开面板按紧排线再试。",
      "As data still comes the main board is fine; probably the screen's cable is loose. Power off, open the panel, press the cable in.",
    ],
    question: ["按紧后屏幕背光亮不亮？", "Does the backlight come on after that?"],
    reply: ["背光亮一下就灭了。", "It flashes once and goes out."],
    note: ["背光电源坏，寄屏幕总成。", "Backlight supply is broken; send a screen assembly."],
    parts: ["屏幕总成 LCD-7 ×1", "1 screen assembly LCD-7"],
    solution: ["更换屏幕总成，显示和按键正常。", "Screen assembly replaced; display and keys work."],
    thanks: ["电话里一步步教的，很耐心。", "They guided us step by step on the phone, patiently."],
  },
  {
    kind: "environment",
    rising: ["t_in", 0.08, "temperature_high"],
    title: ["进风口开不到位，舍里偏热", "The inlet does not open fully and the house is too warm"],
    description: [
      "下午进风口只开到三成就不动了，舍温比目标高 3 度，手动也推不动。",
      "In the afternoon the inlet stopped at a third; the house is 3 °C above target and it can't be moved by hand either.",
    ],
    first: [
      "先把风机降一档防止负压过大，检查推杆限位螺丝有没有松。",
      "Lower the fans by a gear to avoid too much under-pressure, and check the limit screw of the actuator.",
    ],
    question: [
      "推杆运行时有没有咔咔声？请拍一段近照。",
      "Does the actuator click while it runs? Please send a close photo.",
    ],
    reply: ["有声音，推杆空转，连杆销子掉了。", "It clicks and spins freely; the pin of the linkage is gone."],
    note: ["销子是易损件，下次随机带两只。", "The pin wears; ship two with each unit in future."],
    parts: ["连杆销 φ8 ×2、开口销 ×4", "2 linkage pins 8 mm, 4 split pins"],
    solution: [
      "装上销子，进风口开合正常，舍温回到目标。",
      "With the pin in place the inlet moves again and the house is at target.",
    ],
    thanks: ["小零件大问题，处理得快。", "A small part and a big problem, quickly dealt with."],
  },
  {
    kind: "disinfect",
    title: ["余氯忽高忽低，加药泵声音不匀", "Free chlorine swings and the dosing pump sounds uneven"],
    description: [
      "余氯在 0.2 到 0.9 之间跳，加药泵声音一阵一阵的，药桶里还有大半桶。",
      "Free chlorine jumps between 0.2 and 0.9; the dosing pump sounds uneven; the tank is more than half full.",
    ],
    first: [
      "像是泵头进气，先排气，再看吸药管有没有离开液面。",
      "It looks like air in the pump head. Bleed it, and check that the suction pipe reaches the liquid.",
    ],
    question: ["排气后 10 分钟余氯多少？", "What is free chlorine 10 minutes after bleeding?"],
    reply: ["排了两次，稳在 0.45。", "Bled it twice; it is steady at 0.45."],
    note: ["提醒客户每周排气一次。", "Remind the customer to bleed it weekly."],
    solution: [
      "泵头排气后余氯稳定，已把每周排气写进维护提醒。",
      "After bleeding the pump head chlorine is steady; weekly bleeding is now a maintenance reminder.",
    ],
    thanks: ["远程就解决了。", "Solved remotely."],
  },
  {
    kind: "disinfect",
    factory: true,
    still: "flow",
    title: ["流量计不走数，水是通的", "The flow meter stands still while water flows"],
    description: [
      "流量计读数一直不动，水是通的，换了插头也没用。",
      "The flow meter's reading does not move though water flows; another plug did not help.",
    ],
    first: [
      "流量计需要返厂检测，请拆下后寄回，地址发在短信里，运费到付。",
      "The meter must be tested at the factory. Please take it off and return it, freight collect.",
    ],
    question: ["寄出后请把快递单号发在这里。", "Please post the tracking number here once it is on its way."],
    reply: ["已寄出，单号 SF1388 2209 16。", "Sent, tracking SF1388 2209 16."],
    note: ["磁轮断了，厂家责任，免费换。", "The magnetic wheel is broken: our fault, replace it for free."],
    parts: ["电磁流量计 DN25 ×1", "1 flow meter DN25"],
    solution: ["更换流量计并重新标定，误差 0.8%。", "Flow meter replaced and calibrated, error 0.8%."],
    thanks: ["返厂来回 6 天，还可以。", "Six days there and back; acceptable."],
  },
  {
    kind: "deodorization",
    title: ["除臭塔喷淋压力低", "Spray pressure of the scrubber is low"],
    description: [
      "喷淋压力从 0.3 掉到 0.12，塔里有两排不出水。",
      "Spray pressure fell from 0.3 to 0.12, and two rows in the tower give no water.",
    ],
    first: ["先清洗过滤器，再看喷嘴有没有结垢。", "Clean the filter first, then look for scale in the nozzles."],
    question: ["过滤器清洗后压力多少？", "What is the pressure after cleaning the filter?"],
    reply: ["回到 0.22，还是不够。", "Back to 0.22, still too little."],
    note: ["水硬，建议半年酸洗一次。", "Hard water; suggest an acid wash every six months."],
    parts: ["螺旋喷嘴 1/4 寸 ×12", "12 spiral nozzles 1/4 in"],
    solution: [
      "更换喷嘴后压力 0.31，氨气去除率回到 82%。",
      "With new nozzles the pressure is 0.31 and ammonia removal back at 82%.",
    ],
    thanks: ["讲得清楚。", "Clearly explained."],
  },
  {
    kind: "bathroom",
    title: ["洗澡间门禁不放行，人卡在中间", "The shower's door does not open and people are stuck between"],
    description: [
      "洗完澡后净区门不开，提示洗澡时间不够，但明明洗了 8 分钟。",
      "After showering the clean side's door stays shut and says the time was too short, though it was 8 minutes.",
    ],
    first: [
      "已远程临时放行。请检查喷头水流开关，可能没有信号。",
      "Opened remotely for now. Please check the flow switch of the shower head; it may give no signal.",
    ],
    question: ["开水时流量指示灯亮不亮？", "Does the flow lamp light up with the water on?"],
    reply: ["不亮，拍了两下又亮了。", "It doesn't; after a tap or two it does."],
    note: ["急停按钮位置要再培训一次。", "Train them once more on the emergency release."],
    parts: ["水流开关 ×1", "1 flow switch"],
    solution: ["更换水流开关，连续 10 人次放行正常。", "Flow switch replaced; ten passages in a row were fine."],
    thanks: ["人没事就好，响应很快。", "Nobody was hurt, and they answered fast."],
  },
  {
    kind: "dosing-station",
    title: ["配药站 3 号阀动作慢", "Valve 3 of the dosing station is slow"],
    description: [
      "3 号阀开关要等半分钟，配出来的浓度偏低。",
      "Valve 3 takes half a minute to move, and the mix comes out too weak.",
    ],
    first: [
      "看记录是阀芯卡滞，先执行三次自清洗。",
      "The log points to a sticking core. Run the self-cleaning three times first.",
    ],
    question: ["自清洗后动作时间多少秒？", "How many seconds does it take after the cleaning?"],
    reply: ["6 秒，好多了。", "6 seconds, much better."],
    note: ["密封圈批次问题，已列入巡检。", "A batch problem of the seals; on the inspection list."],
    parts: ["O 型圈 ×4", "4 O-rings"],
    solution: ["自清洗加换密封圈，动作 3 秒以内。", "After cleaning and new seals it moves within 3 seconds."],
    thanks: ["可以。", "Fine."],
  },
  {
    kind: "needleless",
    factory: true,
    title: ["无针注射器剂量偏少", "The needleless injector gives too little"],
    description: [
      "设定 2 毫升，实际打出来 1.4 左右，换过密封圈。",
      "Set to 2 ml it gives about 1.4; the seal was changed already.",
    ],
    first: [
      "剂量偏差 30% 以上要返厂校准，备用机今天寄出。",
      "A deviation above 30% needs calibration at the factory. A spare goes out today.",
    ],
    question: ["请确认收件地址还是场区北门。", "Please confirm that the farm's north gate is still the address."],
    reply: ["是北门，收件人不变。", "North gate, same person."],
    note: ["备用机编号 B-17，收回时核对。", "Spare B-17; check it on return."],
    parts: ["备用注射器 B-17 ×1", "1 spare injector B-17"],
    solution: [
      "返厂更换活塞并校准，20 次平均 2.01 毫升。",
      "Piston replaced and calibrated; mean of 20 shots 2.01 ml.",
    ],
    thanks: ["有备用机，没耽误打疫苗。", "With the spare no vaccination was missed."],
  },
  {
    kind: "environment",
    title: ["设备半夜掉线，早上自己好了", "The device went offline at night and came back by itself"],
    description: [
      "连着两晚 2 点左右掉线，早上 6 点自己恢复，网络别的设备没事。",
      "Two nights in a row it went offline about 2 and came back at 6; other devices on the network were fine.",
    ],
    first: [
      "日志里是网口重启，像供电不足。请量一下夜里的电压。",
      "The log shows the network port restarting, as with too little power. Please measure the voltage at night.",
    ],
    question: ["夜里保温灯是不是和它同一路电？", "Are the heat lamps on the same circuit at night?"],
    reply: ["是同一路，灯一开就掉。", "Yes, it drops as soon as the lamps go on."],
    note: ["建议加稳压，不算设备故障。", "Suggest a stabilizer; not a device fault."],
    solution: ["改到照明之外的回路后，一周没有再掉线。", "On another circuit it has not gone offline for a week."],
    thanks: ["原来是电的事。", "So it was the power."],
  },
];

export interface ComplaintStory {
  category: WorkOrderCategory;
  title: Text;
  description: Text;
  first: Text;
  solution: Text;
  thanks: Text;
}

export const complaintStories: readonly ComplaintStory[] = [
  {
    category: "delivery",
    title: ["配件说好三天到，七天才到", "Parts promised in three days came after seven"],
    description: [
      "上周订的轴承说三天到，实际等了七天，期间一台风机停着。",
      "Bearings ordered last week were promised in three days and took seven; a fan stood still meanwhile.",
    ],
    first: [
      "对不起，给您添麻烦了。正在查物流在哪一步耽误的。",
      "We are sorry for the trouble and are checking where it was held up.",
    ],
    solution: [
      "仓库漏发一天、中转停留两天。已退运费，易损件改为当天发货。",
      "The warehouse lost a day, the hub two. Freight is refunded, and wearing parts now ship the same day.",
    ],
    thanks: ["处理结果认可。", "We accept the outcome."],
  },
  {
    category: "service",
    title: ["打服务电话 20 分钟没人接", "Nobody answered the service line for 20 minutes"],
    description: [
      "周五下午打服务电话，排队 20 分钟没人接，后来自己断了。",
      "On Friday afternoon the service line kept us waiting for 20 minutes and then cut off.",
    ],
    first: [
      "已调取当时的排队记录，今天给您回电话。",
      "We have pulled the queue's records and will call you back today.",
    ],
    solution: [
      "周五下午加派两名坐席，排队超过 3 分钟自动转回拨。",
      "Two more people on Friday afternoons; after 3 minutes in the queue you are called back.",
    ],
    thanks: ["希望说到做到。", "We hope it lasts."],
  },
  {
    category: "price",
    title: ["维保发票金额和合同不一致", "The maintenance invoice differs from the contract"],
    description: [
      "合同写年费 3600，发票开了 3960，多出来的没有说明。",
      "The contract says 3,600 a year, the invoice 3,960 without an explanation.",
    ],
    first: ["已转财务核对合同和开票记录。", "Finance is comparing contract and invoice."],
    solution: [
      "发票开错，已红冲重开，差额退回原账户。",
      "The invoice was wrong: it is cancelled and issued anew, the difference refunded.",
    ],
    thanks: ["解决了。", "Solved."],
  },
  {
    category: "product",
    title: ["新装的探头三个月坏了两个", "Two of the new probes failed within three months"],
    description: [
      "六月装的四个温度探头，已经坏了两个，怀疑是防水不好。",
      "Of four temperature probes installed in June two have failed; we suspect the sealing.",
    ],
    first: [
      "四个探头都给您换新，旧的寄回来我们检测。",
      "You get four new ones; please return the old ones for testing.",
    ],
    solution: [
      "接头密封工艺有问题，已换成灌胶款并延保一年。",
      "The connector's sealing was at fault; potted ones are in, with a year more of warranty.",
    ],
    thanks: ["态度好，结果也好。", "Good manner, good result."],
  },
  {
    category: "website",
    title: ["手机上导出报表一直转圈", "Exporting a report on the phone never ends"],
    description: [
      "用手机导出上月环境报表，一直转圈，电脑上正常。",
      "Exporting last month's climate report on a phone keeps spinning; on a computer it works.",
    ],
    first: ["已复现，是老版本浏览器的问题，正在改。", "Reproduced: it is an old browser's problem, being fixed."],
    solution: ["已更新，老版本手机浏览器也能导出。", "Updated; old phone browsers can export, too."],
    thanks: ["现在可以了。", "It works now."],
  },
];

export interface SuggestionStory {
  category: WorkOrderCategory;
  state: "pending" | "adopted" | "rejected";
  published?: boolean;
  title: Text;
  description: Text;
  answer: Text;
}

export const suggestionStories: readonly SuggestionStory[] = [
  {
    category: "product",
    state: "adopted",
    published: true,
    title: ["告警声音能不能按严重程度分开", "Different alarm sounds by severity"],
    description: [
      "现在提示和紧急是一个声音，夜里分不清要不要起来。",
      "A notice and an emergency sound the same; at night we can’t tell whether to get up.",
    ],
    answer: [
      "采纳。紧急用连续急促音，严重用两声，其余不响，可以在推送设置里关。",
      "Adopted. Emergencies sound continuously, severe ones twice, others not at all; you can switch it off under alarm push.",
    ],
  },
  {
    category: "website",
    state: "adopted",
    published: true,
    title: ["希望一眼看到哪栋最近没巡检", "Show at a glance which house was not inspected lately"],
    description: [
      "栋舍多了以后，不知道哪栋好几天没人看过。",
      "With many houses we lose track of which one nobody has looked at for days.",
    ],
    answer: [
      "采纳。维护记录里加了下次到期，总览按到期先后排。",
      "Adopted. The maintenance log has a next due date, and the overview sorts by it.",
    ],
  },
  {
    category: "service",
    state: "adopted",
    published: true,
    title: ["易损件能不能提前备在场里", "Keep wear parts at the farm in advance"],
    description: [
      "风机皮带、轴承坏了才订，来回要三四天。",
      "Belts and bearings are ordered only when they break, which takes three or four days.",
    ],
    answer: [
      "采纳。维保合同可选备件包，用多少结多少。",
      "Adopted. Maintenance contracts may include a parts kit, paid as used.",
    ],
  },
  {
    category: "product",
    state: "adopted",
    published: true,
    title: ["断网时手机上也要能看最后的数据", "See the last values on the phone without a network"],
    description: ["猪舍里信号不好，打开就是空白页。", "Reception in the barn is poor, and the page is blank."],
    answer: [
      "采纳。断网时保留最后的数值并标明时间，恢复后自己接上。",
      "Adopted. Without a network the last values stay on screen with their time, and updates resume by themselves.",
    ],
  },
  {
    category: "delivery",
    state: "rejected",
    title: ["希望所有配件都当天送到", "Deliver every part on the same day"],
    description: ["配件最好当天就能送到场里。", "Parts should reach the farm on the same day."],
    answer: [
      "暂时做不到：偏远场区单程就要一天。易损件可以选备件包提前放在场里。",
      "Not for now: remote farms are a day away. Wearing parts can be kept at the farm with a parts kit.",
    ],
  },
  {
    category: "price",
    state: "rejected",
    title: ["多个场区的维保费打包再便宜些", "A better package price for several farms"],
    description: ["三个场区都签维保，希望再优惠。", "With three farms under maintenance we would like a better price."],
    answer: [
      "现有阶梯价已按三个场区计算，暂不调整，明年续签时再谈。",
      "The tiered price already counts three farms. We leave it and talk again at renewal.",
    ],
  },
  {
    category: "product",
    state: "adopted",
    published: false,
    title: ["无针注射的记录能按批次汇总", "Summaries of injections by batch"],
    description: [
      "现在按天看，想按批次看打了几次、漏了哪些。",
      "It goes by day; we would like to see per batch what was given and missed.",
    ],
    answer: ["采纳，排在下一版的免疫分析里。", "Adopted, planned for the next version of the immunization analysis."],
  },
  {
    category: "website",
    state: "pending",
    title: ["成员列表能按最近登录排序", "Sort members by last log-in"],
    description: [
      "想看哪些成员很久没用了，好停掉账户。",
      "To see who has not been there for long, and close such accounts.",
    ],
    answer: ["", ""],
  },
  {
    category: "other",
    state: "pending",
    title: ["办几次线下的通风培训", "Hold ventilation courses on site"],
    description: [
      "换季通风总是调不好，希望有老师到现场讲。",
      "We never get the seasonal change of ventilation right; a trainer on site would help.",
    ],
    answer: ["", ""],
  },
];

export const carrier: Text = ["示例快递", "Example Express"];
export const noteOfAssign: Text = ["这台我熟，先给你看。", "You know this one best; please have a look."];
export const stillWrong: Text = ["今天又犯了，和之前一样。", "It is back today, just as before."];
export const remoteDone: Text = [
  "视频连线看了现场，带着做了一遍，暂时正常，再观察一天。",
  "Looked at it by video and went through it together; fine for now, to be watched for a day.",
];
