/** Units as they are shown. Symbols are the same in every language; words are not. */
import type { LocalText } from "./device-kind.ts";

const worded: Readonly<Record<string, LocalText>> = {
  头: { zh: "头", en: "pigs" },
  头次: { zh: "头次", en: "pigs" },
  d: { zh: "天", en: "d" },
  人: { zh: "人", en: "people" },
  "人/h": { zh: "人/h", en: "people/h" },
  针: { zh: "针", en: "shots" },
  "针/min": { zh: "针/min", en: "shots/min" },
  "针/h": { zh: "针/h", en: "shots/h" },
  次: { zh: "次", en: "times" },
  "次/h": { zh: "次/h", en: "times/h" },
  "次/头·24h": { zh: "次/头·24h", en: "/pig·24 h" },
};

/** A unit of a declaration in both languages. */
export const localUnit = (unit: string): LocalText => worded[unit] ?? { zh: unit, en: unit };
