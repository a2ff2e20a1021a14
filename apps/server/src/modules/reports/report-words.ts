/** Words of a report on paper. */
export type ReportLanguage = "zh" | "en";

const words = {
  day: ["养殖日报", "Daily farm report"],
  week: ["养殖周报", "Weekly farm report"],
  made: ["生成", "Made"],
  until: ["截至", "Until"],
  units: ["个单元", "units"],
  heads: ["头", "pigs"],
  nothing: ["这段时间没有告警。", "There were no alarms in this time."],
  wrong: ["哪里不对，从什么时候起", "What was wrong, and since when"],
  since: ["起", "on"],
  lasted: ["持续", "lasted"],
  holds: ["还没有恢复", "still holds"],
  nobody: ["没有人确认", "acknowledged by nobody"],
  acknowledged: ["确认", "acknowledged"],
  causes: ["告警按原因，多久处理", "Alarms by cause, and how quickly they were answered"],
  cause: ["原因", "Cause"],
  kind: ["设备类型", "Kind"],
  count: ["次数", "Times"],
  acknowledgeIn: ["确认用时", "Until acknowledged"],
  clearIn: ["持续", "Lasted"],
  offline: ["设备离线", "Devices offline"],
  alarms: ["告警", "Alarms"],
  where: ["哪里", "Where"],
  baseline: ["与基线比", "Against baseline"],
  comfort: ["舒适时间", "Comfort time"],
  cough: ["咳嗽，最高的单元", "Cough, worst unit"],
  fever: ["发热比例", "Fever share"],
  unreliable: ["数值不可靠，有些日子未计入：", "Value not reliable, some days are left out:"],
  comma: ["，", ", "],
  note: [
    "数值来自设备，和各页面的统计是同一套算法；没有数据的时间不补算。▼ 低于这项规定的最低值。",
    "Figures come from devices and are those of the screens; what nobody told is not filled in. ▼ Below the least that is asked for.",
  ],
  page: ["页", "Page"],
  seconds: ["秒", "s"],
  minutes: ["分钟", "min"],
  hours: ["小时", "h"],
} as const satisfies Readonly<Record<string, readonly [zh: string, en: string]>>;

export type ReportWord = keyof typeof words;

export const reportWord = (language: ReportLanguage, word: ReportWord): string =>
  words[word][language === "zh" ? 0 : 1];
