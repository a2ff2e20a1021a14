import { resourceScreens } from "@herdwise/contract";

/** What the trail is about, by name with its Chinese title: resources, one with two screens once, and users. */
export const resourceTitles: ReadonlyMap<string, string> = new Map([
  ...resourceScreens.map(({ name, title }) => [name, title] as const),
  ["user", "用户"],
  ["real_name", "实名认证"],
  ["bank_card", "银行卡"],
  ["contract", "合同"],
  ["work_order", "工单"],
  ["cancellation", "注销"],
  ["customer", "客户"],
  ["announcement", "公告"],
  ["day_price", "每日与区域价格"],
  ["home_page", "首页"],
]);

const yearMonthDay = /^\d{4}-\d{2}-\d{2}$/;

/** A day of the address; "" for none or for something else. */
export const knownDay = (value: string | null): string => {
  if (value === null || !yearMonthDay.test(value)) return "";
  return Number.isNaN(Date.parse(`${value}T00:00:00Z`)) ? "" : value;
};
