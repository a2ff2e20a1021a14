import type {
  CommissioningCheck,
  CommissioningItem,
  CommissioningReason,
  CommissioningResult,
  UnitCommissioningState,
} from "@herdwise/contract";
import type { MarkName } from "../../shared/icons/mark.tsx";

export const commissioningPath = "/selfCenter/equipmentManage/commissioning";

/** `{part}` is the name of a sensor or a group. */
export const checkNames: Readonly<Record<CommissioningCheck, string>> = {
  label: "标签和位置对得上",
  fixed: "装牢、线收好",
  link: "信号和时钟",
  settings: "限值和曲线",
  probe: "{part}没有接反",
  machines: "{part}会转",
  alarm: "告警能到手机",
};

/** What to do. */
export const howTo: Readonly<Record<CommissioningCheck, string>> = {
  label: "走到设备前，扫机身标签，或输入序列号，末 4 位也行。",
  fixed: "摇一摇：装得牢，探头和线在猪够不到的地方。",
  link: "服务器读最新的信号强度和时钟偏差。",
  settings: "服务器看目标温度、告警限值、风机配置和日龄曲线：都设了，设备也照着做。",
  probe: "用手握住{part}一分钟。服务器看它升温，别的探头不升。",
  machines: "下发启动指令，服务器看上报和电流。测完自动交还控制器。",
  alarm: "选一个人，给他发一条标明“测试”的告警。他点确认，或把验证码告诉您。",
};

export const resultLooks: Readonly<Record<CommissioningResult, { word: string; mark: MarkName; tone: string }>> = {
  open: { word: "没测", mark: "empty", tone: "off" },
  running: { word: "正在测", mark: "notice", tone: "notice" },
  passed: { word: "通过", mark: "ok", tone: "ok" },
  failed: { word: "没通过", mark: "major", tone: "major" },
  absent: { word: "没有装", mark: "empty", tone: "off" },
};

/** What is wrong, and what to do about it. `{said}`: what the label or the device says; `{others}`: names of the parts. */
export const faults: Readonly<Record<Exclude<CommissioningReason, "">, { what: string; act: string }>> = {
  answered: { what: "没装牢或线没收好", act: "固定好再答一次；自己弄不好就提工单。" },
  other_device: {
    what: "这是“{said}”的标签",
    act: "两台设备装反了，或绑错了单元。把位置换过来，或在“全部设备”里改位置，再核一次。",
  },
  unknown_label: {
    what: "单元里没有“{said}”",
    act: "核对输入；如果装的是另一台设备，先解绑旧的、绑定这一台。",
  },
  no_value: {
    what: "没有收到读数",
    act: "看设备的电源和网络；设备在线而这一路没有数，查探头的接线。",
  },
  out_of_limits: {
    what: "{others}超出限值",
    act: "信号弱：移动天线或网关。时钟不准：让设备联网对时，或重启控制器。",
  },
  missing: { what: "没有设：{others}", act: "到参数设置里设好，等设备生效，再测一次。" },
  not_applied: { what: "设备没有照做：{others}", act: "看参数设置里的状态，重新下发，再测一次。" },
  swapped: {
    what: "握住的没升，{others}升了",
    act: "这两根探头接反了：在控制器上对调接线，再测一次。",
  },
  both_rose: { what: "几根探头一起升温", act: "等舍温稳定，只握住一根，再测一次。" },
  not_risen: { what: "一分钟里没有升温", act: "确认握的是这一根，手要捂热；还是不升就换探头。" },
  command_failed: { what: "设备没有执行指令：{said}", act: "看设备是否在线、是否在手动档，再测一次。" },
  not_followed: { what: "下了指令没有转：{others}", act: "查空开、接触器和接线；确认风机没有卡住。" },
  no_current: { what: "报了运行却没有电流：{others}", act: "风机可能没转：查接触器和电流互感器。" },
  not_confirmed: { what: "10 分钟没有人确认", act: "核对他的手机号和告警推送设置，换一个人再发。" },
};

export const unitLooks: Readonly<Record<UnitCommissioningState, { word: string; mark: MarkName; tone: string }>> = {
  never: { word: "没调试过", mark: "empty", tone: "off" },
  open: { word: "正在调试", mark: "notice", tone: "notice" },
  again: { word: "要再调试", mark: "minor", tone: "minor" },
  signed: { word: "已调试", mark: "ok", tone: "ok" },
};

export const againWords = { new: "新装的", moved: "换过位置或重新绑定" } as const;

/** Whether a check still waits for somebody. */
export const isOpen = ({ result }: Pick<CommissioningItem, "result">): boolean =>
  result === "open" || result === "running";
