/* Made by `npm run generate` from packages/device-kinds/src/kinds. */

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

/** What they are called, in Chinese. */
export const deviceKindNames = [
  ["environment", "环境控制"],
  ["needleless", "无针注射"],
  ["cough", "咳嗽监测"],
  ["temperature", "群体测温"],
  ["bathroom", "洗澡间"],
  ["disinfect", "饮水消毒"],
  ["deodorization", "除臭"],
  ["bungalow-deodorization", "平房除臭"],
  ["dosing-station", "配药站"],
  ["weighbridge", "地磅"],
] as const;
