/**
 * What a name says beyond the names of the places that it stands in, as a tree shows those above it: "Fattening house 1, unit 4,
 * controller" is "Controller" below unit 4.
 * @param above names of the places above, the farthest first
 */
export function shortName(name: string, above: readonly string[]): string {
  let rest = name;
  for (const place of above) {
    if (place === "" || !rest.toLowerCase().startsWith(place.toLowerCase())) continue;
    const left = rest.slice(place.length);
    // "House 1" does not stand in "House 12".
    if (/^[\p{L}\p{N}]/u.test(left) && /[A-Za-z\d]$/.test(place)) continue;
    rest = left.replace(/^[\s,，、·/-]+/u, "");
  }
  return rest === "" ? name : rest.charAt(0).toUpperCase() + rest.slice(1);
}
