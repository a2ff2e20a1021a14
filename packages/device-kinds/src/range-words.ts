/** The range of a verdict in words. */
import { plainNumber } from "@herdwise/contract/plain-number";
import type { Interval, LocalText } from "./device-kind.ts";
import type { VerdictRange } from "./verdict.ts";

/**
 * The range that a value is judged by: "舒适 65–75；限 45–85". Empty where there is none.
 * @param decimals of the value; a whole number has none, another at least one
 */
export function rangeWords({ comfort, usual, low, high }: VerdictRange, decimals: number): LocalText {
  const shown = (value: number): string => plainNumber(value, Number.isInteger(value) ? 0 : Math.max(1, decimals));
  const span = ([from, to]: Interval): string => `${shown(from)}–${shown(to)}`;
  const words: (readonly [zh: string, en: string])[] = [];
  const ends = comfort ?? usual;
  const isWhole = ends !== undefined && ends[0] === low && ends[1] === high;
  if (comfort && !isWhole) words.push([`舒适 ${span(comfort)}`, `comfort ${span(comfort)}`]);
  else if (usual && !isWhole) words.push([`通常 ${span(usual)}`, `usually ${span(usual)}`]);
  if (low !== undefined && high !== undefined) words.push([`限 ${span([low, high])}`, `limits ${span([low, high])}`]);
  else if (high !== undefined) words.push([`上限 ${shown(high)}`, `limit ${shown(high)}`]);
  else if (low !== undefined) words.push([`下限 ${shown(low)}`, `lower limit ${shown(low)}`]);
  return { zh: words.map(([zh]) => zh).join("；"), en: words.map(([, en]) => en).join("; ") };
}
