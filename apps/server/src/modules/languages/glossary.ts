import { deviceKinds } from "@herdwise/device-kinds";

/** Terms of pig farming that machines get wrong; they go before any machine. Sorted by use, longest first where it matters. */
export const glossary: readonly (readonly [zh: string, en: string])[] = [
  ["环境控制器", "environment controller"],
  ["无针注射器", "needle-free injector"],
  ["咳嗽监测仪", "cough monitor"],
  ["体温巡检仪", "temperature scanner"],
  ["饮水消毒机", "water disinfection unit"],
  ["平房除臭模块", "bungalow deodorization module"],
  ["除臭塔", "scrubber"],
  ["配药站", "dosing station"],
  ["洗澡间", "shower-in room"],
  ["环控器", "environment controller"],
  ["配怀舍", "breeding and gestation house"],
  ["妊娠舍", "gestation house"],
  ["分娩舍", "farrowing house"],
  ["产房", "farrowing house"],
  ["保育舍", "nursery house"],
  ["育肥舍", "finishing house"],
  ["后备舍", "gilt house"],
  ["公猪舍", "boar house"],
  ["测定舍", "test house"],
  ["一体舍", "wean-to-finish house"],
  ["公猪站", "boar station"],
  ["商品场", "commercial farm"],
  ["繁殖场", "breeding farm"],
  ["保育场", "nursery farm"],
  ["育种场", "nucleus farm"],
  ["外三元", "three-way cross (outer)"],
  ["内三元", "three-way cross (inner)"],
  ["仔猪", "piglet"],
  ["存栏", "inventory"],
  ["出栏", "marketed"],
  ["粪水", "manure water"],
  ["氨气", "ammonia"],
  ["湿帘", "cooling pad"],
  ["风门", "inlet"],
  ["单元", "unit"],
];

/** Names of alarm rules, as notices have them: each kind declares them in both languages. */
const ruleNames = Object.values(deviceKinds).flatMap(({ alarmRules }) =>
  alarmRules.map(({ name }) => [name.zh, name.en] as const),
);
const exact = { en: new Map([...ruleNames, ...glossary]), zh: new Map(glossary.map(([zh, en]) => [en, zh])) };

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Names that are a term with a number or a letter: `3 号育肥舍`, `2 单元`, `配怀舍 A`, and one of these before a device's name. */
function numberedTerm(text: string): string | undefined {
  const [, before, after] = /^(\d+) ?号?(.+)$/.exec(text) ?? [];
  if (before !== undefined && after !== undefined) {
    const term = exact.en.get(after.trim());
    if (term !== undefined) return `${capitalized(term)} ${before}`;
  }
  const [, name, letter] = /^(.+) ([A-Z])$/.exec(text) ?? [];
  const term = name === undefined ? undefined : exact.en.get(name);
  return term === undefined ? undefined : `${capitalized(term)} ${letter}`;
}

/** The translation of a text that is a term, or a chain of terms with numbers: `2 号育肥舍 3 单元` is `Finishing house 2, unit 3`. */
export function glossaryTerm(text: string, to: "zh" | "en"): string | undefined {
  if (to === "zh") return exact.zh.get(text);
  const term = exact.en.get(text) ?? numberedTerm(text);
  if (term !== undefined) return capitalized(term);
  // The parts of a longer name, each of which must be known: half a translation is none.
  const parts = text.match(/(\d+ ?号?[^\d\s]+|[^\d\s]+ [A-Z](?=\s|$)|[^\d\s]+)/g) ?? [];
  if (parts.length < 2) return undefined;
  const translated = parts.map((part) => exact.en.get(part) ?? numberedTerm(part));
  if (translated.some((part) => part === undefined)) return undefined;
  return capitalized(translated.map((part, at) => (at === 0 ? part : (part ?? "").toLowerCase())).join(", "));
}

/** Puts the terms of a Chinese text into English before a machine sees it, which machines then keep. */
export function withTerms(text: string, to: "zh" | "en"): string {
  if (to === "zh") return text;
  return glossary.reduce((whole, [zh, en]) => whole.replaceAll(zh, ` ${en} `), text);
}

/** Chinese terms whose English has a word, or begins one with it. @param word in lower case */
export const termsWith = (word: string): string[] =>
  glossary.filter(([, en]) => ` ${en}`.includes(` ${word}`)).map(([zh]) => zh);
