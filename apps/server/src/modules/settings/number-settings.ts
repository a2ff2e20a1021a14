/** A number that administrators may change among the parameters (参数管理). */
export interface NumberSetting {
  /** Chinese, what it is called there. */
  readonly name: string;
  readonly remark: string;
  /** Holds where the parameter is missing. */
  readonly fallback: number;
  readonly least: number;
  readonly most: number;
}

/** Settings of the installation by their keys; whole numbers. */
export const numberSettings = {
  "telemetry.rawDays": {
    name: "原始数据保留天数",
    remark: "设备上报的原始数据，7 至 730 天；更早的数据不再接收",
    fallback: 90,
    least: 7,
    most: 730,
  },
  "telemetry.minuteDays": {
    name: "分钟数据保留天数",
    remark: "按分钟汇总的数据，30 至 3650 天，按整月删除",
    fallback: 365,
    least: 30,
    most: 3650,
  },
  "telemetry.hourDays": {
    name: "小时数据保留天数",
    remark: "按小时汇总的数据，366 至 36500 天，按整年删除；按天汇总的数据一直保留",
    fallback: 1826,
    least: 366,
    most: 36_500,
  },
  "log.usualDays": {
    name: "业务日志保留天数",
    remark: "被拒绝的调用及其原因，1 至 3650 天，每天删除更早的",
    fallback: 30,
    least: 1,
    most: 3650,
  },
  "log.apiDays": {
    name: "接口日志保留天数",
    remark: "有改动的调用及其耗时，1 至 3650 天，每天删除更早的",
    fallback: 90,
    least: 1,
    most: 3650,
  },
  "log.errorDays": {
    name: "错误日志保留天数",
    remark: "出错的调用，1 至 3650 天，每天删除更早的",
    fallback: 180,
    least: 1,
    most: 3650,
  },
} as const satisfies Readonly<Record<string, NumberSetting>>;
export type NumberSettingKey = keyof typeof numberSettings;

/** The number that a text stands for; undefined when the setting can't have it. */
export function readNumberSetting(key: NumberSettingKey, text: string): number | undefined {
  const { least, most } = numberSettings[key];
  const value = /^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : undefined;
}

/** The bounds of a parameter that is a setting and whose text it can't have; undefined when all is well. */
export function settingProblem(key: string, text: string): { least: number; most: number } | undefined {
  if (!Object.hasOwn(numberSettings, key)) return undefined;
  const known = key as NumberSettingKey;
  const { least, most } = numberSettings[known];
  return readNumberSetting(known, text) === undefined ? { least, most } : undefined;
}
