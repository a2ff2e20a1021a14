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
] as const;
