import type { ArticlePage } from "@herdwise/contract";

/** Sections of a solution's page after its text: a comparison, an example case, and questions. */
interface SolutionActs {
  zh: string;
  en: string;
}

export const solutionActs: Readonly<Partial<Record<ArticlePage, SolutionActs>>> = {
  environmentalControl: {
    zh: `
      ## 以前和现在
      | 事情 | 以前 | 现在 |
      | 调目标温度 | 老师傅每天走一圈，凭手感拧旋钮 | 按日龄每天自己降，改动有人名和时间 |
      | 夜里起风 | 第二天早上看到猪扎堆才知道 | 降档留回差，偏差超过 2 ℃ 先告诉值班的人 |
      | 风机坏了一台 | 旁边的风机多转，没人发现 | 电流和转速对不上，当天报到那一台 |
      | 比较两批猪 | 翻两本记录本 | 同一条时间轴上看温度、氨和用电 |
      ## 示例：一个 480 头的育肥单元
      以下是按演示猪场的数据写的示例，不是某个客户的承诺。
      > 换季那两周以前要两个人轮流守夜，现在看一眼手机，不红就睡。
      | 指标 | 上一批 | 这一批 |
      | 夜间舍温低于目标 2 ℃ 以上的时长 | 31 小时 | 4 小时 |
      | 氨气日均值 | 17 ppm | 11 ppm |
      | 每头猪用电 | 21.4 kWh | 18.9 kWh |
      ## 常问的
      ### 断网了还控制吗
      控制在舍里的控制器上，不在云上。断网照表走，恢复后把这段时间的数据按原来的时间补回来。
      ### 老风机能接吗
      能。定速风机按台数进档，变频风机按转速进档，进风口有没有电动都能用，只是没有电动的那一步要人去拉。
      ### 一个单元要几支探头
      至少三支：前、中、后。两支差得太多时先报探头，不拿它去降温。`,
    en: `
      ## Before and now
      | What | Before | Now |
      | Setting the target | somebody experienced walks round and turns a knob | it steps down by age; each change has a name and a time |
      | Wind at night | seen in the morning, when the pigs lie in a heap | gears step down with hysteresis; whoever is on duty hears of more than 2\u00a0°C |
      | A fan that died | the others run more and nobody notices | current and speed disagree; that one fan is named the same day |
      | Comparing batches | two notebooks | temperature, ammonia and electricity on one time axis |
      ## An example: a finishing unit of 480 pigs
      This is an example made from the demonstration farm, not a promise about any customer.
      > When the season turned, two of us used to take turns at night. Now I look at the phone; if nothing is red, I sleep.
      | Figure | Batch before | This batch |
      | Hours at night more than 2\u00a0°C below target | 31\u00a0h | 4\u00a0h |
      | Ammonia, daily mean | 17 ppm | 11 ppm |
      | Electricity for each pig | 21.4 kWh | 18.9 kWh |
      ## Questions
      ### Does it control without a network?
      The controller in the house does, not the cloud. It goes on by its table and sends what it measured afterwards, with the original times.
      ### Can old fans be connected?
      Yes. Fans of one speed count into a gear by their number, others by their speed. Inlets without a motor work too, but somebody has to move them by hand.
      ### How many probes does a unit need?
      Three at least: front, middle, back. When two of them disagree widely, the probe is reported before anything is cooled.`,
  },
  biosafety: {
    zh: `
      ## 以前和现在
      | 关口 | 以前 | 现在 |
      | 人员进场 | 登记本签字，洗没洗靠自觉 | 五步各有最少时间，少一步门不开 |
      | 饲料到场 | 看送货单，抽查 | 85 ℃、8 分钟的曲线跟着批次走，不到不放行 |
      | 饮水消毒 | 看药桶下去多少 | 末端饮水器处的余氯，每分钟一个数 |
      | 出了例外 | 微信里说一声 | 谁、什么时候、为什么，一直在页面最上面 |
      ## 示例：一个 2,400 头母猪场
      以下是示例：场名、人和数字是举例，做法和标准是产品的。
      > 查的不是谁犯了错，是哪一道门总有人绕。改了换衣间的位置，绕行就没了。
      | 指标 | 之前一季 | 之后一季 |
      | 说不清的进场 | 46 次 | 0 次 |
      | 末端余氯不足的小时 | 112 | 9 |
      | 查一批料的来路 | 半天 | 2 分钟 |
      ## 常问的
      ### 停电了门怎么办
      消防优先，门会松开，同时记一条例外；来电之后要有人说明原因。
      ### 85 ℃ 8 分钟对饲料有影响吗
      对热敏的添加剂有，所以它们在灭菌之后加。温度和时长逐批留存，营养师看得到。
      ### 能接已有的洗消中心吗
      能。车牌和洗消时间由对方的系统给，或由司机在手机上拍照上传，两种都标明来源。`,
    en: `
      ## Before and now
      | Gate | Before | Now |
      | People | a signature in a book; showering was a matter of trust | five steps, each with a minimum time; a missing one keeps the door shut |
      | Feed | a delivery note and spot checks | the curve of 85\u00a0°C for 8 minutes goes with the batch; what falls short is not released |
      | Drinking water | how far the drum went down | free chlorine at the last drinker, every minute |
      | Exceptions | a word in a chat | who, when and why, at the top of the page until it is settled |
      ## An example: a farm of 2,400 sows
      This is an example: names and figures are made up, the ways and standards are the product’s.
      > It was never about who was at fault, but about which door people walked around. We moved the changing room, and nobody does any more.
      | Figure | Season before | Season after |
      | Entries that nobody could explain | 46 | 0 |
      | Hours with too little chlorine at the last drinker | 112 | 9 |
      | Tracing a batch of feed | half a day | 2 minutes |
      ## Questions
      ### What do the doors do in a power cut?
      People’s safety goes first: they open, and an exception is written. Somebody explains it when the power is back.
      ### Does 85\u00a0°C for 8 minutes harm the feed?
      It harms additives that don’t stand heat, so those are added afterwards. Each batch keeps its temperature and time for the nutritionist.
      ### Can an existing washing station be connected?
      Yes. Its system sends plates and times, or the driver uploads a photograph; the record says which.`,
  },
  wisdom: {
    zh: `
      ## 以前和现在
      | 事情 | 以前 | 现在 |
      | 听咳嗽 | 巡栏时正好听到才算 | 一个单元一天的每一声都在，和自己的基线比 |
      | 量体温 | 抓几头，猪和人都紧张 | 不接触，一次看一群，发热的栏排前面 |
      | 打疫苗 | 数空瓶，对不上就算了 | 一针一条，漏的按栏点出来 |
      | 下判断 | 三个系统三张屏 | 一条时间轴，先后一眼看到 |
      ## 示例：保育舍的一次早发现
      以下是示例：经过按演示数据写成，诊断和用药由驻场兽医决定。
      > 咳嗽周三夜里起来，体温周四早上才动。早一天采样，就少一栋舍跟着走。
      | 时间 | 看到什么 | 做了什么 |
      | 周三 23:00 | 咳嗽到基线的 2.6 倍 | 值班员看通风，排除氨气 |
      | 周四 06:30 | 3 号栏体温高出 0.7 ℃ | 兽医采样送检 |
      | 周四 15:00 | 饮水量降 9 % | 隔离，按结果处理 |
      ## 常问的
      ### 会不会把风机声当成咳嗽
      每个单元先学一周自己的底噪；风机换档的那几秒不计。
      ### 机器会开药吗
      不会。它只说哪里、什么时候、和平时差多少，采样和用药是人的事。
      ### 先装哪一样
      先装环境和咳嗽。这两样有了，体温和免疫接上去就有地方看。`,
    en: `
      ## Before and now
      | What | Before | Now |
      | Coughs | counted when somebody happened to hear them | every cough of the day is kept and compared with the unit’s own baseline |
      | Temperatures | a few animals were caught, to nobody’s liking | a group at a glance, without touch; feverish pens come first |
      | Vaccination | empty bottles were counted | one record for each shot; what was missed is named pen by pen |
      | Judging | three systems on three screens | one time axis, on which what came first is seen |
      ## An example: a day won in the nursery
      This is an example written from demonstration data; diagnosis and treatment are the veterinarian’s.
      > The coughs rose on Wednesday night, the temperatures on Thursday morning. Sampling a day earlier spared the next house.
      | When | What was seen | What was done |
      | Wednesday 23:00 | coughs 2.6 times the baseline | the night shift looked at the air and ruled out ammonia |
      | Thursday 06:30 | pen 3 is 0.7\u00a0°C warmer | the veterinarian took samples |
      | Thursday 15:00 | 9 % less water | isolated, then treated by the result |
      ## Questions
      ### Does a fan count as a cough?
      Each unit learns its own noise for a week, and the seconds in which a gear changes don’t count.
      ### Does it prescribe?
      No. It says where, when, and how far from usual. Samples and treatment are people’s business.
      ### What comes first?
      Climate and coughs first; temperatures and vaccination then join the same picture.`,
  },
  evcManure: {
    zh: `
      ## 以前和现在
      | 事情 | 以前 | 现在 |
      | 池子还能存几天 | 拿杆子量，凭经验 | 按近七天进水估，满之前一周提醒 |
      | 泵开没开 | 听声音 | 开停、流量和电耗对得上才算 |
      | 还到哪块田 | 司机记得 | 一车一条：地块、方数、时间、经手人 |
      | 来检查 | 现补台账 | 打开就是，缺的写着为什么缺 |
      ## 示例：一个万头场的雨季
      以下是示例，数字是举例。
      > 以前雨一下就慌。现在知道还有九天，够排三次。
      | 指标 | 前一年雨季 | 这一年 |
      | 临时外运 | 14 车 | 2 车 |
      | 溢流 | 1 次 | 0 次 |
      | 补记的台账 | 63 条 | 0 条 |
      ## 常问的
      ### 液位计会不会被泥糊住
      用的是不接触的雷达液位；读数不动而泵在开，会报“读数可疑”。
      ### 沼气这一段也管吗
      管到温度、pH、产气量和压力；安全联锁由厌氧罐自己的控制柜负责，我们只看不替。
      ### 已有的泵能用吗
      能，加一只流量计和电流互感器就能记。`,
    en: `
      ## Before and now
      | What | Before | Now |
      | Days left in the pond | a stick and experience | estimated from seven days of inflow, with a reminder a week before it is full |
      | Is the pump on? | by ear | only when state, flow and electricity agree |
      | Which field got it | the driver remembers | one record for each load: plot, volume, time, person |
      | An inspection | the register is hurriedly filled in | it is already there; gaps state their reason |
      ## An example: a rainy season on a farm of 10,000 pigs
      This is an example with made-up figures.
      > Rain used to mean panic. Now we know there are nine days left, enough for three rounds.
      | Figure | Season before | This season |
      | Loads carried away in a hurry | 14 | 2 |
      | Overflows | 1 | 0 |
      | Entries made afterwards | 63 | 0 |
      ## Questions
      ### Does the level probe clog?
      It is a radar and touches nothing. A reading that stays while the pump runs is reported as doubtful.
      ### Is the digester part of it?
      Its temperature, pH, gas and pressure are. Its safety interlocks stay with its own cabinet; we look and don’t interfere.
      ### Can the pumps stay?
      Yes, with a flow meter and a current transformer each.`,
  },
  ammoniaDeodorization: {
    zh: `
      ## 以前和现在
      | 事情 | 以前 | 现在 |
      | 去除率 | 验收那天测一次 | 进出口成对，每小时一个数 |
      | 补酸 | 隔几天倒一桶 | 按 pH 自己补，余量低了提前说 |
      | 换水 | 看日历 | 看电导率，每次排了多少有记录 |
      | 村里来问 | 说不清 | 打开那一天那一小时给他看 |
      ## 四种塔，按风量选
      | 型号 | 风量 m³/h | 填料 | 适合 |
      | DW-10 | 8,000–12,000 | 单级酸洗 | 产房、后备 |
      | DW-15 | 12,000–18,000 | 酸洗加清水 | 480 头育肥单元 |
      | DW-40 | 30,000–45,000 | 酸洗加清水 | 整栋集中排风 |
      | DW-80 | 60,000–90,000 | 酸洗加生物 | 楼房猪舍 |
      ## 示例：离村 400 米的育肥场
      以下是示例：数字按演示塔的逐时记录写成，不是保证值。
      > 村里的人以前绕着走，去年秋天开始，有人在塔下面晒玉米。
      | 指标 | 装塔前 | 装塔后 |
      | 厂界臭气投诉 | 每季 9 次 | 0 次 |
      | 出口氨日均 | 12.2 ppm | 0.8 ppm |
      | 还田的硫酸铵 | 无 | 每天 4.1 公斤 |
      ## 常问的
      ### 冬天风小，塔还要开吗
      要，但按最小风量开。冬天氨的浓度更高，停塔那几个小时最容易被投诉。
      ### 用什么酸，安全吗
      用 50 % 的硫酸，双层罐，接酸口带锁；检修时泵在现场锁定，远程开不了。
      ### 换下来的水去哪里
      是硫酸铵溶液，按氮计量还田；去处写在逐时登记里。`,
    en: `
      ## Before and now
      | What | Before | Now |
      | Removal | measured once, on the day of acceptance | inlet and outlet as a pair, every hour |
      | Acid | a can every few days | dosed by pH; low stock is told in time |
      | Wash water | by the calendar | by conductivity; each drain is recorded |
      | Neighbours who ask | nothing to show | that day and that hour are opened for them |
      ## Four towers, by their air
      | Model | Air m³/h | Packing | Made for |
      | DW-10 | 8,000–12,000 | one acid stage | farrowing, gilts |
      | DW-15 | 12,000–18,000 | acid and water | a finishing unit of 480 |
      | DW-40 | 30,000–45,000 | acid and water | a whole house |
      | DW-80 | 60,000–90,000 | acid and biology | multi-storey houses |
      ## An example: a finishing farm 400 m from a village
      This is an example: its figures follow the hourly register of a demonstration tower and are no warranty.
      > People used to take the other road. Since last autumn somebody has been drying corn below the tower.
      | Figure | Before | With the tower |
      | Complaints | 9 a quarter | none |
      | Ammonia at the outlet, daily mean | 12.2 ppm | 0.8 ppm |
      | Ammonium sulphate for the fields | none | 4.1 kg a day |
      ## Questions
      ### Does it run in winter, with little air?
      Yes, at minimum flow. Ammonia is more concentrated then, and the hours without the tower bring the complaints.
      ### Which acid, and is it safe?
      50\u00a0% sulphuric acid in a double-walled tank with a locked inlet. During maintenance the pump is locked at the tower and can’t be started from afar.
      ### Where does the water go?
      It is ammonium sulphate, spread on fields by its nitrogen; the register says where it went.`,
  },
  highStandardFarmland: {
    zh: `
      ## 以前和现在
      | 事情 | 以前 | 现在 |
      | 用多少 | 有多少还多少 | 先测养分，按作物和地块定 |
      | 什么时候 | 池子满了 | 看墒情和三天降雨，雨前雨后不排 |
      | 谁用了 | 说不准 | 一块田一本账，方数和养分都在 |
      | 农户要看 | 打电话问 | 手机上看自己那几块 |
      ## 示例：1,200 亩玉米和小麦
      以下是示例，数字是举例。
      > 化肥少买了三成，地还比以前松。
      | 指标 | 前一季 | 这一季 |
      | 每亩化肥 | 48 公斤 | 33 公斤 |
      | 雨前误排 | 5 次 | 0 次 |
      | 有账的方数 | 61 % | 100 % |
      ## 常问的
      ### 重金属和盐分呢
      每季送检，结果挂在地块下；电导率超过设定就不给这块田放水。
      ### 没有墒情站能做吗
      能，先用降雨和排放记录；墒情站两块田合用一个也行。
      ### 农户不会用手机怎么办
      还田后自动发一条短信，写着方数和养分，纸质对账单也能打。`,
    en: `
      ## Before and now
      | What | Before | Now |
      | How much | as much as there was | nutrients are measured first; crop and plot decide |
      | When | when the pond was full | by soil moisture and three days of rain; never just before or after it |
      | Who got it | hard to say | one register for each field, with volume and nutrients |
      | Farmers who ask | a telephone call | their own plots on their phones |
      ## An example: 80 hectares of corn and wheat
      This is an example with made-up figures.
      > A third less fertilizer was bought, and the soil is looser than before.
      | Figure | Season before | This season |
      | Fertilizer per hectare | 720\u00a0kg | 495\u00a0kg |
      | Spread just before rain | 5 times | never |
      | Volume on record | 61 % | 100 % |
      ## Questions
      ### What about heavy metals and salt?
      Samples go to a laboratory each season, and results are filed under the plot. Above the set conductivity no water is released to that field.
      ### Does it need moisture stations?
      No: rain and discharge records are enough to start. Two fields can share a station.
      ### And farmers without a smartphone?
      They get a text message with volume and nutrients, and a statement on paper if they want one.`,
  },
  pigFarmDesign: {
    zh: `
      ## 以前和现在
      | 事情 | 以前 | 现在 |
      | 定风机 | 按别的场抄 | 按夏天最大和冬天最小算，写明依据 |
      | 探头位置 | 装的时候再看 | 图上有编号，离风口和猪的距离都标着 |
      | 移交 | 一箱图纸 | 图上的编号就是台账里的编号 |
      | 两年后改造 | 重新摸一遍 | 打开台账，哪台什么时候换过都在 |
      ## 示例：一栋 2,880 头的育肥楼
      以下是示例，数字是举例。
      > 图纸改了十一版，墙只砌了一遍。
      | 指标 | 常见做法 | 这一栋 |
      | 风量余量 | 不知道 | 12 %，算得出来 |
      | 装完返工的点位 | 三四十处 | 2 处 |
      | 从通电到绑定完 | 一周 | 一天半 |
      ## 常问的
      ### 只做设计，不买设备可以吗
      可以。图纸写参数不写品牌，清单能拿去比价。
      ### 老场改造做不做
      做，先测现有风量和静压，能用的留下。
      ### 图纸给什么格式
      DWG、PDF 和一张设备清单表，表能直接导入台账。`,
    en: `
      ## Before and now
      | What | Before | Now |
      | Choosing fans | copied from another farm | calculated for the summer maximum and the winter minimum, with the reasons |
      | Places of probes | found while mounting | numbered on the plan, with distances to inlets and pigs |
      | Handing over | a box of drawings | numbers on the plan are numbers of the register |
      | A change two years later | everything is traced anew | the register says which was replaced when |
      ## An example: a finishing house for 2,880 pigs
      This is an example with made-up figures.
      > The plan was changed eleven times, the wall was built once.
      | Figure | Usual | This house |
      | Reserve of air | unknown | 12 %, and worked out |
      | Places to be redone | thirty to forty | 2 |
      | From power to the last device bound | a week | a day and a half |
      ## Questions
      ### Design without devices?
      Yes. Drawings name values, not brands, and the list can be put out to tender.
      ### Do you rebuild old farms?
      Yes. Air and pressure are measured first, and what works stays.
      ### Which formats?
      DWG, PDF, and a list of devices that the register imports as it is.`,
  },
  feedMill: {
    zh: `
      ## 以前和现在
      | 事情 | 以前 | 现在 |
      | 灭菌够不够 | 看表盘，班长签字 | 85 ℃ 满 8 分钟才放行，曲线跟着批次走 |
      | 仓里发热 | 闻到味道 | 仓温一天升 2 ℃ 先报 |
      | 送到哪个塔 | 司机打电话 | 车、路线、塔号一条记录 |
      | 召回一批 | 翻三天单子 | 查一次，到场到塔 |
      ## 示例：一个年产 18 万吨的厂
      以下是示例，数字是举例，85 ℃ 8 分钟和 200 公里直供是产品的标准。
      > 不是多装了几只温度计，是没到时间门就打不开。
      | 指标 | 之前 | 之后 |
      | 温度或时长不足仍出厂的批次 | 每月 3 批 | 0 批 |
      | 追一批料到塔 | 2 天 | 5 分钟 |
      | 因发热报废的原料 | 38 吨/年 | 6 吨/年 |
      ## 常问的
      ### 8 分钟会不会拖慢产线
      保持段是连续的，产量由它的长度定；选型时就算进去。
      ### 已有的中控能接吗
      能，按 OPC UA 或 Modbus 取数，只读，不改对方的控制。
      ### 超过 200 公里怎么办
      不直供，走中转时在中转站再测一次温度并留记录，页面上写明不是直供。`,
    en: `
      ## Before and now
      | What | Before | Now |
      | Sterilized enough? | a dial and a signature | released after 8 full minutes at 85\u00a0°C; the curve goes with the batch |
      | Heat in a silo | by its smell | a rise of 2\u00a0°C in a day is reported |
      | Which silo? | the driver calls | truck, route and silo in one record |
      | A recall | three days of paper | one look, down to the silo |
      ## An example: a mill of 180,000 tonnes a year
      This is an example with made-up figures; 85\u00a0°C for 8 minutes and direct supply within 200\u00a0km are the product’s standards.
      > It is not about a few more thermometers: the gate does not open before its time.
      | Figure | Before | After |
      | Batches released short of time or temperature | 3 a month | none |
      | Tracing a batch to its silo | 2 days | 5 minutes |
      | Raw material lost to heat | 38 t a year | 6 t a year |
      ## Questions
      ### Do 8 minutes slow the line?
      The holding section runs on; its length sets the output, and that is part of the design.
      ### Can the control room be connected?
      Yes, by OPC UA or Modbus, reading only. Its control is not touched.
      ### And beyond 200 km?
      Then it is not direct supply: temperature is measured and recorded again at the depot, and the page says so.`,
  },
  farmMonitoring: {
    zh: `
      ## 以前和现在
      | 事情 | 以前 | 现在 |
      | 看一个场 | 走一圈，两小时 | 三级看板，最差的在最前面 |
      | 收到告警 | 一晚上四十条 | 同一个原因一条，先说最急的 |
      | 谁去处理 | 群里喊 | 推给当班的人，没接就往上走 |
      | 交班 | 口头说 | 未关的告警和原因自己列好 |
      ## 示例：三个场、九十个单元
      以下是示例，按演示猪场写成，数字是举例。
      > 以前手机一响就烦。现在一响，我知道是真的。
      | 指标 | 之前一个月 | 之后一个月 |
      | 推到手机的告警 | 1,180 条 | 64 条 |
      | 从告警到有人接 | 26 分钟 | 4 分钟 |
      | 夜里起来的次数 | 19 次 | 3 次 |
      ## 常问的
      ### 没有告警是不是系统坏了
      页面上写着多少单元在报数、最晚一个是几秒前。不报数本身就是一条告警。
      ### 能接别家的控制器吗
      能接协议公开的；不公开的可以加一只网关盒读它的显示输出，标明精度。
      ### 老板和场长看到的一样吗
      口径一样，范围按授权。谁看过什么有记录。`,
    en: `
      ## Before and now
      | What | Before | Now |
      | Looking at a farm | a round of two hours | three boards, the worst first |
      | Alarms | forty in a night | one for each cause, the most urgent first |
      | Who goes | a shout in the chat | whoever is on duty; if nobody answers, the next one up |
      | Handing over | by word of mouth | open alarms are listed with their reasons |
      ## An example: three farms, ninety units
      This is an example written from the demonstration farms, with made-up figures.
      > The phone used to annoy me. Now, when it rings, it means something.
      | Figure | Month before | Month after |
      | Alarms pushed to phones | 1,180 | 64 |
      | From alarm to answer | 26 minutes | 4 minutes |
      | Nights interrupted | 19 | 3 |
      ## Questions
      ### No alarms: is it broken?
      The page says how many units report and how old the oldest value is. Silence is an alarm of its own.
      ### Can other makers’ controllers be connected?
      Those with a public protocol, yes. For others a gateway reads their display output, and says how exact it is.
      ### Does the owner see what the manager sees?
      The same figures, within what each is granted. Who looked at what is recorded.`,
  },
  parkMonitoring: {
    zh: `
      ## 以前和现在
      | 事情 | 以前 | 现在 |
      | 用水对不上 | 月底才知道 | 总表和分表逐时比，差 5 % 就查 |
      | 谁家超了 | 等监管来说 | 排口和厂界分开记，先知道的是自己 |
      | 车辆进出 | 一个门一本登记 | 车牌、洗消和路线一条记录 |
      | 要数据 | 发表格催 | 各厂按授权给，每次取数有记录 |
      ## 示例：养殖、屠宰、饲料三家在一个园区
      以下是示例，数字是举例。
      > 三家各有各的系统，一个都没换，只是第一次在一张图上看见了彼此。
      | 指标 | 之前一年 | 之后一年 |
      | 找到的漏水 | 1 处 | 7 处 |
      | 功率因数罚款 | 11.6 万元 | 0.8 万元 |
      | 环保缺测小时 | 430 | 22 |
      ## 常问的
      ### 企业不愿意给数据怎么办
      给多少由企业定，能只给总数；给了什么、谁取过，企业自己看得到。
      ### 和监管平台怎么对接
      按 HJ 212 往上报，我们的记录和报上去的是同一份。
      ### 园区要建机房吗
      不用。一台边缘服务器放在弱电间，断网存 30 天。`,
    en: `
      ## Before and now
      | What | Before | Now |
      | Water that does not add up | seen at the end of the month | main and sub-meters are compared hourly; differences of 5\u00a0% are investigated |
      | Who exceeded? | the authority says so | outlets and boundary are kept apart, and you know first |
      | Vehicles | a book at each gate | plate, washing and route in one record |
      | Asking for data | tables and reminders | each company gives what it granted; each access is recorded |
      ## An example: farm, slaughterhouse and mill in one park
      This is an example with made-up figures.
      > Three companies kept their three systems. They simply saw each other on one map for the first time.
      | Figure | Year before | Year after |
      | Leaks found | 1 | 7 |
      | Fines for the power factor | 116,000 yuan | 8,000 yuan |
      | Hours without environmental data | 430 | 22 |
      ## Questions
      ### What if a company does not want to share?
      It decides how much, totals alone if it likes, and sees who took what.
      ### How does the authority get it?
      By HJ 212, the national protocol for environmental data, from the very records that you see.
      ### Does the park need a computer room?
      No. One edge server in a cabinet, which keeps 30 days of data without a network.`,
  },
};
