import type { ArticleSeed } from "./content-markup.ts";

const service = "客户服务部";
const product = "产品部";

/** Notices of a demo; they contain no dates, so that they don't become outdated. */
export const demoNotices: readonly ArticleSeed[] = [
  {
    channel: "notice",
    topic: "service",
    cover: "",
    author: product,
    daysAgo: 1,
    title: "本周六凌晨平台维护，设备照常控制",
    titleEn: "Platform maintenance this Saturday night; devices keep control",
    summary: "周六 1:00 到 3:00 网页和小程序打不开，舍内设备按本地设定运行，数据恢复后补传。",
    summaryEn:
      "Saturday 1:00 to 3:00 the website and the mini\u2011app are unavailable. Devices run on their local settings and send their data afterwards.",
    zh: `
      周六凌晨 1:00 到 3:00 升级数据库，期间网页、小程序和接口打不开。
      ## 舍里会怎样
      - 风机、湿帘、加热和加药按设备里的设定照常运行，不受影响。
      - 现场的声光报警照常；短信和电话提醒会晚到，最晚在 3:00 之后补发。
      - 维护期间的读数存在网关里，恢复后按原来的时间补上，曲线不会断。
      ## 您要做的
      - 当晚请安排人值班，现场报警以声光为准。
      - 有停机、转群或免疫计划的，避开这两个小时下指令。
      维护提前结束会在本页更新。`,
    en: `
      On Saturday from 1:00 to 3:00 the database is upgraded. The website, the mini\u2011app and the APIs are unavailable meanwhile.
      ## In the barn
      - Fans, pads, heaters and dosing go on as set in the device; nothing changes for the pigs.
      - Sirens and lights on site work as always. Text messages and calls may come late; any held back are sent after 3:00.
      - Readings wait in the gateway and are added with their original time, so curves have no gap.
      ## What to do
      - Please have somebody on duty; during this time rely on the siren and lights on site.
      - Send no commands for shutdowns, moves or vaccination during these two hours.
      If maintenance ends earlier, this page will say so.`,
  },
  {
    channel: "notice",
    topic: "service",
    cover: "",
    author: service,
    daysAgo: 4,
    title: "节假日值班与备件安排",
    titleEn: "Duty and spare parts over the public holiday",
    summary: "放假期间电话照常有人接，紧急故障 2 小时内回应；常用备件提前备足。",
    summaryEn:
      "The phone is answered over the holiday; critical faults get a response within 2 hours. Please stock common parts beforehand.",
    zh: `
      法定节假日期间，服务热线照常有人接听，工单按下面的规则处理。
      | 事情 | 假期里 |
      | 紧急告警、停机 | 2 小时内回应，能远程先远程 |
      | 一般故障 | 节后第一个工作日起算 |
      | 备件发货 | 放假前最后一个工作日 15:00 截单 |
      ## 放假前建议做三件事
      - 试一次断电报警，确认电话能打到值班的人。
      - 检查备用发电机的油、电瓶和切换。
      - 看一遍药液、酸和试剂的余量，低于五天的先补。`,
    en: `
      Over public holidays the hotline is answered as usual, and work orders are handled like this.
      | Matter | Over the holiday |
      | Critical alarms, standstill | Response within 2 hours, remotely where possible |
      | Other faults | Counted from the first working day |
      | Spare parts | Orders until 15:00 on the last working day before |
      ## Three things to do before
      - Test the power-failure alarm and that it calls whoever is on duty.
      - Check fuel, battery and switch-over of the generator.
      - Look at stocks of disinfectant, acid and reagents; refill what lasts less than five days.`,
  },
  {
    channel: "notice",
    topic: "product",
    cover: "",
    author: product,
    daysAgo: 9,
    title: "环境控制器固件更新：升档更稳，断网补传更快",
    titleEn: "Firmware update for climate controllers: calmer gears, faster catching up",
    summary: "分三批推送，每批观察两天；可以自己选时间，也可以先不更新。",
    summaryEn: "Rolled out in three stages with two days of watching in between. You choose the time, or wait.",
    zh: `
      新版固件改了三件事：
      - 升档要连续满足条件才动作，风大的天气不再来回跳档。
      - 断网恢复后先传告警、再传读数，值班的人更早看到。
      - 探头偏差超过设定值时，不再参与控制，并提示核对。
      ## 怎么更新
      - 分三批推送：先一成，再三成，最后全部。任何一批失败超过 2 % 会自动停下。
      - 更新时控制暂停不超过 40 秒，风机保持原来的转速。
      - 在“设备监测”里可以选时间，例如空舍或白天有人时。
      更新前后的参数会逐项核对，不一致的自动恢复并提醒。`,
    en: `
      The new firmware changes three things:
      - A gear shifts up only when its condition holds; gusty days no longer make it hunt.
      - After an outage alarms are sent before readings, so whoever is on duty sees them sooner.
      - A probe that is further off than set no longer takes part in control, and you are asked to check it.
      ## How it is rolled out
      - In three stages: a tenth, three tenths, all. A stage with more than 2 % failures stops by itself.
      - Control pauses for 40 seconds at most; fans keep their speed.
      - In device monitoring you choose when, such as with an empty unit or in daytime.
      Settings are compared before and after; what differs is restored and you are told.`,
  },
  {
    channel: "notice",
    topic: "service",
    cover: "",
    author: service,
    daysAgo: 16,
    title: "实名认证：营业执照快到期请提前更新",
    titleEn: "Verification: please renew a licence before it expires",
    summary: "到期前 7 天会提醒；过期后不能绑定设备和下单，已绑定的设备照常运行。",
    summaryEn:
      "You are reminded 7 days ahead. After expiry no devices can be bound and no orders placed; bound devices go on.",
    zh: `
      企业认证里的营业执照有有效期。快到期的企业会在到期前 7 天收到站内消息和短信。
      ## 过期会怎样
      - 不能绑定新设备，不能下单和参加竞价。
      - 已经绑定的设备、数据、告警和工单都照常。
      ## 怎么更新
      - 在“实名认证”里上传新的执照照片，只改到期日这一项也可以。
      - 审核在 1 个工作日内完成，通过后马上恢复。`,
    en: `
      The licence of a verified enterprise has an expiry date. Enterprises are told by message and SMS 7 days ahead.
      ## After expiry
      - No new devices can be bound, no orders placed, no bids made.
      - Devices that are bound, data, alarms and work orders go on.
      ## How to renew
      - Upload a photo of the new licence under Verification; changing only the expiry date is fine.
      - It is reviewed within 1 working day and takes effect at once.`,
  },
  {
    channel: "notice",
    topic: "company",
    cover: "",
    author: service,
    daysAgo: 24,
    title: "谨防冒充客服的来电和短信",
    titleEn: "Beware of calls and messages in our name",
    summary: "我们不会索要密码、验证码和银行卡号，也不会让您转账到个人账户。",
    summaryEn: "We never ask for passwords, codes or card numbers, nor for transfers to a private account.",
    zh: `
      近来有人冒充平台客服，以“设备升级”“补贴发放”为名索要验证码。请记住：
      - 客服不会要密码、短信验证码和银行卡号。
      - 合同款只付到合同里写明的对公账户。
      - 官方短信里的链接都在本站域名下；不确定就自己输入网址打开。
      ## 已经说出去了怎么办
      - 马上改密码，并在“安全设置”里退出所有登录。
      - 打服务热线说明情况，我们会看一遍账号的操作记录。
      - 有损失的请报警，我们配合提供登录和操作记录。`,
    en: `
      Callers lately claim to be our customer service and ask for codes because of an “upgrade” or a “subsidy”. Please remember:
      - We never ask for your password, an SMS code or a card number.
      - Payments go only to the company account named in the contract.
      - Links in our messages are on this site’s domain; if in doubt, type the address yourself.
      ## If you already told somebody
      - Change your password at once and end all sessions under Security settings.
      - Call the hotline; we look through what was done with the account.
      - If you lost money, report it to the police; we provide the records.`,
  },
  {
    channel: "notice",
    topic: "product",
    cover: "",
    author: product,
    daysAgo: 38,
    title: "告警推送规则调整：同一原因只响一次",
    titleEn: "Change of alarm notices: one cause rings once",
    summary: "同一台设备、同一个原因的告警合成一条；紧急告警仍然每 10 分钟提醒，直到有人确认。",
    summaryEn:
      "Alarms of one device with one cause are merged. Critical ones still repeat every 10 minutes until acknowledged.",
    zh: `
      很多场反映：网关断一次，手机响几十次。这次调整之后：
      - 同一台设备、同一个原因的告警合成一条，里面列出受影响的设备。
      - 紧急告警每 10 分钟再提醒一次，直到有人确认；30 分钟没人确认，升级给下一个人。
      - 一般和提示类告警在安静时段不响，早上汇总一条。
      ## 要不要改设置
      - 已有的推送设置都保留，不用重设。
      - 想恢复逐条推送的，在“告警推送”里按级别打开。`,
    en: `
      Many farms told us that one gateway going offline made a phone ring dozens of times. From now on:
      - Alarms of one device with one cause become one, with the devices concerned listed in it.
      - Critical alarms repeat every 10 minutes until somebody acknowledges them; after 30 minutes the next person is told.
      - Minor alarms and notices stay silent in quiet hours and come as one summary in the morning.
      ## Do you have to change anything
      - No. All settings stay as they are.
      - If you want each alarm again, switch it on by severity under Alarm notices.`,
  },
  {
    channel: "notice",
    topic: "service",
    cover: "",
    author: service,
    daysAgo: 57,
    title: "校准服务价格与周期说明",
    titleEn: "Calibration: prices and intervals",
    summary: "氨探头建议半年一次、温湿度一年一次；签年度服务的不另收上门费。",
    summaryEn:
      "Ammonia probes every half year, temperature and humidity once a year; no travel fee with a yearly service.",
    zh: `
      校准周期是建议值，粉尘大、冲洗勤的舍可以缩短。
      | 项目 | 建议周期 |
      | 氨、二氧化碳探头 | 6 个月 |
      | 温度、湿度 | 12 个月 |
      | 静压 | 12 个月，或换滤芯之后 |
      | 称重、流量 | 12 个月 |
      - 校准前后的偏差写进设备的维护记录，超差的当场换。
      - 价格见“服务项目”。签了年度服务的场，不另收上门费。`,
    en: `
      Intervals are recommendations; dusty or often washed houses may need shorter ones.
      | Item | Recommended |
      | Ammonia, carbon dioxide | 6 months |
      | Temperature, humidity | 12 months |
      | Static pressure | 12 months, or after a new filter |
      | Scales, flow | 12 months |
      - The deviation before and after is written into the device’s maintenance log; what is out of tolerance is replaced on the spot.
      - For prices see Services. Farms with a yearly service pay no travel fee.`,
  },
  {
    channel: "notice",
    topic: "company",
    cover: "",
    author: "公司办公室",
    daysAgo: 84,
    title: "《隐私政策》更新：数据导出与账号注销写得更清楚",
    titleEn: "Privacy policy updated: export of data and closing of accounts made clearer",
    summary: "新增自助导出个人数据、注销冷静期和法定留存的说明，其余不变。",
    summaryEn:
      "Adds export of your own data, the cooling-off time of a closing, and what law keeps; the rest is unchanged.",
    zh: `
      这次更新没有扩大收集范围，只把三件事写清楚：
      - 可以在账号里自助导出自己的数据，文件 7 天内有效，下载要输密码。
      - 注销账号有冷静期，期间可以随时取消；答复在 3 个工作日内。
      - 合同、发票等法律要求留存的，单独保存到期限届满，不作他用。
      继续使用不需要重新同意；有疑问可以在“意见反馈”里提出。`,
    en: `
      The update collects nothing more. It makes three things clear:
      - You can export your own data from your account; the file lasts 7 days and needs your password.
      - Closing an account has a cooling-off time in which you can take it back; we answer within 3 working days.
      - What law requires us to keep, such as contracts and invoices, is kept apart until its time is over and used for nothing else.
      You need not agree again. Please use Feedback for questions.`,
  },
];
