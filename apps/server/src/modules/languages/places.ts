import type { RegionOfFile } from "../../regions.ts";

/**
 * English names of the country's divisions.
 * @returns a function that gives the name of a division (`南阳市` is `Nanyang`), or of a chain of them from the province inwards
 *   (`河南省 南阳市` is `Nanyang, Henan`), and undefined for any other text
 */
export function placeNames(
  divisions: readonly Pick<RegionOfFile, "name" | "english">[],
): (text: string) => string | undefined {
  const byName = new Map(divisions.map(({ name, english }) => [name, english]));
  return (text) => {
    const levels = text.split(" ").map((name) => byName.get(name));
    return levels.includes(undefined) ? undefined : levels.reverse().join(", ");
  };
}
