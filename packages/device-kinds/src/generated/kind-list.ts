/* Made by `npm run generate` from packages/device-kinds/src/kinds. */
import type { KindPages, LocalText } from "../kind-pages.ts";

/** The ids of all device kinds; they are stored in the registry and must not change. */
export const deviceKindIds = [
  "environment",
  "needleless",
  "cough",
  "temperature",
  "bathroom",
  "disinfect",
  "deodorization",
  "bungalow-deodorization",
  "dosing-station",
  "weighbridge",
] as const;
export type DeviceKindId = (typeof deviceKindIds)[number];

/** What menus and lists need of a kind, without its declaration. */
export type ListedKind = {
  readonly kind: DeviceKindId;
  readonly name: LocalText;
  readonly pages?: KindPages;
};

export const kindList: readonly ListedKind[] = [
  {
    kind: "environment",
    name: { zh: "环境控制", en: "Environment control" },
    pages: {
      path: "vet/environment",
      code: "env",
      icon: "environment",
      title: { zh: "环境控制总览",  en: "Environment overview" },
    },
  },
  {
    kind: "needleless",
    name: { zh: "无针注射", en: "Needleless injection" },
    pages: {
      path: "vet/needleless",
      code: "needle",
      icon: "needle",
      title: { zh: "无针注射总览",  en: "Needleless injection overview" },
      ofFarm: true,
      more: { analysis: { at: "records",  title: { zh: "免疫记录",  en: "Immunization records" } } },
    },
  },
  {
    kind: "cough",
    name: { zh: "咳嗽监测", en: "Cough monitoring" },
    pages: {
      path: "vet/cough",
      code: "cough",
      icon: "sound",
      title: { zh: "咳嗽监测总览",  en: "Cough monitoring overview" },
      more: { analysis: { at: "butler",  title: { zh: "咳嗽管家",  en: "Cough butler" } } },
    },
  },
  {
    kind: "temperature",
    name: { zh: "群体测温", en: "Herd temperature" },
    pages: {
      path: "vet/temperature",
      code: "temp",
      icon: "thermometer",
      title: { zh: "群体测温总览",  en: "Herd temperature overview" },
    },
  },
  {
    kind: "bathroom",
    name: { zh: "洗澡间", en: "Bathroom" },
    pages: {
      path: "biosafety",
      code: "bath",
      icon: "shield",
      title: { zh: "洗澡间总览",  en: "Bathroom overview" },
      at: { overview: "bathRoomEquipment",  device: "bathRoomEquipmentDetail",  parameters: "bathRoomParameters" },
      ofFarm: true,
      more: { analysis: { at: "athAnalysis",  title: { zh: "洗澡数据分析",  en: "Shower analysis" } },  log: { at: "alarmAnalysisPerson",  title: { zh: "洗澡告警日志",  en: "Shower alarm log" } } },
    },
  },
  {
    kind: "disinfect",
    name: { zh: "饮水消毒", en: "Water disinfection" },
    pages: {
      path: "biosafety",
      code: "water",
      icon: "drop",
      title: { zh: "饮水消毒总览",  en: "Water disinfection overview" },
      at: { overview: "waterDisinfect",  device: "waterDisinfectDetail",  parameters: "waterParameters" },
      ofFarm: true,
      more: { analysis: { at: "waterDispensingMonitor",  title: { zh: "投加监测",  en: "Dosing monitor" } } },
    },
  },
  {
    kind: "deodorization",
    name: { zh: "除臭", en: "Deodorization" },
    pages: {
      path: "clean/deodorization",
      code: "deod",
      icon: "spray",
      title: { zh: "除臭总览",  en: "Deodorization overview" },
      ofFarm: true,
      more: { register: { at: "register",  title: { zh: "除臭小时登记",  en: "Hourly register" } } },
    },
  },
  {
    kind: "bungalow-deodorization",
    name: { zh: "平房除臭", en: "Bungalow deodorization" },
    pages: {
      path: "clean/bungalowDeodorization",
      code: "bungalow",
      icon: "environment",
      title: { zh: "平房除臭总览",  en: "Bungalow deodorization overview" },
      ofFarm: true,
    },
  },
  {
    kind: "dosing-station",
    name: { zh: "配药站", en: "Dosing station" },
    pages: {
      path: "clean/dosingStation",
      code: "dosing",
      icon: "flask",
      title: { zh: "配药站总览",  en: "Dosing station overview" },
      ofFarm: true,
    },
  },
  {
    kind: "weighbridge",
    name: { zh: "地磅", en: "Weighbridge" },
    pages: {
      path: "biosafety/weighbridge",
      code: "scale",
      icon: "scale",
      title: { zh: "地磅总览",  en: "Weighbridge overview" },
      ofFarm: true,
    },
  },
];
