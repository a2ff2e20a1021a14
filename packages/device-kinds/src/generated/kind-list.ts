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
] as const;
export type DeviceKindId = (typeof deviceKindIds)[number];

/** What menus and lists need of a kind, without its declaration. */
export type ListedKind = {
  readonly kind: DeviceKindId;
  readonly name: LocalText;
  readonly pages?: Omit<KindPages, "figures">;
};

export const kindList: readonly ListedKind[] = [
  {
    kind: "environment",
    name: { zh: "环境控制", en: "Environment control" },
    pages: {
      path: "vet/environment",
      code: "env",
      icon: "environment",
      title: { zh: "环境控制总览", en: "Environment overview" },
    },
  },
  {
    kind: "needleless",
    name: { zh: "无针注射", en: "Needleless injection" },
  },
  {
    kind: "cough",
    name: { zh: "咳嗽监测", en: "Cough monitoring" },
    pages: {
      path: "vet/cough",
      code: "cough",
      icon: "sound",
      title: { zh: "咳嗽监测总览", en: "Cough monitoring overview" },
    },
  },
  {
    kind: "temperature",
    name: { zh: "群体测温", en: "Herd temperature" },
  },
  {
    kind: "bathroom",
    name: { zh: "洗澡间", en: "Bathroom" },
  },
  {
    kind: "disinfect",
    name: { zh: "饮水消毒", en: "Water disinfection" },
  },
  {
    kind: "deodorization",
    name: { zh: "除臭", en: "Deodorization" },
  },
  {
    kind: "bungalow-deodorization",
    name: { zh: "平房除臭", en: "Bungalow deodorization" },
  },
  {
    kind: "dosing-station",
    name: { zh: "配药站", en: "Dosing station" },
  },
];
