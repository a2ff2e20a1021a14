import { isCollectiveRegion } from "@herdwise/contract/collective-region";
import { readRegions } from "../regions.ts";

/** A region that a text may name. */
export interface NamedRegion {
  readonly code: string;
  /** Names from the province downwards, joined as people write them. */
  readonly fullName: string;
}

const endings =
  /(特别行政区|维吾尔自治区|壮族自治区|回族自治区|自治区|自治州|自治县|自治旗|地区|林区|新区|省|市|县|区|旗|盟|州)$/;

const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/[\s/,，、>·-]/g, "")
    .toLowerCase();
/** A name without its suffix for the type of region, where at least two characters remain. */
const shortOf = (name: string): string => {
  const short = name.replace(endings, "");
  return short.length >= 2 ? short : name;
};

let byFullName: Map<string, NamedRegion[]> | undefined;
let byShortName: Map<string, NamedRegion[]> | undefined;
let names: string[] = [];

function load(): void {
  const regions = readRegions();
  const held = new Map(regions.map((region) => [region.code, region]));
  byFullName = new Map();
  byShortName = new Map();
  const put = (into: Map<string, NamedRegion[]>, key: string, region: NamedRegion): void => {
    const found = into.get(key);
    if (found === undefined) into.set(key, [region]);
    else if (!found.some(({ code }) => code === region.code)) found.push(region);
  };
  names = [];
  for (const { code, name, english } of regions) {
    if (isCollectiveRegion(name)) continue;
    const above = [code.slice(0, 2), code.slice(0, 4)]
      .filter((upper) => upper.length < code.length)
      .flatMap((upper) => held.get(upper) ?? []);
    const levels = above.filter((region) => !isCollectiveRegion(region.name));
    const fullName = [...levels, { name }].map((level) => level.name).join("");
    const region = { code, fullName };
    if (code.length === 6) names.push(fullName);
    // Each higher level may be left out or written short.
    let starts = [{ text: "", short: false }];
    for (const level of levels)
      starts = starts.flatMap((start) => [
        start,
        { ...start, text: start.text + level.name },
        { text: start.text + shortOf(level.name), short: true },
      ]);
    for (const { text, short } of starts) {
      put(short ? byShortName : byFullName, plain(text + name), region);
      put(byShortName, plain(text + shortOf(name)), region);
    }
    const inEnglish = [{ english }, ...levels.toReversed()].map((level) => level.english).join("");
    put(byFullName, plain(inEnglish), region);
  }
}

/**
 * Finds the regions that a text names, with or without the regions that contain them: `内乡县`, `南阳市内乡县`, `河南 南阳 内乡`.
 * @returns none, one, or all regions with the name
 */
export function regionsNamed(text: string): readonly NamedRegion[] {
  if (byFullName === undefined) load();
  const key = plain(text);
  return byFullName?.get(key) ?? byShortName?.get(key) ?? [];
}

/** Full names of all counties and districts, in the order of their codes. */
export function countyNames(): readonly string[] {
  if (byFullName === undefined) load();
  return names;
}
