import type { DeviceKindId, DeviceStatus } from "@herdwise/contract";
import type { MarkName } from "../../shared/icons/mark.tsx";

export const kindNames: Readonly<Record<DeviceKindId, string>> = {
  needleless: "无针注射",
  cough: "咳嗽监测",
  environment: "环境控制",
  bathroom: "洗澡间",
  disinfect: "饮水消毒",
  deodorization: "除臭",
  "bungalow-deodorization": "平房除臭",
  temperature: "体温监测",
  "dosing-station": "加药站",
};

export const statusNames: Readonly<Record<DeviceStatus, string>> = {
  online: "在线",
  fault: "故障",
  offline: "离线",
  unactivated: "未激活",
};

export const statusMarks: Readonly<Record<DeviceStatus, { mark: MarkName; tone: string }>> = {
  online: { mark: "ok", tone: "ok" },
  fault: { mark: "major", tone: "major" },
  offline: { mark: "off", tone: "off" },
  unactivated: { mark: "empty", tone: "off" },
};
