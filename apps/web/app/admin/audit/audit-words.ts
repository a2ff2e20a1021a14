import { resourceScreens } from "@herdwise/contract";
import { auditList } from "@herdwise/contract/lists";
import type { ListDeclaration } from "@herdwise/contract/resource";

/** What the trail is about, by name with its Chinese title: resources, one with two screens once, and things without a declaration. */
const titles = new Map([
  ...resourceScreens.map(({ name, title }) => [name, title] as const),
  ["user", "用户"],
  ["session", "在线会话"],
  ["attachment", "附件"],
  ["tenant", "租户"],
  ["real_name", "实名认证"],
  ["bank_card", "银行卡"],
  ["contract", "合同"],
  ["work_order", "工单"],
  ["cancellation", "注销"],
  ["customer", "客户"],
  ["announcement", "公告"],
  ["agreement", "协议"],
  ["day_price", "每日与区域价格"],
  ["home_page", "首页"],
  ["region", "行政区划"],
  ["setting", "平台设置"],
  ["alarm", "告警"],
  ["alarm_rule", "告警规则"],
  ["own_alarm_rule", "自定义告警规则"],
  ["alarm_masking", "告警屏蔽"],
  ["alarm_push", "告警推送"],
  ["device_command", "设备指令"],
  ["device_parameter", "设备参数"],
  ["unit_mode", "单元运行模式"],
  ["firmware", "固件"],
  ["firmware_rollout", "固件升级"],
  ["provision_profile", "设备预置档案"],
]);

/** The audit trail, with all that it is about to choose from. */
export const auditTrail: ListDeclaration = {
  ...auditList,
  fields: { ...auditList.fields, resource: { ...auditList.fields.resource, options: [...titles] } },
};
