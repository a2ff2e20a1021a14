import { isIP } from "node:net";

/** Eight groups of an IPv6 address, also of a shortened one. */
function groupsOf(address: string): string[] {
  const [head = "", tail] = address.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array.from({ length: Math.max(0, missing) }, () => "0"), ...right].map((group) =>
    group.replace(/^0+(?=.)/, "").toLowerCase(),
  );
}

const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");

/**
 * What is counted as one caller: an IPv4 address, or the /64 of an IPv6 address, as whoever has one of its addresses has
 * them all.
 */
export function addressBucket(address: string): string {
  const bare = plain(address);
  return isIP(bare) === 6 ? `${groupsOf(bare).slice(0, 4).join(":")}::/64` : bare;
}
