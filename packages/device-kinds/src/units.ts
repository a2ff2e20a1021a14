/** Units as they are shown. Symbols are the same in every language; words are not. */
import type { LocalText } from "./device-kind.ts";

/**
 * @property en English, where it is not the unit itself
 * @property one its singular, where it differs
 * @property zh Chinese, where it is not the unit itself
 */
const worded: Readonly<Record<string, { en?: string; one?: string; zh?: string }>> = {
  头: { en: "pigs", one: "pig" },
  头次: { en: "pigs", one: "pig" },
  // Temperature differences are shown in the unit that people know.
  K: { en: "°C", zh: "℃" },
  d: { zh: "天" },
  人: { en: "people", one: "person" },
  "人/h": { en: "people/h", one: "person/h" },
  针: { en: "shots", one: "shot" },
  "针/min": { en: "shots/min", one: "shot/min" },
  "针/h": { en: "shots/h", one: "shot/h" },
  // A bare number counts: "110 times" would be said of how often.
  次: { en: "" },
  "次/h": { en: "/h" },
  "次/头·24h": { en: "per pig in 24 h" },
  // As it is written in English; the point of Chinese fonts is as wide as a character.
  "mg·min/L": { en: "mg-min/L" },
  倍: { en: "dilutions" },
};

/**
 * A unit of a declaration in both languages.
 * @param value the number before it, where there is one: `1 pig`, but `2 pigs`
 */
export function localUnit(unit: string, value?: unknown): LocalText {
  const { en = unit, one, zh = unit } = worded[unit] ?? {};
  return { zh, en: value === 1 && one !== undefined ? one : en };
}
