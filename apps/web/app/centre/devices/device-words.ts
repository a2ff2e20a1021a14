import type { DeviceKindId, DeviceStatus } from "@herdwise/contract";
import { kindList } from "@herdwise/device-kinds/kind-list";
import type { MarkName } from "../../shared/icons/mark.tsx";

/** Names of the kinds; what they are in English stands in the dictionary. */
export const kindNames = Object.fromEntries(kindList.map(({ kind, name }) => [kind, name.zh])) as Readonly<
  Record<DeviceKindId, string>
>;

export const statusNames: Readonly<Record<DeviceStatus, string>> = {
  online: "在线",
  fault: "故障",
  offline: "离线",
  unactivated: "未激活",
  blocked: "已停用",
};

export const statusMarks: Readonly<Record<DeviceStatus, { mark: MarkName; tone: string }>> = {
  online: { mark: "ok", tone: "ok" },
  fault: { mark: "major", tone: "major" },
  offline: { mark: "off", tone: "minor" },
  unactivated: { mark: "empty", tone: "off" },
  blocked: { mark: "minor", tone: "minor" },
};
