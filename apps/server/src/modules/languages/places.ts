import type { RegionOfFile } from "../../regions.ts";

/**
 * English names of the country's divisions.
 * @returns a function that gives the name of a division (`南阳市` is `Nanyang`), or of a chain of them from the province inwards
 *   (`河南省 南阳市` and `河南省南阳市` are `Nanyang, Henan`), and undefined for any other text
 */
export function placeNames(
  divisions: readonly Pick<RegionOfFile, "name" | "english">[],
): (text: string) => string | undefined {
  const byName = new Map(divisions.map(({ name, english }) => [name, english]));
  const longest = Math.max(0, ...[...byName.keys()].map((name) => name.length));
  /** Names of a chain, the longest first; undefined where a part of it is no division. */
  const levelsOf = (chain: string): string[] | undefined => {
    if (chain === "") return [];
    for (let length = Math.min(longest, chain.length); length > 1; length -= 1) {
      const english = byName.get(chain.slice(0, length));
      const rest = english === undefined ? undefined : levelsOf(chain.slice(length).replace(/^ /, ""));
      if (english !== undefined && rest !== undefined) return [english, ...rest];
    }
    return undefined;
  };
  // Chains have four names at most; a longer text is a sentence.
  return (text) => (text.length > 60 || text === "" ? undefined : levelsOf(text)?.reverse().join(", "));
}
