const still = "\u00a0";
const joined = "\u2060";

const latinUnits =
  "℃|°C|%|ppm|kg|km|kWh|m³/h|m³|m²|m/s|m|h|min|t|Pa|pH|(?:working|service) (?:days?|hours?)|minutes?|hours?|days?|weeks?";
const chineseUnits =
  /个?工作日|个?服务工时|个?工时|分钟|小时|公里|公斤|万吨|万元|平方米|立方米|头|米|天|次|批|条|处|周|度|档|步|支|倍/
    .source;

const beforeLatin = new RegExp(`(?<=\\d) (${latinUnits})(?![\\p{L}\\d])`, "gu");
const beforeChinese = new RegExp(`(?<=\\d)( ?)(${chineseUnits})`, "gu");
const inRange = /(?<=\d)–(?=\d)/gu;
const inModel = /(?<=\p{Lu})-(?=\d)/gu;

/** A text whose numbers stay on the line of their units, and ranges and models as DW-10 in one piece. */
export const tied = (text: string): string =>
  text
    .replace(beforeLatin, (_, unit: string) => still + unit.replaceAll(" ", still))
    .replace(beforeChinese, (_, blank: string, unit: string) => (blank ? still : joined) + [...unit].join(joined))
    .replace(inRange, `${joined}–${joined}`)
    .replace(inModel, `-${joined}`);

const tag = /(<(?:[^<>"]|"[^"]*")*>)/u;

/** The same for HTML: what stands between its tags. */
export const tiedHtml = (html: string): string =>
  html
    .split(tag)
    .map((part, at) => (at % 2 === 1 ? part : tied(part)))
    .join("");
