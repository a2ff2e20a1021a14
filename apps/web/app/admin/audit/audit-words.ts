import { resourceScreens } from "@herdwise/contract";
import { auditList } from "@herdwise/contract/lists";
import type { ListDeclaration } from "@herdwise/contract/resource";

/** What the trail is about, by name with its Chinese title: resources, one with two screens once, and users. */
const titles = new Map([
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

/** The audit trail, with all that it is about to choose from. */
export const auditTrail: ListDeclaration = {
  ...auditList,
  fields: { ...auditList.fields, resource: { ...auditList.fields.resource, options: [...titles] } },
};
